// SPDX-License-Identifier: BSD-3-Clause
// What arrived out of order, kept as runs, so that a segment finds its place past holes and not past segments.
//
// A segment that goes on where the last run ends, or the run that grew last, is placed at once; those are nearly all.
// Others pass one run after the other, `longest_search` at most: what would take longer is dropped as if lost, so that
// no peer can make an arrival expensive. So is what would make it more than `segments_min` and four times the segments
// that the window holds, as a peer that sends an octet at a time fills memory with headers. lwIP gives it all up when
// nothing has come for a while. Of octets that arrive twice the first copy is kept.
//
// lwIP itself takes from the front: whole runs, as a run that the left edge reaches goes to the application at once.
#include "lwip/pbuf.h"
#include "tcp_state.hpp"

#if TCP_QUEUE_OOSEQ

#if LWIP_TCP_SACK_OUT
extern "C" void tcp_add_sack(tcp_pcb* pcb, u32_t left, u32_t right);
#endif

namespace lfn {
namespace {

constexpr u32_t longest_search = 4096;  // runs (guess)
constexpr u32_t segments_min = 64;      // guess

// lwIP has turned an arrived segment's header to host order.
u32_t left_of(const tcp_seg* seg) {
    return seg->tcphdr->seqno;
}
u32_t right_of(const tcp_seg* seg) {
    return left_of(seg) + seg->len;
}
bool has_fin(const tcp_seg* seg) {
    return (TCPH_FLAGS(seg->tcphdr) & TCP_FIN) != 0;
}
void clear_fin(tcp_seg* seg) {
    TCPH_FLAGS_SET(seg->tcphdr, TCPH_FLAGS(seg->tcphdr) & ~TCP_FIN);
}

tcp_seg* last_of(const tcp_seg* run) {
    return run->lfn_skip;
}

void cut_right(tcp_seg* seg, u32_t right) {
    clear_fin(seg);
    seg->len = static_cast<u16_t>(right - left_of(seg));
    pbuf_realloc(seg->p, seg->len);
}

// The payload of the first pbufs is passed over, but they stay: the first holds the header.
void cut_left(tcp_seg* seg, u32_t left) {
    auto octets = static_cast<u16_t>(left - left_of(seg));
    seg->tcphdr->seqno = left;
    seg->len = static_cast<u16_t>(seg->len - octets);
    const auto rest = static_cast<u16_t>(seg->p->tot_len - octets);
    pbuf* p = seg->p;
    for (; p->len < octets; p = p->next) {
        octets = static_cast<u16_t>(octets - p->len);
        p->tot_len = rest;
        p->len = 0;
    }
    pbuf_remove_header(p, octets);
}

// Finds the last run that does not begin behind `seq`; *run is null if there is none. False if it is too far.
bool find_run(const tcp_pcb* pcb, const Reassembly& reassembly, u32_t seq, tcp_seg** run) {
    *run = nullptr;
    tcp_seg* at = pcb->ooseq;
    if (at == nullptr || TCP_SEQ_LT(seq, left_of(at))) return true;
    if (!TCP_SEQ_LT(seq, left_of(reassembly.last))) {
        *run = reassembly.last;
        return true;
    }
    if (reassembly.near != nullptr && !TCP_SEQ_LT(seq, left_of(reassembly.near))) at = reassembly.near;
    for (u32_t passed = 0; passed < longest_search; ++passed) {
        *run = at;
        at = last_of(at)->next;
        if (at == nullptr || TCP_SEQ_LT(seq, left_of(at))) return true;
    }
    return false;
}

// Takes the run at *link out of the queue.
void free_run(Reassembly& reassembly, tcp_seg** link) {
    tcp_seg* run = *link;
    tcp_seg* last = last_of(run);
    *link = last->next;
    last->next = nullptr;
    if (reassembly.near == run) reassembly.near = nullptr;
    for (const tcp_seg* seg = run; seg != nullptr; seg = seg->next) --reassembly.segments;
    tcp_segs_free(run);
}

// Runs behind the new segment that it covers go; what it shares with the next one, or sends behind a FIN, is cut off.
void settle_right(Reassembly& reassembly, tcp_seg* seg) {
    while (seg->next != nullptr && (has_fin(seg) || TCP_SEQ_LEQ(right_of(last_of(seg->next)), right_of(seg)))) {
        if (!has_fin(seg) && has_fin(last_of(seg->next))) {
            cut_right(seg, right_of(last_of(seg->next)));
            TCPH_SET_FLAG(seg->tcphdr, TCP_FIN);
        }
        free_run(reassembly, &seg->next);
    }
    if (seg->next != nullptr && TCP_SEQ_GT(right_of(seg), left_of(seg->next))) cut_right(seg, left_of(seg->next));
}

// Puts the segment behind `run`, or in front of all runs if that is null, and returns the run that it is now part of.
tcp_seg* link_in(tcp_pcb* pcb, Reassembly& reassembly, tcp_seg* run, tcp_seg* seg) {
    tcp_seg** link = run != nullptr ? &last_of(run)->next : &pcb->ooseq;
    seg->next = *link;
    *link = seg;
    ++reassembly.segments;
    settle_right(reassembly, seg);
    const bool joins_left = run != nullptr && right_of(last_of(run)) == left_of(seg);
    tcp_seg* whole = joins_left ? run : seg;
    whole->lfn_skip = seg;
    tcp_seg* next = seg->next;
    if (next == nullptr) {
        reassembly.last = whole;
    } else if (left_of(next) == right_of(seg)) {
        whole->lfn_skip = last_of(next);
        if (reassembly.last == next) reassembly.last = whole;
        if (reassembly.near == next) reassembly.near = nullptr;
    }
    return whole;
}

// Whether the arrived segment has octets that are not there yet, given the run at or before its left edge. A FIN that
// ends a run is noted with that.
bool brings_news(const tcp_seg* run, tcp_seg* arrived) {
    if (run == nullptr) return arrived->len > 0 || has_fin(arrived);
    tcp_seg* last = last_of(run);
    if (TCP_SEQ_GT(left_of(arrived), right_of(last))) return !has_fin(last);
    if (has_fin(last)) return false;
    if (TCP_SEQ_GT(right_of(arrived), right_of(last))) return true;
    if (has_fin(arrived) && right_of(arrived) == right_of(last) && last->next == nullptr) {
        TCPH_SET_FLAG(last->tcphdr, TCP_FIN);
    }
    return false;
}

void note_sack(tcp_pcb* pcb, const tcp_seg* run) {
#if LWIP_TCP_SACK_OUT
    if ((pcb->flags & TF_SACK) != 0) tcp_add_sack(pcb, left_of(run), right_of(last_of(run)));
#else
    LWIP_UNUSED_ARG(pcb);
    LWIP_UNUSED_ARG(run);
#endif
}

bool full(const tcp_pcb* pcb, const Reassembly& reassembly) {
    return reassembly.segments >= segments_min + 4 * (lfn_tcp_wnd(pcb) / pcb->mss);
}

// False if it was not kept: it is too far, there is no room, or out of memory.
bool insert(tcp_pcb* pcb, Reassembly& reassembly, tcp_seg* arrived) {
    const u32_t window_end = pcb->rcv_nxt + pcb->rcv_wnd;
    if (TCP_SEQ_GT(left_of(arrived) + TCP_TCPLEN(arrived), window_end)) {
        const bool only_fin = right_of(arrived) == window_end;
        only_fin ? clear_fin(arrived) : cut_right(arrived, window_end);
    }
    if (pcb->ooseq == nullptr) {
        reassembly.near = nullptr;
        reassembly.segments = 0;
    }
    tcp_seg* run = nullptr;
    if (!find_run(pcb, reassembly, left_of(arrived), &run)) return false;
    if (brings_news(run, arrived)) {
        if (full(pcb, reassembly)) return false;
        tcp_seg* seg = tcp_seg_copy(arrived);
        if (seg == nullptr) return false;
        if (run != nullptr && TCP_SEQ_LT(left_of(seg), right_of(last_of(run)))) cut_left(seg, right_of(last_of(run)));
        run = link_in(pcb, reassembly, run, seg);
        reassembly.near = run;
    }
    if (run != nullptr) note_sack(pcb, run);
    return true;
}

}  // namespace
}  // namespace lfn

