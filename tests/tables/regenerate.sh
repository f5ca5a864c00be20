#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Stores anew what the published tables are compared with. For changes that are meant to change the figures: look at the
# difference before you commit it.
#
#   tests/tables/regenerate.sh LFN      LFN: the command of a release build
set -eu
lfn=${1:?usage: $0 LFN}
stored=$(dirname "$0")/stored
"$lfn" reproduce rfc1106 --json >"$stored/rfc1106.json.new"
mv "$stored/rfc1106.json.new" "$stored/rfc1106.json"
