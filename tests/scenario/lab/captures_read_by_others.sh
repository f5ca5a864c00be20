#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tcpdump and tcptrace read every capture that we write, without a complaint.
#
#   captures_read_by_others.sh MAKER FOLDER
set -eu
maker=$1
folder=$2
for tool in tcpdump tcptrace; do
    if ! command -v "$tool" > /dev/null; then
        echo "skipped: $tool is not installed"
        exit 77
    fi
done
rm -rf "$folder"
mkdir -p "$folder"
"$maker" "$folder"

failed=0
complain() {
    echo "$1"
    failed=1
}
for file in "$folder"/*.pcap; do
    tcpdump -nn -vv -r "$file" > "$file.txt" 2> "$file.err" || complain "tcpdump fails on $file"
    # Its one line of greeting is no complaint.
    if grep -v '^reading from file ' "$file.err"; then complain "tcpdump complains of $file"; fi
    if grep -E 'cksum 0x[0-9a-f]+ \(incorrect|\[bad |\[invalid|truncated|\[\|' "$file.txt"; then
        complain "tcpdump finds fault with $file"
    fi
    tcptrace -n -l "$file" > "$file.trace" 2>&1 || complain "tcptrace fails on $file"
    grep -q '1 TCP connection traced' "$file.trace" || complain "tcptrace sees no connection in $file"
    grep -q 'complete conn: yes' "$file.trace" || complain "tcptrace misses the end of the connection in $file"
    if grep -iE 'error|warning|corrupt|not recognized|bad ' "$file.trace"; then complain "tcptrace complains of $file"; fi
done
[ "$failed" = 0 ] && echo "$(ls "$folder"/*.pcap | wc -l) captures read"
exit $failed
