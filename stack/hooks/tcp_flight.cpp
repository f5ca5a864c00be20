// SPDX-License-Identifier: BSD-3-Clause
// Finding a segment among those in flight, of which a window of 2^30 octets holds three quarters of a million.
//
// Marks are made where segments join the queue, at its tail; one that leaves from the middle hands its mark on. So a
// search passes at most one mark in FlightIndex::spacing segments, and then as many segments; it begins where the last
// one ended if that was below, as holes are mostly named from low to high.
#include "tcp_state.hpp"

namespace lfn {
namespace {

bool ends_by(const tcp_seg* seg, u32_t seq) {
    return seg != nullptr && TCP_SEQ_LEQ(end_of(seg), seq);
}

tcp_seg* mark_after(const FlightIndex& flight, const tcp_seg* mark) {
    return mark != nullptr ? mark->lfn_skip : flight.first;
}

void drop_first(FlightIndex& flight) {
    const tcp_seg* gone = flight.first;
    if (flight.near == gone) flight.near = nullptr;
    if (flight.last == gone) flight.last = nullptr;
    flight.first = gone->lfn_skip;
}

// The mark behind place.mark, at which the place is, goes: the segment before takes it over, unless it is a mark itself
// or there is none.
void hand_on(FlightIndex& flight, const FlightPlace& place) {
    const tcp_seg* gone = *place.link;
    if (place.previous == nullptr) return drop_first(flight);
    tcp_seg* heir = place.previous;
    if (heir != place.mark) {
        (place.mark != nullptr ? place.mark->lfn_skip : flight.first) = heir;
    }
    heir->lfn_skip = gone->lfn_skip;
    if (flight.last == gone) flight.last = heir;
    if (flight.near == gone) flight.near = heir;
}

}  // namespace

FlightPlace flight_find(tcp_pcb* pcb, TcpState& state, u32_t seq) {
    FlightIndex& flight = state.flight;
    FlightPlace place = {nullptr, nullptr, &pcb->unacked};
    if (pcb->unacked == nullptr) return place;
    if (ends_by(flight.near, seq)) {
        place.mark = flight.near;
    }
    while (ends_by(mark_after(flight, place.mark), seq)) place.mark = mark_after(flight, place.mark);
    if (place.mark == nullptr) return place;
    flight.near = place.previous = place.mark;
    place.link = &place.mark->next;
    return place;
}

void flight_advance(const FlightIndex& flight, FlightPlace& place) {
    place.previous = *place.link;
    if (place.previous == mark_after(flight, place.mark)) place.mark = place.previous;
    place.link = &place.previous->next;
}

tcp_seg* flight_take(tcp_pcb* pcb, FlightIndex& flight, FlightPlace& place) {
    tcp_seg* seg = *place.link;
    if (seg == mark_after(flight, place.mark)) hand_on(flight, place);
    if (place.previous != nullptr && place.previous == mark_after(flight, place.mark)) place.mark = place.previous;
    *place.link = seg->next;
    LFN_TCP_SET_TAIL_IF(seg->next == nullptr, pcb, unacked, place.previous);
    return seg;
}

// SYNs are taken from the queue by lwIP's handshake, without a word: they bear no mark. What goes out again is counted
// too, though it may leave for the queue's middle: a mark may come too soon.
void flight_append(tcp_pcb* pcb, FlightIndex& flight, tcp_seg* seg) {
    if (pcb->unacked == nullptr) {
        flight = {};
    } else if (flight.last != nullptr && ++flight.unmarked < FlightIndex::spacing) {
        return;
    }
    if (TCP_TCPLEN(seg) == 0 || (TCPH_FLAGS(seg->tcphdr) & TCP_SYN) != 0) return;
    if (pcb->unacked != nullptr && TCP_SEQ_LT(seq_of(seg), seq_of(LFN_TCP_TAIL(pcb, unacked, 0)))) return;
    (flight.last != nullptr ? flight.last->lfn_skip : flight.first) = seg;
    seg->lfn_skip = nullptr;
    flight.last = seg;
    flight.unmarked = 0;
}

}  // namespace lfn

// Marks that pcb->lastack has passed are about to be freed.
void lfn_tcp_acked(tcp_pcb* pcb) {
    lfn::FlightIndex& flight = lfn::state_of(pcb)->flight;
    if (pcb->unacked == nullptr) return;
    while (lfn::ends_by(flight.first, pcb->lastack)) lfn::drop_first(flight);
}

// Leads to a segment that is at or before the place of `seg`, which is in order of sequence numbers.
tcp_seg** lfn_tcp_unacked_link(tcp_pcb* pcb, const tcp_seg* seg) {
    return lfn::flight_find(pcb, *lfn::state_of(pcb), lfn::seq_of(seg)).link;
}

// lwIP has taken the head.
void lfn_tcp_head_taken(tcp_pcb* pcb, const tcp_seg* seg) {
    lfn::FlightIndex& flight = lfn::state_of(pcb)->flight;
    if (flight.first == seg) lfn::drop_first(flight);
}
