/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the patched lwIP calls. With LFN_TCP 0 every macro is what upstream does there, to the byte.
 *
 * Where a macro's last argument is an expression, that is upstream's value, used on connections that have nothing of
 * lfn switched on. Included by lwip/tcp.h; the functions are in stack/hooks.
 */
#ifndef LFN_TCP_HOOKS_H
#define LFN_TCP_HOOKS_H

#include "lwip/err.h"
#include "lwip/opt.h"

#ifndef LFN_TCP
#define LFN_TCP 0
#endif

#if LFN_TCP

#include "lfn/tcp_settings.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tcp_hdr;
struct tcp_pcb;
struct pbuf;
struct tcp_seg;

u8_t lfn_tcp_opts(const struct tcp_pcb* pcb, u8_t tcp_flags);
u32_t* lfn_tcp_write_opts(struct tcp_pcb* pcb, const struct tcp_hdr* header, u8_t segment_flags, u32_t* at);
u8_t lfn_tcp_nak_length(struct tcp_pcb* pcb, u8_t options_length);
void lfn_tcp_write_naks(struct tcp_pcb* pcb, u8_t* at, u8_t length);
void lfn_tcp_naks_sent(struct tcp_pcb* pcb, err_t error);
u32_t lfn_tcp_rcv_wnd(const struct tcp_pcb* pcb, u32_t window);
u32_t lfn_tcp_snd_wnd(const struct tcp_pcb* pcb, u32_t header_window);
u32_t lfn_tcp_wnd_max(const struct tcp_pcb* pcb);
u32_t lfn_tcp_wnd(const struct tcp_pcb* pcb);
u32_t lfn_tcp_wnd_update(const struct tcp_pcb* pcb);
u8_t lfn_tcp_rcv_scale(const struct tcp_pcb* pcb);
void lfn_tcp_established(struct tcp_pcb* pcb);
void lfn_tcp_ack_received(struct tcp_pcb* pcb);
void lfn_tcp_in_order(struct tcp_pcb* pcb, u32_t seq, u16_t length);
void lfn_tcp_out_of_order(struct tcp_pcb* pcb, u32_t seq, u16_t length);
u32_t lfn_tcp_slow_start(const struct tcp_pcb* pcb, u32_t acked);
u32_t lfn_tcp_cwnd_slack(const struct tcp_pcb* pcb);
u32_t lfn_tcp_usable(const struct tcp_pcb* pcb);
int lfn_tcp_dup_acks(const struct tcp_pcb* pcb);
void lfn_tcp_rto_start(struct tcp_pcb* pcb);
int lfn_tcp_times(const struct tcp_pcb* pcb, const struct tcp_seg* seg);
void lfn_tcp_rtt_sample(struct tcp_pcb* pcb, u32_t ackno);
int lfn_tcp_nagle_full(const struct tcp_pcb* pcb);
void lfn_tcp_segment_sent(struct tcp_pcb* pcb, struct tcp_seg* seg);
void lfn_tcp_acked(struct tcp_pcb* pcb);
struct tcp_seg** lfn_tcp_unacked_link(struct tcp_pcb* pcb, const struct tcp_seg* seg);
void lfn_tcp_head_taken(struct tcp_pcb* pcb, const struct tcp_seg* seg);
u32_t lfn_tcp_initial_cwnd(const struct tcp_pcb* pcb, u32_t upstream);
int lfn_tcp_offers_sack(struct tcp_pcb* pcb);
int lfn_tcp_offers_timestamps(struct tcp_pcb* pcb, u8_t tcp_flags);
int lfn_tcp_ooseq_insert(struct tcp_pcb* pcb, struct tcp_seg* arrived, u16_t* length);
void lfn_tcp_chain(struct tcp_pcb* pcb, struct pbuf* chain, struct pbuf* more);
void lfn_tcp_ecn_flags(struct tcp_pcb* pcb, struct tcp_hdr* header, const struct tcp_seg* seg);
u8_t lfn_tcp_tos(const struct tcp_pcb* pcb, const struct tcp_seg* seg);
u32_t sys_now(void);

#ifdef __cplusplus
}
#endif

/* Which of the pcb's extension arguments is ours. */
#ifndef LFN_TCP_EXT_ARG
#define LFN_TCP_EXT_ARG 0
#endif

/* Whether the connection has anything of ours switched on. */
#define LFN_TCP_ON(pcb) ((pcb)->ext_args[LFN_TCP_EXT_ARG].data != NULL)

/* The connection's settings are what our state begins with. */
#define LFN_TCP_SETTINGS_(pcb) ((const struct lfn_tcp_settings*)(pcb)->ext_args[LFN_TCP_EXT_ARG].data)
#define LFN_TCP_ECN_ON(pcb) (LFN_TCP_ON(pcb) && LFN_TCP_SETTINGS_(pcb)->ecn)

