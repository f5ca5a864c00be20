#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
set -eu

usage() {
    cat <<'USAGE'
ports/run.sh: from a fresh checkout to RFC 1106's figures.

  ./ports/run.sh [--no-install] [--help] [ARGUMENT...]

Installs the Debian packages that are missing (as root; otherwise says which), fetches lwIP 2.2.1, builds a release in
build/release and runs `lfn reproduce rfc1106` with the ARGUMENTs, which takes less than two minutes:

  ./ports/run.sh
  ./ports/run.sh --seeds 3 --bytes 2M      a quick look
  ./ports/run.sh --json > rfc1106.json

Afterwards the command is build/release/bin/lfn.

Environment:
  LFN_LWIP_ARCHIVE              lwIP's archive, for a build without a network
  CMAKE_BUILD_PARALLEL_LEVEL    how many compilers at a time (default: all cores)
USAGE
}

cd "$(dirname "$0")/.."
. ports/bootstrap.sh

install=yes
case "${1:-}" in
    --help | -h) usage && exit 0 ;;
    --no-install) install=no && shift ;;
esac

# shellcheck disable=SC2086 # a list of words
[ "$install" = no ] || install_packages $build_packages
build_tree build/release -DCMAKE_BUILD_TYPE=Release -DLFN_TESTS=OFF
exec build/release/bin/lfn reproduce rfc1106 "$@"
