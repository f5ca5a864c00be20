/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What one end can see of a path, and whether a loss on it means congestion: the loss policy `auto`.
 *
 * Theory of operation. A router drops when its queue is full, and a full queue shows as round trip above the path's
 * own. Noise takes no notice of queues. A NAK is sent when the segment behind the hole arrives, so that segment's round
 * trip tells how full the queue was when the loss happened. If it stands above the floor by more than half of the most
 * that was seen there, and by more than a clock or a radio's jitter explains, the queue was the cause. Where queues are
 * too short to show, loss itself does: half of a flight is no noise that a window was ever opened on.
 *
 * When the queue was the cause the window comes down by as much as empties it and an eighth, for the flow that waits
 * for room beside ours: to 7/8 x floor / round trip of the flight, not below the half of RFC 5681. So a reduction that
 * was one too many costs no capacity on a path that is ours alone, and on a shared one a flow of NewReno beside it
 * keeps its part.
 *
 * A router that marks (RFC 3168) tells of its queue itself, and a mark is congestion without a doubt: the window comes
 * down as for a loss that is. Where marks have come of late, the round trips in which they came show how long that
 * queue is when it tells, and nothing is lost in it before. So a loss there is noise, whatever the half of the longest
 * says, as long as the queue is not longer by half than that; then it is another router's, which drops, or the marks
 * came too late. Marks take losses out of congestion and never put them there.
 *
 * What it cannot see: a floor that is not one, because the queue was never empty while we looked; a path that changes
 * (LEO) looks congested until the old floor has aged; jitter over a sixteenth of the round trip passes for a queue; a
 * second router on a path that marks, with a shorter queue that drops.
 */
#ifndef LFN_PATH_H
#define LFN_PATH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How long an extreme is held for, ms, once and up to once more (guess: many round trips, yet a handover is forgotten).
 */
#define LFN_PATH_AGE_MS UINT32_C(30000)
/* How long a path is one that marks after its last mark, ms (guess: several times what a window takes to grow back). */
#define LFN_PATH_MARKS_AGE_MS UINT32_C(300000)
/* The least queueing delay that is taken for one: ms, and as a share of the floor (guesses). */
#define LFN_PATH_QUEUE_MS 4
#define LFN_PATH_QUEUE_SHARE 16

/* Round trips, ms. Zeros: nothing is known. */
struct lfn_path {
    bool has_sample;
    uint32_t last_ms;     /* the last one */
    uint32_t recent_ms;   /* longest of the round trip that runs and of the one before */
    uint32_t running_ms;  /* longest of the one that runs */
    uint32_t turn_ms;     /* when that began */
    uint32_t epoch_ms;    /* when the extremes of now began */
    uint32_t floor_ms[2]; /* least and most of the epoch that runs, and of the one before */
    uint32_t peak_ms[2];
    uint32_t marked_ms; /* longest of the round trips when a mark was told of last; 0: none was of late */
    uint32_t marked_at_ms;
    bool mark_is_new; /* no round trip was measured since: the next one counts too, as this one's may be old */
};

/* A round trip that was measured on one segment, which was sent once (or is told apart by a timestamp). */
void lfn_path_sample(struct lfn_path* path, uint32_t rtt_ms, uint32_t now_ms);

/* The peer told of a mark, the first in this round trip, and its round trip was sampled. */
void lfn_path_marked(struct lfn_path* path, uint32_t now_ms);

/* The path's own round trip, without queues; 0: not known. */
uint32_t lfn_path_floor_ms(const struct lfn_path* path);
/* The longest round trip seen of late; 0: not known. */
uint32_t lfn_path_peak_ms(const struct lfn_path* path);

/* The last round trip stands above the floor by more than a clock or a radio's jitter explains: a queue has formed. */
bool lfn_path_queue_shows(const struct lfn_path* path);

/* A loss has just been told of, and its NAK's round trip was sampled: whether a queue was the cause. `lost` and
 * `flight`: octets named in this round trip so far, and in flight. */
bool lfn_path_congested(const struct lfn_path* path, uint32_t lost, uint32_t flight);

/* What congestion leaves of `flight`, octets: an eighth less than the path holds with the queue empty, but not
 * less than half. */
uint32_t lfn_path_reduced(const struct lfn_path* path, uint32_t flight);

#ifdef __cplusplus
}
#endif

#endif