/* Flags of a segment, beside lwIP's own: room for options of ours, 4 octets, 8 octets; sent again for a NAK. */
#define TF_SEG_OPTS_LFN4 ((u8_t)0x20U)
#define TF_SEG_OPTS_LFN8 ((u8_t)0x40U)
#define TF_SEG_LFN_RESENT ((u8_t)0x80U)

#define LFN_TCP_OPTS_LENGTH(flags) (((flags)&TF_SEG_OPTS_LFN4 ? 4 : 0) + ((flags)&TF_SEG_OPTS_LFN8 ? 8 : 0))
#define LFN_TCP_OPTS(pcb, tcp_flags) (LFN_TCP_ON(pcb) ? lfn_tcp_opts(pcb, tcp_flags) : (u8_t)0)
#define LFN_TCP_ADD_DATA_OPTS(pcb, optflags, optlen, mss_local)                 \
    do {                                                                        \
        (optflags) = (u8_t)((optflags) | LFN_TCP_OPTS(pcb, 0));                 \
        (optlen) = (u8_t)LWIP_TCP_OPT_LENGTH_SEGMENT(optflags, pcb);            \
        (mss_local) = (u16_t)LWIP_MAX(mss_local, (u16_t)((u16_t)(optlen) + 1)); \
    } while (0)
#define LFN_TCP_WRITE_OPTS(pcb, header, flags, at)                       \
    (((flags) & (TF_SEG_OPTS_LFN4 | TF_SEG_OPTS_LFN8)) != 0              \
         ? lfn_tcp_write_opts((struct tcp_pcb*)(pcb), header, flags, at) \
         : (at))
#define LFN_TCP_NAK_LENGTH(pcb, optlen) (LFN_TCP_ON(pcb) ? lfn_tcp_nak_length(pcb, optlen) : (u8_t)0)
#define LFN_TCP_WRITE_NAKS(pcb, at, length)      \
    do {                                         \
        if ((length) > 0) {                      \
            lfn_tcp_write_naks(pcb, at, length); \
        }                                        \
    } while (0)
#define LFN_TCP_NAKS_SENT(pcb, error)      \
    do {                                   \
        if (LFN_TCP_ON(pcb)) {             \
            lfn_tcp_naks_sent(pcb, error); \
        }                                  \
    } while (0)
#define LFN_TCP_RCV_WND(pcb, wnd, upstream) (LFN_TCP_ON(pcb) ? lfn_tcp_rcv_wnd(pcb, wnd) : (upstream))
#define LFN_TCP_SND_WND(pcb, wnd, upstream) (LFN_TCP_ON(pcb) ? lfn_tcp_snd_wnd(pcb, wnd) : (u32_t)(upstream))
#define LFN_TCP_WND_MAX(pcb, upstream) (LFN_TCP_ON(pcb) ? (tcpwnd_size_t)lfn_tcp_wnd_max(pcb) : (upstream))
#define LFN_TCP_WND(pcb, upstream) (LFN_TCP_ON(pcb) ? lfn_tcp_wnd(pcb) : (upstream))
#define LFN_TCP_WND_UPDATE(pcb, upstream) (LFN_TCP_ON(pcb) ? lfn_tcp_wnd_update(pcb) : (upstream))
#define LFN_TCP_RCV_SCALE(pcb, upstream) (LFN_TCP_ON(pcb) ? lfn_tcp_rcv_scale(pcb) : (upstream))
#define LFN_TCP_UNSCALED(seg) ((TCPH_FLAGS((seg)->tcphdr) & TCP_SYN) != 0)
#define LFN_TCP_CALL_(pcb, call) \
    do {                         \
        if (LFN_TCP_ON(pcb)) {   \
            call;                \
        }                        \
    } while (0)
