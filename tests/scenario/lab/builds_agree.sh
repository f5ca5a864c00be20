#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One seed is one history: debug, release and sanitized builds of the command write the same captures, byte for byte.
#
#   builds_agree.sh FOLDER COMMAND COMMAND...
#
# An empty COMMAND is a build that is not there.
set -eu
folder=$1
shift
for command in "$@"; do
    if [ ! -x "$command" ]; then
        echo "skipped: needs a release and a debug build (tests/run.sh makes them, -DLFN_RELEASE_BINARY=... names them)"
        exit 77
    fi
done
rm -rf "$folder"
mkdir -p "$folder"

# One history each: everything on over a noisy link, the other wire form, lwIP at the other end, jitter.
histories='--ber 1e-5 --loss-policy noise --slow-start 2 --window 512K
--ber 1e-6 --wire exid --nak left-edge
--ber 1e-6 --peer lwip --reverse
--ber 1e-7 --jitter 10 --rto-margin 50'

number=0
for command in "$@"; do
    number=$((number + 1))
    history=0
    echo "$histories" | while read -r arguments; do
        history=$((history + 1))
        # shellcheck disable=SC2086 # a list of words
        "$command" transfer --bytes 1M --seed 42 $arguments --pcap "$folder/$history-$number.pcap" > /dev/null
    done
done
status=0
for file in "$folder"/*-1.pcap "$folder"/*-1-receiver.pcap; do
    [ -s "$file" ] || { echo "$file is empty"; status=1; }
    for other in $(seq 2 "$number"); do
        cmp "$file" "$(echo "$file" | sed "s/-1\(-receiver\)\{0,1\}\.pcap$/-$other\1.pcap/")" || status=1
    done
done
[ $status = 0 ] && echo "$number builds wrote the same captures of 4 transfers"
exit $status
