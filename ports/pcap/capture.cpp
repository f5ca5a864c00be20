// SPDX-License-Identifier: BSD-3-Clause
#include "ports/pcap/capture.hpp"

#include <pcap/pcap.h>

#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace lfn {

namespace {

constexpr int snapshot_length = 262144;  // libpcap's own maximum for these link types; nothing of ours is cut
constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;

int dlt_of(CaptureLink link) {
    return link == CaptureLink::ethernet ? DLT_EN10MB : DLT_RAW;
}

// The classic format has 32 bits of seconds, but pcapng can claim any time at all.
bool in_range(const timeval& stamp) {
    constexpr std::int64_t limit_s = INT64_MAX / nanoseconds_per_second - 1;
    return stamp.tv_sec >= 0 && stamp.tv_sec <= limit_s && stamp.tv_usec >= 0 && stamp.tv_usec < nanoseconds_per_second;
}

}  // namespace

void PcapDeleter::operator()(pcap* handle) const {
    pcap_close(handle);
}

void PcapDeleter::operator()(pcap_dumper* dumper) const {
    pcap_dump_close(dumper);
}

bool CaptureWriter::open(const std::string& file_name, CaptureLink link) {
    dumper_.reset();
    error_.clear();
    records_ = 0;
    handle_.reset(pcap_open_dead_with_tstamp_precision(dlt_of(link), snapshot_length, PCAP_TSTAMP_PRECISION_NANO));
    if (handle_ == nullptr) {
        error_ = "libpcap is out of memory";
        return false;
    }
    dumper_.reset(pcap_dump_open(handle_.get(), file_name.c_str()));
    if (dumper_ == nullptr) error_ = std::string("cannot write a capture: ") + pcap_geterr(handle_.get());
    return is_open();
}

void CaptureWriter::write(Time time, std::span<const std::uint8_t> octets) {
    if (!is_open()) return;
    assert(time >= Time{});
    pcap_pkthdr header{};
    header.ts.tv_sec = static_cast<time_t>(nanoseconds_of(time) / nanoseconds_per_second);
    header.ts.tv_usec = static_cast<suseconds_t>(nanoseconds_of(time) % nanoseconds_per_second);
    header.caplen = static_cast<bpf_u_int32>(octets.size());
    header.len = header.caplen;
    pcap_dump(reinterpret_cast<u_char*>(dumper_.get()), &header, octets.data());
    ++records_;
}

bool CaptureWriter::close() {
    error_.clear();
    if (!is_open()) return true;
    errno = 0;
    const bool flushed = pcap_dump_flush(dumper_.get()) == 0;
    if (!flushed || std::ferror(pcap_dump_file(dumper_.get())) != 0) {
        error_ = std::string("capture is incomplete: ") + (errno != 0 ? std::strerror(errno) : "write error");
    }
    dumper_.reset();
    handle_.reset();
    return error_.empty();
}

bool CaptureReader::open(const std::string& file_name) {
    char reason[PCAP_ERRBUF_SIZE] = "";
    error_.clear();
    handle_.reset(pcap_open_offline_with_tstamp_precision(file_name.c_str(), PCAP_TSTAMP_PRECISION_NANO, reason));
    if (handle_ == nullptr) return fail(std::string("cannot read a capture: ") + reason);
    const int dlt = pcap_datalink(handle_.get());
    if (dlt != DLT_EN10MB && dlt != DLT_RAW) {
        const char* const name = pcap_datalink_val_to_name(dlt);
        return fail(file_name + ": link type " + (name != nullptr ? name : std::to_string(dlt)) +
                    " is neither raw IP nor Ethernet");
    }
    link_ = dlt == DLT_EN10MB ? CaptureLink::ethernet : CaptureLink::raw_ip;
    return true;
}

bool CaptureReader::read(CaptureRecord& record) {
    if (handle_ == nullptr) return false;
    pcap_pkthdr* header = nullptr;
    const u_char* octets = nullptr;
    const int result = pcap_next_ex(handle_.get(), &header, &octets);
    if (result == PCAP_ERROR_BREAK) return false;  // the end
    if (result != 1) return fail(std::string("capture is damaged: ") + pcap_geterr(handle_.get()));
    if (!in_range(header->ts)) return fail("capture is damaged: a time stamp is out of range");
    record.time = Time(Duration(header->ts.tv_sec * nanoseconds_per_second + header->ts.tv_usec));
    record.octets = {octets, header->caplen};
    record.original_size = header->len;
    return true;
}

bool CaptureReader::fail(std::string reason) {
    error_ = std::move(reason);
    handle_.reset();
    return false;
}

}  // namespace lfn
