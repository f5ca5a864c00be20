#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Lists the patches of the series, in order.
#
#   list.sh all | GROUP [GROUP ...]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
awk -v wanted=" $* " '
    /^# group: / { group = $3; next }
    /^#/ || NF == 0 { next }
    wanted == " all " || index(wanted, " " group " ") { print $1 }
' "$here/series"
