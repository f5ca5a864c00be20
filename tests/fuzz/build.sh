#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# build.sh SOURCE BINARY ARCHIVE TARGET...: configures and builds the libFuzzer targets with clang. 77: cannot be done
# on this machine, for the reason that is printed.
set -eu

source=$1
binary=$2
archive=$3
shift 3

skip() {
    echo "skipped: $1"
    exit 77
}

command -v clang >/dev/null && command -v clang++ >/dev/null || skip "no clang (Debian: clang)"
mkdir -p "$binary"
probe='extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }'
echo "$probe" | clang++ -x c++ -fsanitize=fuzzer,address,undefined - -o "$binary/probe" 2>/dev/null ||
    skip "clang has no libFuzzer or no sanitizers (Debian: libclang-rt-dev of clang's version)"

generator=
if command -v ninja >/dev/null; then generator=Ninja; fi
cmake -S "$source" -B "$binary" ${generator:+-G "$generator"} -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DLFN_FUZZ=ON -DLFN_SANITIZE=ON -DLFN_LWIP_ARCHIVE="$archive"
cmake --build "$binary" --parallel 2 --target "$@"
