// SPDX-License-Identifier: BSD-3-Clause
// Virtual time. `Time` is a point (the run starts at Time{}), `Duration` a length; both count whole nanoseconds in 64
// bits, signed, which lasts 292 years. Mixing the two up does not compile, and neither does reading a wall clock
// through them: VirtualClock has no now(), a Loop has.
#pragma once

#include <chrono>
#include <cstdint>

namespace lfn {

using Duration = std::chrono::nanoseconds;

/// The clock that a Loop keeps; it exists only to give Time its own type.
struct VirtualClock {
    using duration = Duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<VirtualClock, Duration>;
    static constexpr bool is_steady = true;
};

using Time = VirtualClock::time_point;

/// Nanoseconds since the start of the run.
constexpr std::int64_t nanoseconds_of(Time time) {
    return time.time_since_epoch().count();
}

/// Seconds since the start of the run, or in a duration; for reports, never for decisions.
constexpr double seconds_of(Time time) {
    return static_cast<double>(nanoseconds_of(time)) / 1e9;
}
constexpr double seconds_of(Duration duration) {
    return static_cast<double>(duration.count()) / 1e9;
}

/// Seconds to the nearest nanosecond, halves away from zero.
constexpr Duration from_seconds(double seconds) {
    return Duration(static_cast<std::int64_t>(seconds * 1e9 + (seconds < 0 ? -0.5 : 0.5)));
}

}  // namespace lfn
