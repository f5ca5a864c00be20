// SPDX-License-Identifier: BSD-3-Clause
// Capture files: what passes a link, for Wireshark and tcpdump, and back again. A thin layer over libpcap.
//
// Files are classic pcap with nanosecond time stamps; time 0 is the start of the run, so readers show 1 January 1970.
// The header and the records are in the byte order of the machine that writes them, as libpcap has it: the same run
// gives the same bytes on every machine of one byte order.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "emulators/link/stage.hpp"
#include "emulators/time/time.hpp"

struct pcap;
struct pcap_dumper;

namespace lfn {

enum class CaptureLink : std::uint8_t {
    raw_ip,    ///< LINKTYPE_RAW: each record is an IPv4 or IPv6 packet
    ethernet,  ///< LINKTYPE_ETHERNET: destination, source, type, payload; no FCS
};

struct PcapDeleter {
    void operator()(pcap* handle) const;
    void operator()(pcap_dumper* dumper) const;
};

/// Writes a capture file; put it behind a Tap, or call write(). Closed by the destructor at the latest.
class CaptureWriter final : public FrameObserver {
public:
    /// Opens or overwrites the file, "-" for the standard output. On failure returns false, and error() has the reason.
    bool open(const std::string& file_name, CaptureLink link);
    bool is_open() const { return dumper_ != nullptr; }

    /// Appends a record; does nothing when not open. `time` is not before the start of the run.
    void write(Time time, std::span<const std::uint8_t> octets);
    void observe(Time time, const Frame& frame) override { write(time, frame.octets()); }

    /// Writes out what is buffered and closes. False with a reason in error() if anything was not written, as on a full
    /// disk.
    bool close();

    /// Why the last call failed, in words; empty if it did not.
    const std::string& error() const { return error_; }
    std::uint64_t records() const { return records_; }

private:
    std::unique_ptr<pcap, PcapDeleter> handle_;
    std::unique_ptr<pcap_dumper, PcapDeleter> dumper_;  // dies before its handle
    std::string error_;
    std::uint64_t records_ = 0;
};

/// One record. The octets stay valid until the next call of the reader.
struct CaptureRecord {
    Time time{};
    std::span<const std::uint8_t> octets;
    std::size_t original_size = 0;  ///< more than octets.size() if the capture was cut
};

/// Reads pcap and pcapng files of any precision and byte order.
class CaptureReader {
public:
    /// On failure returns false, and error() has the reason. Only raw IP and Ethernet captures are taken.
    bool open(const std::string& file_name);
    CaptureLink link() const { return link_; }

    /// False at the end of the file, and on a damaged file: then error() has the reason.
    bool read(CaptureRecord& record);

    const std::string& error() const { return error_; }

private:
    bool fail(std::string reason);

    std::unique_ptr<pcap, PcapDeleter> handle_;
    CaptureLink link_ = CaptureLink::raw_ip;
    std::string error_;
};

}  // namespace lfn
