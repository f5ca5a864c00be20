#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
set -eu

usage() {
    cat <<'USAGE'
tests/run.sh: from a fresh checkout to the result of every test.

  ./tests/run.sh [--no-install] [--help] [ARGUMENT...]

Installs the Debian packages that are missing (as root; otherwise says which), builds with the address and
undefined-behaviour sanitizers in build/test, the command as a release in build/release (the published tables are run with
it) and for debugging in build/debug (all three must write the same captures), and runs ctest with the ARGUMENTs:

  ./tests/run.sh
  ./tests/run.sh -R options            only tests whose names match
  ./tests/run.sh -LE slow              all but the published tables

Environment:
  LFN_LWIP_ARCHIVE              lwIP's archive, for a build without a network
  CMAKE_BUILD_PARALLEL_LEVEL    how many compilers at a time (default: all cores)
  CTEST_PARALLEL_LEVEL          how many tests at a time (default: one more than there are cores)
USAGE
}

cd "$(dirname "$0")/.."
. ports/bootstrap.sh

install=yes
case "${1:-}" in
    --help | -h) usage && exit 0 ;;
    --no-install) install=no && shift ;;
esac

# shellcheck disable=SC2086 # lists of words
[ "$install" = no ] || install_packages $build_packages $test_packages
build_tree build/release -DCMAKE_BUILD_TYPE=Release -DLFN_TESTS=OFF -DLFN_BENCH=ON
# Without precompiled headers: that each file includes what it needs must show somewhere.
build_tree build/debug -DCMAKE_BUILD_TYPE=Debug -DLFN_TESTS=OFF -DLFN_PRECOMPILE=OFF
build_tree build/test -DCMAKE_BUILD_TYPE=RelWithDebInfo -DLFN_SANITIZE=ON -DLFN_TESTS=ON \
    "-DLFN_RELEASE_BINARY=$PWD/build/release/bin/lfn" "-DLFN_DEBUG_BINARY=$PWD/build/debug/bin/lfn" \
    "-DLFN_RELEASE_BENCH=$PWD/build/release/tests/bench"
# One more than there are cores: the tests against the kernel wait most of their time.
export CTEST_PARALLEL_LEVEL="${CTEST_PARALLEL_LEVEL:-$(($(getconf _NPROCESSORS_ONLN) + 1))}"
exec ctest --test-dir build/test --output-on-failure "$@"