#define LFN_TCP_ESTABLISHED(pcb) LFN_TCP_CALL_(pcb, lfn_tcp_established(pcb))
#define LFN_TCP_ACK_RECEIVED(pcb) LFN_TCP_CALL_(pcb, lfn_tcp_ack_received(pcb))
#define LFN_TCP_IN_ORDER(pcb, seq, length) LFN_TCP_CALL_(pcb, lfn_tcp_in_order(pcb, seq, length))
#define LFN_TCP_OUT_OF_ORDER(pcb, seq, length) LFN_TCP_CALL_(pcb, lfn_tcp_out_of_order(pcb, seq, length))
#define LFN_TCP_SLOW_START(pcb, acked, upstream) (LFN_TCP_ON(pcb) ? lfn_tcp_slow_start(pcb, acked) : (upstream))
/* cwnd grows while the flight is at least this part of it. */
#define LFN_TCP_CWND_SLACK(pcb, upstream) (LFN_TCP_ON(pcb) ? lfn_tcp_cwnd_slack(pcb) : (upstream))
#define LFN_TCP_USABLE(pcb, upstream) (LFN_TCP_ON(pcb) ? lfn_tcp_usable(pcb) : (upstream))
#define LFN_TCP_DUP_ACKS(pcb) (!LFN_TCP_ON(pcb) || lfn_tcp_dup_acks(pcb))
#define LFN_TCP_RTO_START(pcb) LFN_TCP_CALL_(pcb, lfn_tcp_rto_start(pcb))
/* The timer of such a connection runs in tcp_timer.cpp. */
#define LFN_TCP_RTO_DUE(pcb, upstream) (!LFN_TCP_ON(pcb) && (upstream))
#define LFN_TCP_TIMES(pcb, seg) (!LFN_TCP_ON(pcb) || lfn_tcp_times(pcb, seg))
#define LFN_TCP_RTT_NOW(pcb, upstream) (LFN_TCP_ON(pcb) ? (sys_now() | 1U) : (upstream))
#define LFN_TCP_RTT_SAMPLE(pcb, ackno) LFN_TCP_CALL_(pcb, lfn_tcp_rtt_sample(pcb, ackno))
#define LFN_TCP_NAGLE_FULL(pcb, upstream) (LFN_TCP_ON(pcb) ? lfn_tcp_nagle_full(pcb) : (upstream))
#define LFN_TCP_SEGMENT_SENT(pcb, seg) LFN_TCP_CALL_(pcb, lfn_tcp_segment_sent(pcb, seg))
/* When the segment went out last, or was queued to; and a segment further on in the same queue, see tcp_flight.cpp and
 * tcp_ooseq.cpp. */
#define LFN_TCP_SEG_FIELDS \
    u32_t lfn_sent_ms;     \
    struct tcp_seg* lfn_skip;
/* The ends of the pcb's two send queues. Each counts only while its queue is not empty. */
#define LFN_TCP_TAIL_FIELDS struct tcp_seg *lfn_unsent_tail, *lfn_unacked_tail;
#define LFN_TCP_TAIL(pcb, queue, head) ((pcb)->lfn_##queue##_tail)
#define LFN_TCP_SET_TAIL(pcb, queue, seg) (pcb)->lfn_##queue##_tail = (seg)
#define LFN_TCP_SET_TAIL_IF(condition, pcb, queue, seg) \
    do {                                                \
        if (condition) {                                \
            LFN_TCP_SET_TAIL(pcb, queue, seg);          \
        }                                               \
    } while (0)
/* Pbufs in the send queues. */
#define LFN_TCP_QUEUELEN_T(upstream) u32_t
#define LFN_TCP_QUEUELEN_MAX(upstream) 0x7fffffff
#define LFN_TCP_QUEUELEN_OVERFLOW(upstream) 0x7fffffffU
#define LFN_TCP_QUEUELEN16(length) ((u16_t)LWIP_MIN(length, 0xffffU))
/* Functions of lwIP's that stack/hooks calls. */
#define LFN_TCP_STATIC
#define LFN_TCP_ACKED(pcb) LFN_TCP_CALL_(pcb, lfn_tcp_acked(pcb))
#define LFN_TCP_UNACKED_LINK(pcb, seg, upstream) (LFN_TCP_ON(pcb) ? lfn_tcp_unacked_link(pcb, seg) : (upstream))
#define LFN_TCP_HEAD_TAKEN(pcb, seg) LFN_TCP_CALL_(pcb, lfn_tcp_head_taken(pcb, seg))
#define LFN_TCP_INITIAL_CWND(pcb, upstream) (LFN_TCP_ON(pcb) ? lfn_tcp_initial_cwnd(pcb, upstream) : (u32_t)(upstream))
#define LFN_TCP_OFFERS_SACK(pcb) lfn_tcp_offers_sack(pcb)
#define LFN_TCP_OFFERS_TIMESTAMPS(pcb, tcp_flags) lfn_tcp_offers_timestamps(pcb, tcp_flags)
/* Whether a connection that has nothing to say of it permits SACK, and offers timestamps. */
#ifndef LFN_TCP_SACK_DEFAULT
#define LFN_TCP_SACK_DEFAULT 1
#endif
#ifndef LFN_TCP_TIMESTAMPS_DEFAULT
#define LFN_TCP_TIMESTAMPS_DEFAULT 1
#endif
/* A build that limits the queue takes lwIP's insertion, as the limits cost a walk each time anyway. */
#if defined(TCP_OOSEQ_BYTES_LIMIT) || defined(TCP_OOSEQ_PBUFS_LIMIT)
#define LFN_TCP_OOSEQ_INSERT(pcb, seg, length) 0
#else
#define LFN_TCP_OOSEQ_INSERT(pcb, seg, length) (LFN_TCP_ON(pcb) && lfn_tcp_ooseq_insert(pcb, seg, length))
#endif
#define LFN_TCP_CHAIN(pcb, chain, more)      \
    do {                                     \
        if (LFN_TCP_ON(pcb)) {               \
            lfn_tcp_chain(pcb, chain, more); \
        } else {                             \
            pbuf_cat(chain, more);           \
        }                                    \
    } while (0)

