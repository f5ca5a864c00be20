#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a packet costs the stack in memory, in instructions (callgrind), with the default window: upstream, and the patched
# stack with the extension compiled out, compiled in and off, and on. The rate itself is what PROGRAM prints by itself.
#
#   packet_rate.sh PROGRAM         the table; fails if the patched stack costs more than upstream by so much:
#                                  2 % compiled out, 4 % compiled in and off, 12 % with big window and NAK on
#
# PROGRAM: packet_rate, a release build. Needs valgrind.
set -eu
if [ $# -ne 1 ]; then
    sed -n '3,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
program=$1
out=$(mktemp)
trap 'rm -f "$out" "$out.callgrind"' EXIT

# instructions BUILD: a packet, the digest at the receiver left out.
instructions() {
    valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file="$out.callgrind" "$program" --only "$1" \
        --bytes 4000000 >"$out" 2>/dev/null
    callgrind_annotate --threshold=100 --inclusive=no "$out.callgrind" |
        awk -v packets="$(sed -n 's/^packets=\([0-9]*\).*/\1/p' "$out")" '
            !/:/ || /PROGRAM TOTALS/ || /XXH|lfn::bench::|lfn::Digest/ { next }
            { cost = $1; gsub(",", "", cost) }
            cost ~ /^[0-9]+$/ { all += cost }
            END { printf "%.0f\n", all / packets }'
}

failed=0
upstream=$(instructions upstream)
echo "upstream  $upstream instructions a packet"
for build in out:102 off:104 on:112; do
    cost=$(instructions "${build%:*}")
    percent=$((cost * 1000 / upstream))
    echo "${build%:*}  $cost instructions a packet, $((percent / 10)).$((percent % 10)) % of upstream's"
    if [ $((cost * 100)) -gt $((upstream * ${build#*:})) ]; then
        echo "that is more than ${build#*:} %"
        failed=1
    fi
done
exit $failed
