#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tap_throughput.sh PROGRAM: every step once, with little data: each must arrive whole. No time is judged. 77: no
# namespaces here.
set -eu
out=$(mktemp)
trap 'rm -f "$out"' EXIT
"$1" --bytes 3M --rounds 1 --mtu 1500 65520 --json >"$out" 2>"$out.errors" || status=$?
if grep -q "no network namespace" "$out.errors"; then
    cat "$out.errors"
    exit 77
fi
cat "$out.errors" "$out"
rm -f "$out.errors"
[ "${status:-0}" -eq 0 ]
# Seven steps, two directions, two MTUs.
[ "$(grep -c '"intact": true' "$out")" -eq 28 ]
