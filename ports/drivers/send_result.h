/* SPDX-License-Identifier: BSD-3-Clause */
/* What became of a frame that was handed to a driver. */
#ifndef LFN_SEND_RESULT_H
#define LFN_SEND_RESULT_H

enum lfn_send_result {
    LFN_SEND_STARTED,   /* it is on its way */
    LFN_SEND_BUSY,      /* not now: hand it over again later. A stack answers ERR_MEM and keeps the segment. */
    LFN_SEND_UNSENDABLE /* this interface can never send it: too long */
};

#endif /* LFN_SEND_RESULT_H */
