// SPDX-License-Identifier: BSD-3-Clause
#include "ports/compare/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lfn::compare {

namespace {

constexpr Duration look_interval = std::chrono::milliseconds(100);
constexpr std::size_t headers_octets = 40, timestamps_octets = 12;

}  // namespace

std::vector<RowSpec> all_rows(const std::vector<std::string>& controls) {
    std::vector<RowSpec> rows;
    const auto add_kernel = [&](Tcp receiver) {
        for (const std::string& control : controls) {
            for (const bool sack : {true, false}) rows.push_back({Tcp::kernel, receiver, control, sack});
        }
    };
    add_kernel(Tcp::kernel);
    add_kernel(Tcp::lfn);
    for (const bool sack : {true, false}) rows.push_back({Tcp::lfn, Tcp::kernel, "", sack});
    rows.push_back({Tcp::lfn, Tcp::lfn, "", false});
    return rows;
}

double ceiling_bytes_s(const Conditions& conditions) {
    LinkProfile link = bridge_profile(*conditions.link);
    if (conditions.path.rate_bps) link.rate_bps.value = *conditions.path.rate_bps;
    const double bit_error_rate = conditions.path.bit_error_rate.value_or(link.bit_error_rate.value);
    const std::size_t payload = conditions.mtu - headers_octets - timestamps_octets;
    return ceiling_octets_per_second(link, bit_error_rate, payload, conditions.mtu + ethernet_header_octets);
}

Comparison::Comparison(RealtimeLoop& loop, std::vector<RowSpec> rows, const Conditions& conditions, std::size_t at_once)
    : loop_(loop),
      rows_(std::move(rows)),
      conditions_(conditions),
      at_once_(at_once),
      results_(rows_.size()),
      look_(loop, Callback::bind<&Comparison::look>(*this)) {}

bool Comparison::run() {
    began_ = loop_.now();
    if (start_rows()) {
        look_.schedule_after(look_interval);
        loop_.run_until(Time::max());
    }
    look_.cancel();
    running_.clear();
    return error_.empty();
}

bool Comparison::start_rows() {
    while (next_ < rows_.size() && running_.size() < at_once_) {
        running_.push_back({next_, std::make_unique<Row>(loop_, rows_[next_], conditions_)});
        ++next_;
        Row& row = *running_.back().row;
        if (row.start()) continue;
        error_ = row.error();
        loop_.stop();
        return false;
    }
    return true;
}

void Comparison::look() {
    for (auto each = running_.begin(); each != running_.end();) {
        if (!each->row->over()) {
            ++each;
            continue;
        }
        results_[each->index] = std::make_unique<RowResult>(each->row->result());
        each = running_.erase(each);
    }
    if (!start_rows()) return;
    if (running_.empty()) return loop_.stop();
    tell_progress();
    look_.schedule_after(look_interval);
}

double Comparison::seconds_left(const Row& row) const {
    const double passed = seconds_of(loop_.now() - row.began());
    const double limit = seconds_of(conditions_.limit) - passed;
    const auto octets = static_cast<double>(row.octets());
    if (octets == 0) return limit;
    return std::min(limit, passed * (static_cast<double>(conditions_.octets) - octets) / octets);
}

// The slowest row of those that run tells the time; rows that wait are taken to last as long.
void Comparison::tell_progress() {
    if (!on_progress) return;
    double left = 0;
    for (const Running& each : running_) left = std::max(left, seconds_left(*each.row));
    const auto turns = static_cast<double>((rows_.size() - next_ + at_once_ - 1) / at_once_);
    const double passed = seconds_of(loop_.now() - began_);
    left +=
        turns * (passed + left) / std::max(1.0, std::ceil(static_cast<double>(next_) / static_cast<double>(at_once_)));
    on_progress(passed / (passed + left), left);
}

std::vector<RowResult> Comparison::results() const {
    std::vector<RowResult> list;
    for (const auto& each : results_) {
        if (each != nullptr) list.push_back(*each);
    }
    return list;
}

}  // namespace lfn::compare
