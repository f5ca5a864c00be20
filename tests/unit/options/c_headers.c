/* SPDX-License-Identifier: BSD-3-Clause */
/* Every public header as C99, and a call into each. Returns the number of the first claim that fails, 0 for none. */
#include "lfn/big_window.h"
#include "lfn/ecn.h"
#include "lfn/guard.h"
#include "lfn/loss_policy.h"
#include "lfn/nak_receiver.h"
#include "lfn/nak_sender.h"
#include "lfn/path.h"
#include "lfn/rto.h"
#include "lfn/seq.h"
#include "lfn/tcp_options.h"

#if __STDC_VERSION__ != 199901L
#error "meant to be compiled as C99"
#endif

int lfn_test_c_headers(void);

static struct lfn_nak_receiver receiver; /* too large for a small stack */

static int nak_reaches_the_wire_and_back(void) {
    struct lfn_wire_form form;
    struct lfn_nak nak;
    struct lfn_options options;
    uint8_t area[LFN_OPTION_AREA_MAX];
    uint8_t* end;
    uint32_t from, to;
    lfn_wire_form_init(&form, LFN_WIRE_RFC1106);
    lfn_nak_receiver_init(&receiver, LFN_NAK_EVERY_GAP, true, UINT32_C(0xFFFFFF00));
    lfn_nak_receiver_segment(&receiver, UINT32_C(0x00000100), UINT32_C(0x00000300), 7);
    if (lfn_nak_receiver_collect(&receiver, 512, 7, &nak, 1) != 1) return 1;
    end = lfn_option_nak_write(&form, area, &nak);
    if (!lfn_options_parse(&form, area, (size_t)(end - area), false, &options) || options.nak_count != 1) return 2;
    if (lfn_nak_clip(&options.naks[0], UINT32_C(0xFFFFFF00), UINT32_C(0x300), 512, &from, &to) != LFN_NAK_HONOUR)
        return 3;
    if (from != UINT32_C(0xFFFFFF00) || to != UINT32_C(0x100)) return 4;
    return lfn_nak_may_resend(false, 0, 0, 0) ? 0 : 5;
}

int lfn_test_c_headers(void) {
    struct lfn_rto rto;
    struct lfn_path path = {0};
    if (nak_reaches_the_wire_and_back() != 0) return nak_reaches_the_wire_and_back();
    if (lfn_window_join(lfn_window_high(70000), lfn_window_low(70000)) != 70000) return 10;
    if (!lfn_seq_lt(UINT32_C(0xFFFFFFFF), 0)) return 11;
    if (lfn_cwnd_add(UINT32_MAX, 1) != UINT32_MAX) return 12;
    if (lfn_guard_window(580) != 10379504) return 14;
    lfn_path_sample(&path, 7, 0);
    if (lfn_path_floor_ms(&path) != 7) return 15;
    if (!lfn_ecn_is_setup(true, true, false)) return 16;
    lfn_rto_init(&rto);
    return lfn_rto_ms(&rto) == LFN_RTO_INITIAL_MS ? 0 : 13;
}
