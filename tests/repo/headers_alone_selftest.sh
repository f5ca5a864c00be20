#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Shows that headers_alone.cmake refuses headers that need another one first, are not C99, or lack their guard.
# usage: headers_alone_selftest.sh CMAKE C_COMPILER CXX_COMPILER
set -u
folder=$(cd "$(dirname "$0")" && pwd)
cmake=$1
tree=$(mktemp -d) || exit 2
trap 'rm -rf "$tree"' EXIT
failures=0

cat >"$tree/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(headers LANGUAGES C CXX)
add_library(lfn_flags INTERFACE)
target_compile_options(lfn_flags INTERFACE -Wall -Wextra -Wpedantic -Werror)
include(${CHECKS}/headers_alone.cmake)
file(GLOB headers ${CMAKE_CURRENT_SOURCE_DIR}/*.h ${CMAKE_CURRENT_SOURCE_DIR}/*.hpp)
foreach(header IN LISTS headers)
  cmake_path(GET header STEM stem)
  lfn_headers_alone(${stem} HEADERS ${header})
endforeach()
END
printf '#pragma once\n#include <vector>\ninline std::vector<int> f() { return {}; }\n' >"$tree/good_cpp.hpp"
printf '#ifndef A\n#define A\n#include <stdint.h>\nstruct a { uint8_t b; };\n#endif\n' >"$tree/good_c.h"
printf '#pragma once\ninline std::vector<int> f() { return {}; }\n' >"$tree/needs_another.hpp"
printf '#ifndef B\n#define B\nnamespace lfn {}\n#endif\n' >"$tree/not_c.h"
printf '#ifndef C\n#define C\nstruct c { int d; };\n_Static_assert(sizeof(struct c) > 0, "C11");\n#endif\n' >"$tree/not_c99.h"
printf 'struct d { int e; };\n' >"$tree/no_guard.hpp"

"$cmake" -S "$tree" -B "$tree/build" -DCHECKS="$folder" -DCMAKE_C_COMPILER="$2" -DCMAKE_CXX_COMPILER="$3" \
    >"$tree/log" 2>&1 || { cat "$tree/log"; exit 1; }
for name in good_cpp good_c needs_another not_c not_c99 no_guard; do
    "$cmake" --build "$tree/build" --target "$name" >"$tree/log" 2>&1
    status=$?
    case $name in
        good_*) [ $status -eq 0 ] || { echo "FAILED: $name was refused"; cat "$tree/log"; failures=1; } ;;
        *) [ $status -ne 0 ] || { echo "FAILED: $name was accepted"; failures=1; } ;;
    esac
done
exit $failures
