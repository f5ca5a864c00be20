#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# No wall clock and no global randomness outside the real ports: one seed gives one history. Nor what the C++ standard
# leaves to the library, the distributions of <random> and std::shuffle.
. "$(dirname "$0")/lib.sh"

# Where real time is the point. ports/cli/wall_time.* measures how long a run took.
exempt='^(ports/(tap|slirp|realtime)/|ports/pcap/live|ports/cli/wall_time\.|tests/(bench|interop)/)'

before='(^|[^A-Za-z0-9_.>])' # not a member of something
rules=(
    '(system|steady|high_resolution|file|utc)_clock'
    "${before}(gettimeofday|clock_gettime|timespec_get|ftime|nanosleep|usleep|clock_nanosleep)[[:space:]]*\\("
    "${before}(std::)?time[[:space:]]*\\([[:space:]]*(NULL|nullptr|0|&[A-Za-z_]+)[[:space:]]*\\)"
    "${before}(std::)?clock[[:space:]]*\\([[:space:]]*\\)[[:space:]]*[-+*/;,)]"
    'sleep_(for|until)[[:space:]]*\('
    'rdtscp?[[:space:]]*\('
    "${before}(std::)?s?rand(_r)?[[:space:]]*\\("
    '(^|[^A-Za-z0-9_>])::random[[:space:]]*\(' # unqualified, it may be a local engine's name
    "${before}(srandom|random_r|getrandom|getentropy|arc4random[a-z_]*|[dejlmn]rand48)[[:space:]]*\\("
    'random_device|default_random_engine|std::(random_)?shuffle|ranges::shuffle|std::sample'
    '[^A-Za-z0-9_](uniform_(int|real)|normal|bernoulli|binomial|geometric|poisson|exponential|discrete|gamma)_distribution'
)
pattern=$(IFS='|'; printf '%s' "${rules[*]}")

list_sources | grep -vE "$exempt" | tr '\n' '\0' | xargs -0 -r awk -f "$repo_folder/code_only.awk" /dev/null |
    awk -v pattern="$pattern" '{
        match($0, /^[^:]*:[0-9]+:/)
        where = substr($0, 1, RLENGTH)
        code = substr($0, RLENGTH + 1)
        if (match(code, pattern)) print where " wall clock or global randomness: " substr(code, RSTART, RLENGTH)
    }' | finish
