// SPDX-License-Identifier: BSD-3-Clause
#include "lfn/path.h"

#include <algorithm>

namespace {

// The longest of a round trip is kept until the next one is over.
void take_recent(lfn_path& path, uint32_t rtt_ms, uint32_t now_ms) {
    if (now_ms - path.turn_ms >= path.running_ms) {
        path.recent_ms = std::max(path.running_ms, rtt_ms);
        path.running_ms = rtt_ms;
        path.turn_ms = now_ms;
        return;
    }
    path.running_ms = std::max(path.running_ms, rtt_ms);
    path.recent_ms = std::max(path.recent_ms, rtt_ms);
}

void take_extremes(lfn_path& path, uint32_t rtt_ms, uint32_t now_ms) {
    if (now_ms - path.epoch_ms >= LFN_PATH_AGE_MS) {
        path.epoch_ms = now_ms;
        path.floor_ms[1] = path.floor_ms[0];
        path.peak_ms[1] = path.peak_ms[0];
        path.floor_ms[0] = path.peak_ms[0] = rtt_ms;
    }
    path.floor_ms[0] = std::min(path.floor_ms[0], rtt_ms);
    path.peak_ms[0] = std::max(path.peak_ms[0], rtt_ms);
}

// The least queueing delay that is taken for one.
uint32_t queue_least_ms(uint32_t floor_ms) {
    return std::max<uint32_t>(LFN_PATH_QUEUE_MS, floor_ms / LFN_PATH_QUEUE_SHARE);
}

void take_mark(lfn_path& path, uint32_t rtt_ms, uint32_t now_ms) {
    if (path.mark_is_new) path.marked_ms = std::max(path.marked_ms, rtt_ms);
    path.mark_is_new = false;
    if (now_ms - path.marked_at_ms >= LFN_PATH_MARKS_AGE_MS) path.marked_ms = 0;
}

// Longer than the queue is whose marks were told.
bool beyond_marks(uint32_t queue, uint32_t marked) {
    return queue > marked + std::max<uint32_t>(LFN_PATH_QUEUE_MS, marked / 2);
}

}  // namespace

void lfn_path_sample(struct lfn_path* path, uint32_t rtt_ms, uint32_t now_ms) {
    const uint32_t rtt = std::max<uint32_t>(rtt_ms, 1);  // less than the clock shows
    if (!path->has_sample) {
        *path = {true, rtt, rtt, rtt, now_ms, now_ms, {rtt, rtt}, {rtt, rtt}, 0, 0, false};
        return;
    }
    path->last_ms = rtt;
    take_recent(*path, rtt, now_ms);
    take_extremes(*path, rtt, now_ms);
    take_mark(*path, rtt, now_ms);
}

void lfn_path_marked(struct lfn_path* path, uint32_t now_ms) {
    path->marked_ms = path->recent_ms;
    path->marked_at_ms = now_ms;
    path->mark_is_new = true;
}

uint32_t lfn_path_floor_ms(const struct lfn_path* path) {
    return std::min(path->floor_ms[0], path->floor_ms[1]);
}

uint32_t lfn_path_peak_ms(const struct lfn_path* path) {
    return std::max(path->peak_ms[0], path->peak_ms[1]);
}

bool lfn_path_congested(const struct lfn_path* path, uint32_t lost, uint32_t flight) {
    if (!path->has_sample || lost >= flight / 2) return true;
    const uint32_t floor = lfn_path_floor_ms(path);
    const uint32_t queue = path->recent_ms - floor;
    const uint32_t longest = lfn_path_peak_ms(path) - floor;
    if (queue <= queue_least_ms(floor) || queue <= longest / 2) return false;
    return path->marked_ms == 0 || beyond_marks(queue, std::max(path->marked_ms, floor) - floor);
}

bool lfn_path_queue_shows(const struct lfn_path* path) {
    const uint32_t floor = lfn_path_floor_ms(path);
    return path->last_ms > floor && path->last_ms - floor > queue_least_ms(floor);
}

uint32_t lfn_path_reduced(const struct lfn_path* path, uint32_t flight) {
    if (!path->has_sample) return flight / 2;
    const uint64_t without_queue = uint64_t{flight} * lfn_path_floor_ms(path) / path->recent_ms;
    return static_cast<uint32_t>(std::max<uint64_t>(without_queue / 8 * 7, flight / 2));
}
