// SPDX-License-Identifier: BSD-3-Clause
// RFC 1106's appendix as an experiment: its two figures and, beside them, what the same link carries today.
//
// The paper gives the link (1.544 Mb/s, 580 ms round trip) and the windows, and no more. The rest fits its numbers:
//   MSS 512, 10 MB a transfer, slow start.
//   The columns headed 10e-7 and 10e-6 are bit error rates of 1e-7 and 1e-6: the throughput of a TCP without NAK is
//   about 1.22 MSS / (RTT sqrt(packet error rate)), which is 44 and 14 kB/s there, as published; ten times the rate is
//   out. Figure 1: big window, no NAK, duplicate-ACK retransmit, a loss means congestion. Figure 2: big window and NAK
//   in RFC 1106's strict reading (left edge), a loss means noise (4.2, the test set-up).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lfn::lab {

struct Rfc1106Options {
    unsigned seeds = 10;  ///< transfers of a cell; one if the link has no errors, as all would be the same
    std::uint64_t first_seed = 1;
    std::uint64_t octets = 10'000'000;        ///< of a transfer in the figures
    std::uint64_t today_octets = 50'000'000;  ///< of a transfer in the third table
    unsigned jobs = 1;                        ///< processes at a time; no influence on the results
    std::function<void(std::size_t done, std::size_t total)> on_progress{};
};

/// The transfers of one cell together.
struct Tally {
    unsigned seeds = 0;
    unsigned intact = 0;  ///< of the transfers: whole, and the digests agree
    double octets = 0;    ///< of all transfers
    double seconds = 0;   ///< of all transfers, virtual
    double lowest = 0;    ///< goodput of the slowest transfer, octets per second
    double highest = 0;   ///< and of the fastest
    double ceiling = 0;   ///< what the link allows, octets per second
    double goodput() const { return seconds > 0 ? octets / seconds : 0; }
};

struct Rfc1106Cell {
    int figure;                 ///< 1 or 2
    unsigned window_kilobytes;  ///< of 1024 octets
    double bit_error_rate;
    double published;  ///< octets per second
    Tally measured;
    double ratio() const { return measured.goodput() / published; }
    /// Why it is not above the published one, as far as the transfers show it; empty if it is.
    std::string reason() const;
};

/// A row of the third table.
struct TodayCell {
    double bit_error_rate;
    bool lwip_sends;  ///< unpatched lwIP 2.2.1 is the sender; else lfn
    Tally measured;
    double share() const { return measured.goodput() / measured.ceiling; }
};

struct Rfc1106Results {
    std::vector<Rfc1106Cell> cells;  ///< figure by figure, row by row
    std::vector<TodayCell> today;    ///< by error rate: lfn, then lwIP
    std::size_t transfers = 0;
    std::size_t intact = 0;
    std::string failure;  ///< the workers', not the transfers'
};

inline constexpr unsigned today_window_kilobytes = 512;
inline constexpr unsigned rfc1106_mss = 512;

Rfc1106Results reproduce_rfc1106(const Rfc1106Options& options);

/// The rms factor between measured and published over the cells of a figure with errors, or of those without: 1 is
/// perfect agreement, 1.25 means a quarter off either way.
double rms_factor(const std::vector<Rfc1106Cell>& cells, int figure, bool with_errors);

}  // namespace lfn::lab
