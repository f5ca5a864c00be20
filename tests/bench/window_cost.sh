#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a packet, data or acknowledgement, costs with windows from 64 KB to 2^30 octets on a link that the window just fills.
#
#   window_cost.sh PROGRAM table         the whole table, some ten minutes: instructions (callgrind) and nanoseconds
#   window_cost.sh PROGRAM check         instructions with windows from 64 KB to 16 MB; fails unless flat within 10 %
#
# PROGRAM: window_cost, a release build. Needs valgrind.
set -eu
program=$1
out=$(mktemp)
trap 'rm -f "$out"' EXIT

value() { tr ' ' '\n' < "$out" | sed -n "s/^$1=//p"; }

# instructions STACK WINDOW BIT-ERROR-RATE SEGMENTS: a packet, "all stack heap". The stack's are what is left without the
# link, the event loop, the workload and its digests; the heap's, which are among the stack's, are the C library's: a hole
# that is filled frees and fragments as much as a window holds, and lwIP's own pools would not mind.
instructions() {
    valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file="$out.callgrind" "$program" "$@" \
        > "$out" 2> /dev/null
    callgrind_annotate --threshold=100 --inclusive=no "$out.callgrind" |
        awk -v packets="$(value packets)" '
            !/:/ { next }
            { cost = $1; gsub(",", "", cost) }
            cost !~ /^[0-9]+$/ { next }
            /PROGRAM TOTALS/ { next }
            { all += cost }
            /XXH|lfn::lab::|lfn::image::|lfn::(Loop|Timer|Callback|Tap|Transmitter|Stage|Delay|LossStage|BitErrors)/ { next }
            /lfn::(Frame|FramePool|FrameList|FrameRecycler|Random|Counters|FrameCount|Path)/ { next }
            { stack += cost }
            /malloc|calloc|:_?_?(int_)?free|_int_|unlink_chunk|sysmalloc|systrim|cfree/ { heap += cost }
            END { printf "%.0f %.0f %.0f\n", all / packets, stack / packets, heap / packets }'
    rm -f "$out.callgrind"
}

check() {
    for ber in 0 1e-9; do
        base=
        for window in 65536 1048576 4194304 16777216; do
            cost=$(instructions lfn "$window" "$ber" 20000)
            cost=${cost#* }
            cost=${cost% *}
            echo "window $window, bit error rate $ber: $cost instructions a packet in the stack"
            : "${base:=$cost}"
            if [ $((cost * 100)) -gt $((base * 110)) ] || [ $((cost * 110)) -lt $((base * 100)) ]; then
                echo "not within 10 % of $base"
                exit 1
            fi
        done
    done
}

# STACK WINDOW BER: one line of the table
line() {
    counted='- - -'
    if [ "$4" = count ]; then counted=$(instructions "$1" "$2" "$3"); fi
    if "$program" "$1" "$2" "$3" > "$out"; then
        # shellcheck disable=SC2086 # three words
        printf '%-5s %11s %6s %7s %7s %7s %9s %7s %9s %6s %5s %8s\n' "$1" "$2" "$3" $counted "$(value ns)" \
            "$(value fill)" "$(value memory)" "$(value lost)" "$(value rtos)" "$(value peak_mb)"
    else
        printf '%-5s %11s %6s   (does not finish)\n' "$1" "$2" "$3"
    fi
}

table() {
    echo 'instructions (all, the stack alone, the heap in it) and nanoseconds of processor time, a packet'
    printf '%-5s %11s %6s %7s %7s %7s %9s %7s %9s %6s %5s %8s\n' stack window ber all stack heap ns fill memory lost rtos peak-MB
    for window in 65536 1048576 16777216 67108864 268435456 1073741824; do
        for ber in 0 1e-9; do
            how=count
            if [ $window -gt 268435456 ]; then how=; fi
            line lfn $window $ber "$how"
            # Upstream's counters end at 95 MB, and its walks make callgrind take hours.
            if [ $window -le 67108864 ]; then line lwip $window $ber ''; fi
        done
    done
}

case ${2:-} in
    table) table ;;
    check) check ;;
    *)
        sed -n '3,9s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
esac