/* The header of a segment that goes out: from a queue, or (seg null) one that was made for it. */
#define LFN_TCP_ECN_FLAGS(pcb, header, seg)      \
    do {                                         \
        if (LFN_TCP_ECN_ON(pcb)) {               \
            lfn_tcp_ecn_flags(pcb, header, seg); \
        }                                        \
    } while (0)
#define LFN_TCP_TOS(pcb, seg, upstream) (LFN_TCP_ECN_ON(pcb) ? lfn_tcp_tos(pcb, seg) : (upstream))

#else /* LFN_TCP */

#define LFN_TCP_OPTS_LENGTH(flags) 0
#define LFN_TCP_OPTS(pcb, tcp_flags) 0
#define LFN_TCP_ADD_DATA_OPTS(pcb, optflags, optlen, mss_local)
#define LFN_TCP_WRITE_OPTS(pcb, header, flags, at) (at)
#define LFN_TCP_NAK_LENGTH(pcb, optlen) 0
#define LFN_TCP_WRITE_NAKS(pcb, at, length) LWIP_UNUSED_ARG(length)
#define LFN_TCP_NAKS_SENT(pcb, error)
#define LFN_TCP_RCV_WND(pcb, wnd, upstream) upstream
#define LFN_TCP_SND_WND(pcb, wnd, upstream) upstream
#define LFN_TCP_WND_MAX(pcb, upstream) upstream
#define LFN_TCP_WND(pcb, upstream) upstream
#define LFN_TCP_WND_UPDATE(pcb, upstream) (upstream)
#define LFN_TCP_RCV_SCALE(pcb, upstream) upstream
#define LFN_TCP_UNSCALED(seg) 0
#define LFN_TCP_ESTABLISHED(pcb)
#define LFN_TCP_ACK_RECEIVED(pcb)
#define LFN_TCP_IN_ORDER(pcb, seq, length)
#define LFN_TCP_OUT_OF_ORDER(pcb, seq, length)
#define LFN_TCP_SLOW_START(pcb, acked, upstream) upstream
#define LFN_TCP_CWND_SLACK(pcb, upstream) (upstream)
#define LFN_TCP_USABLE(pcb, upstream) upstream
#define LFN_TCP_DUP_ACKS(pcb) 1
#define LFN_TCP_RTO_START(pcb)
#define LFN_TCP_RTO_DUE(pcb, upstream) (upstream)
#define LFN_TCP_TIMES(pcb, seg) 1
#define LFN_TCP_RTT_NOW(pcb, upstream) upstream
#define LFN_TCP_RTT_SAMPLE(pcb, ackno)
#define LFN_TCP_NAGLE_FULL(pcb, upstream) upstream
#define LFN_TCP_SEGMENT_SENT(pcb, seg)
#define LFN_TCP_SEG_FIELDS
#define LFN_TCP_TAIL_FIELDS
#define LFN_TCP_TAIL(pcb, queue, head) (head)
#define LFN_TCP_SET_TAIL(pcb, queue, seg)
#define LFN_TCP_SET_TAIL_IF(condition, pcb, queue, seg)
#define LFN_TCP_QUEUELEN_T(upstream) upstream
#define LFN_TCP_QUEUELEN_MAX(upstream) upstream
#define LFN_TCP_QUEUELEN_OVERFLOW(upstream) (upstream)
#define LFN_TCP_QUEUELEN16(length) (length)
#define LFN_TCP_STATIC static
#define LFN_TCP_ACKED(pcb)
#define LFN_TCP_UNACKED_LINK(pcb, seg, upstream) (upstream)
#define LFN_TCP_HEAD_TAKEN(pcb, seg)
#define LFN_TCP_INITIAL_CWND(pcb, upstream) upstream
#define LFN_TCP_OFFERS_SACK(pcb) 1
#define LFN_TCP_OFFERS_TIMESTAMPS(pcb, tcp_flags) 1
#define LFN_TCP_OOSEQ_INSERT(pcb, seg, length) 0
#define LFN_TCP_CHAIN(pcb, chain, more) pbuf_cat(chain, more)
#define LFN_TCP_ECN_FLAGS(pcb, header, seg)
#define LFN_TCP_TOS(pcb, seg, upstream) upstream

#endif /* LFN_TCP */

#endif