// In place of lwIP's own insertion. *length is what was kept of the arrived segment, from its left edge on.
int lfn_tcp_ooseq_insert(tcp_pcb* pcb, tcp_seg* arrived, u16_t* length) {
    lfn::TcpState& state = *lfn::state_of(pcb);
    const bool kept = lfn::insert(pcb, state.reassembly, arrived);
    if (!kept) ++state.counters.reassembly_dropped;
    *length = kept ? static_cast<u16_t>(TCP_TCPLEN(arrived)) : u16_t{0};
    return 1;
}

#endif

void lfn::reassembly_advanced(Reassembly& reassembly) {
    reassembly.near = nullptr;
    u16_t left = 0;
    for (const pbuf* p = reassembly.chain; p != nullptr; p = p->next) left = static_cast<u16_t>(left + p->len);
    for (pbuf* p = reassembly.chain; p != nullptr; p = p->next) {
        p->tot_len = left;
        left = static_cast<u16_t>(left - p->len);
    }
    reassembly.chain = reassembly.chain_end = nullptr;
}

// As pbuf_cat(), but the lengths of the chain are settled when it is complete, modulo 2^16 as lwIP's pbuf_split_64k()
// wants them.
void lfn_tcp_chain(tcp_pcb* pcb, pbuf* chain, pbuf* more) {
    lfn::Reassembly& reassembly = lfn::state_of(pcb)->reassembly;
    if (reassembly.segments > 0) --reassembly.segments;
    if (reassembly.chain == nullptr) reassembly.chain = reassembly.chain_end = chain;
    while (reassembly.chain_end->next != nullptr) reassembly.chain_end = reassembly.chain_end->next;
    reassembly.chain_end->next = more;
    reassembly.chain_end = more;
}
