// SPDX-License-Identifier: BSD-3-Clause
// The NAK receiver driven by any history: arrivals, advances, lost data, ACKs with little room, time. First octet: mode
// and renak; then five octets per step. Compiled with a table of six holes.
#include <array>
#include <cstdint>
#include <cstdlib>

#include "lfn/nak_receiver.h"
#include "lfn/seq.h"

namespace {

constexpr uint32_t first_seq = 0xFFFFFFFF - 3000;
constexpr uint16_t mss = 64;

void check(bool kept) {
    if (!kept) std::abort();
}

void check_table(const lfn_nak_receiver& r) {
    check(r.count <= LFN_NAK_HOLES);
    check(lfn_seq_leq(r.rcv_nxt, r.highest));
    uint32_t floor = r.rcv_nxt;
    for (unsigned i = 0; i < r.count; ++i) {
        const lfn_hole& hole = r.holes[i];
        check(lfn_seq_leq(floor, hole.start) && lfn_seq_lt(hole.start, hole.end));
        check(lfn_seq_leq(hole.start, hole.named_to) && lfn_seq_leq(hole.named_to, hole.end));
        check(hole.times != 0 || hole.named_to == hole.start);
        floor = hole.end;
    }
    check(lfn_seq_leq(floor, r.highest));
}

// While data lie above it, the left edge is in the table: so the transfer never hangs.
void check_edge(const lfn_nak_receiver& r) {
    if (r.mode == LFN_NAK_OFF || r.rcv_nxt == r.highest) return;
    check(r.count != 0 && r.holes[0].start == r.rcv_nxt);
}

void check_naks(const lfn_nak_receiver& r, const lfn_nak* naks, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        check(naks[i].segments != 0);
        check(lfn_seq_between(r.rcv_nxt, naks[i].seq, r.highest));
        check(i == 0 || lfn_seq_lt(naks[i - 1].seq, naks[i].seq));
    }
}

void acknowledge(lfn_nak_receiver& r, size_t room, bool really, uint32_t now_ms) {
    std::array<lfn_nak, LFN_NAKS_PER_SEGMENT> naks;
    const size_t max = room % (LFN_NAKS_PER_SEGMENT + 1);
    const size_t n = lfn_nak_receiver_collect(&r, mss, now_ms, naks.data(), max);
    check(n <= max);
    check_naks(r, naks.data(), n);
    uint32_t delay_ms = 0;
    const bool due_now = lfn_nak_receiver_next_ms(&r, now_ms, &delay_ms) && delay_ms == 0;
    check(max == 0 || due_now == (n != 0));
    if (really) lfn_nak_receiver_sent(&r, naks.data(), n, mss, now_ms);
    if (really && n != 0 && n < max) {  // with room to spare nothing that was due can be left
        check(lfn_nak_receiver_collect(&r, mss, now_ms, naks.data(), max) == 0);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    static lfn_nak_receiver r;
    lfn_nak_receiver_init(&r, static_cast<lfn_nak_mode>(data[0] % 3), data[0] & 4, first_seq);
    uint32_t now_ms = 0xFFFFFF00;
    for (size_t at = 1; at + 5 <= size; at += 5) {
        const uint8_t* s = data + at;
        const uint32_t offset = uint32_t{s[1]} << 8 | s[2];
        const uint32_t length = s[3] * 8U + 1;
        switch (s[0] % 6) {
            case 0:
            case 1:
                lfn_nak_receiver_segment(&r, r.rcv_nxt + offset - 100, r.rcv_nxt + offset - 100 + length, now_ms);
                break;
            case 2:  // the front hole, or new data in order
                lfn_nak_receiver_segment(&r, r.rcv_nxt, r.count ? r.holes[0].end : r.rcv_nxt + length, now_ms);
                lfn_nak_receiver_advance(&r, r.count ? r.holes[0].start : r.highest, now_ms);
                break;
            case 3:
                lfn_nak_receiver_advance(&r, r.rcv_nxt + s[3], now_ms);
                break;
            case 4:
                acknowledge(r, s[1], s[2] & 1, now_ms);
                break;
            case 5:
                lfn_nak_receiver_hint_rtt(&r, offset);
                break;
        }
        check_table(r);
        if (s[0] % 6 == 2 || s[0] % 6 == 3) check_edge(r);
        now_ms += s[4] * 4U;
    }
    return 0;
}
