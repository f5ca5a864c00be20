// SPDX-License-Identifier: BSD-3-Clause
// The table of holes against a model that remembers every octet.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "lfn/nak_receiver.h"
#include "property.hpp"
#include "receiver_driver.hpp"

namespace {

using lfn::test::Named;
using lfn::test::ReceiverDriver;

class OctetModel {
public:
    static constexpr uint32_t size = 4000;

    void arrive(uint32_t from, uint32_t to) {
        std::fill(has_.begin() + from, has_.begin() + to, true);
        highest_ = std::max(highest_, to);
    }
    uint32_t edge() const { return static_cast<uint32_t>(std::find(has_.begin(), has_.end(), false) - has_.begin()); }

    std::vector<std::pair<uint32_t, uint32_t>> holes() const {
        std::vector<std::pair<uint32_t, uint32_t>> all;
        for (uint32_t i = edge(); i < highest_; ++i) {
            if (has_[i]) continue;
            if (all.empty() || all.back().second != i) all.push_back({i, i});
            all.back().second = i + 1;
        }
        return all;
    }
    uint32_t highest() const { return highest_; }

private:
    std::vector<bool> has_ = std::vector<bool>(size + 1, false);
    uint32_t highest_ = 0;
};

struct Step {
    uint32_t from, length, wait_ms, ack_room;
};

// Dense enough to close holes again, sparse enough to make many.
std::vector<Step> any_steps() {
    const auto step = rc::gen::build<Step>(rc::gen::set(&Step::from, rc::gen::inRange<uint32_t>(0, OctetModel::size)),
                                           rc::gen::set(&Step::length, rc::gen::inRange<uint32_t>(1, 120)),
                                           rc::gen::set(&Step::wait_ms, rc::gen::inRange<uint32_t>(0, 300)),
                                           rc::gen::set(&Step::ack_room, rc::gen::inRange<uint32_t>(0, 6)));
    return *rc::gen::container<std::vector<Step>>(step);
}

// Each octet of the first namings must be missing, and no octet be named twice without renak.
void count_names(const std::vector<Named>& named, const OctetModel& model, std::vector<int>& times) {
    for (const auto& [start, end] : model.holes()) {
        for (const Named& n : named) {
            if (n.offset < start || n.offset >= end) continue;
            const uint32_t to = std::min<uint32_t>(end, n.offset + n.segments * ReceiverDriver::mss);
            for (uint32_t i = n.offset; i < to; ++i) ++times[i];
        }
    }
}

RC_GTEST_PROP(NakReceiverModel, the_table_is_the_octets_that_are_missing, (bool renak)) {
    ReceiverDriver d(LFN_NAK_EVERY_GAP, renak);
    OctetModel model;
    for (const Step& step : any_steps()) {
        const uint32_t to = std::min(step.from + step.length, OctetModel::size);
        model.arrive(step.from, to);
        d.arrive(step.from, to, model.edge());
        d.wait(step.wait_ms);
        d.ack(step.ack_room);
        RC_ASSERT(d.holes() == model.holes());
        RC_ASSERT(d.state().rcv_nxt == d.first_seq + model.edge());
        RC_ASSERT(d.state().highest == d.first_seq + model.highest());
    }
}

RC_GTEST_PROP(NakReceiverModel, without_renak_each_missing_octet_is_named_exactly_once, ()) {
    ReceiverDriver d(LFN_NAK_EVERY_GAP, false);
    OctetModel model;
    std::vector<int> times(OctetModel::size, 0);
    for (const Step& step : any_steps()) {
        const uint32_t to = std::min(step.from + step.length, OctetModel::size);
        model.arrive(step.from, to);
        d.arrive(step.from, to, model.edge());
        d.wait(step.wait_ms);
        count_names(d.ack(step.ack_room), model, times);
    }
    while (d.next_ms()) {
        d.wait(*d.next_ms());
        const std::vector<Named> named = d.ack();
        RC_ASSERT(!named.empty());
        count_names(named, model, times);
    }
    for (const auto& [start, end] : model.holes()) {
        for (uint32_t i = start; i < end; ++i) RC_ASSERT(times[i] == 1);
    }
    RC_ASSERT(*std::max_element(times.begin(), times.end()) <= 1);
}

RC_GTEST_PROP(NakReceiverModel, next_ms_is_the_first_moment_at_which_collect_has_something,
              (bool renak, bool left_edge)) {
    ReceiverDriver d(left_edge ? LFN_NAK_LEFT_EDGE : LFN_NAK_EVERY_GAP, renak);
    OctetModel model;
    for (const Step& step : any_steps()) {
        const uint32_t to = std::min(step.from + step.length, OctetModel::size);
        model.arrive(step.from, to);
        d.arrive(step.from, to, model.edge());
        d.wait(step.wait_ms);
        d.ack(step.ack_room);
        const auto next = d.next_ms();
        lfn_nak nak;
        const auto collects = [&](uint32_t later) {
            return lfn_nak_receiver_collect(&d.state(), d.mss, d.now() + later, &nak, 1) == 1;
        };
        RC_ASSERT(next.has_value() || !collects(1000000));
        if (next) RC_ASSERT(collects(*next));
        if (next && *next > 0) RC_ASSERT(!collects(*next - 1));
    }
}

}  // namespace
