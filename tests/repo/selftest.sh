#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Shows that the checks can fail: each is run over small trees, with and without a violation. usage: selftest.sh CHECK
set -u
folder=$(cd "$(dirname "$0")" && pwd)
check=${1:?usage: $0 CHECK}
tree=$(mktemp -d) || exit 2
trap 'rm -rf "$tree"' EXIT
failures=0
cases=0

# put FILE LINE...: writes a file of the tree.
put() {
    mkdir -p "$tree/$(dirname "$1")"
    printf '%s\n' "${@:2}" >"$tree/$1"
}

fail() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}

# Each case ends with one of these, and the next starts from an empty tree.
run() {
    cases=$((cases + 1))
    output=$(bash "$folder/$check.sh" "$tree" 2>&1)
    status=$?
    [ $status -eq 77 ] && { echo "$output"; exit 77; }
    find "$tree" -mindepth 1 -delete
}
passes() {
    run
    [ $status -eq 0 ] && [ -z "$output" ] || fail "$1: exit $status: $output"
}
catches() { # NAME FILE:LINE
    run
    [ $status -eq 1 ] && grep -qF "$2" <<<"$output" || fail "$1: no violation at $2: exit $status: $output"
}

licence='// SPDX-License-Identifier: BSD-3-Clause'

selftest_include_arrows() {
    put options/include/lfn/nak.h '#include <stdint.h>'
    put emulators/link/frame.hpp '#include <memory>'
    put stack/hooks/hook.cpp '#include "lfn/nak.h"' '#include "lwip/tcp.h"'
    put ports/lab/lab.cpp '#include "emulators/link/frame.hpp"' '#include <lfn/nak.h>'
    put tests/unit/t.cpp '#include "ports/lab/lab.hpp"' '#include "emulators/link/frame.hpp"'
    passes 'the arrows that are allowed'
    put options/src/nak.cpp '' '#include "lwip/tcp.h"'
    catches 'options to lwIP' options/src/nak.cpp:2:
    put emulators/link/link.cpp '#  include <lwip/pbuf.h>'
    catches 'emulators to lwIP' emulators/link/link.cpp:1:
    put options/include/lfn/nak.h ''
    put emulators/link/link.cpp '#include <lfn/nak.h>'
    catches 'emulators to options by a short name' emulators/link/link.cpp:1:
    put emulators/time/loop.hpp ''
    put stack/hooks/hook.cpp '#include "../../emulators/time/loop.hpp"'
    catches 'stack to emulators by a relative path' stack/hooks/hook.cpp:1:
    put ports/lab/lab.hpp ''
    put stack/hooks/hook.cpp '#include "lab/lab.hpp"'
    catches 'stack to ports' stack/hooks/hook.cpp:1:
    put emulators/nic/3c500.hpp ''
    put ports/drivers/el.cpp '#include "emulators/nic/3c500.hpp"'
    catches 'a driver to an emulator' ports/drivers/el.cpp:1:
    put tests/unit/fixture.hpp ''
    put ports/lab/lab.cpp '#include "tests/unit/fixture.hpp"'
    catches 'anything to tests' ports/lab/lab.cpp:1:
}

selftest_determinism() {
    put emulators/time/loop.cpp '// not gettimeofday(), not rand()' 'auto t = loop.time(0); int random(int); // time(NULL)' \
        '/* std::random_device' '   std::chrono::system_clock */ auto s = "rand()"; int big = 1'"'"'000;' 'path.random("x");' 'TEST(A, follows_the_normal_distribution) {}'
    put ports/tap/tap.cpp 'clock_gettime(CLOCK_MONOTONIC, &now);'
    put ports/cli/wall_time.cpp 'auto now = std::chrono::steady_clock::now();'
    put tests/bench/b.cpp 'std::chrono::steady_clock::now();'
    passes 'comments, strings, members and the real ports'
    local call
    for call in 'std::chrono::steady_clock::now();' 'using namespace std::chrono; system_clock::now();' \
        'x = time(NULL);' 'x = std::time(nullptr);' 'gettimeofday(&tv, NULL);' 'clock_gettime(0, &ts);' 'x = rand();' \
        'std::srand(1);' 'x = ::random();' 'std::random_device device;' 'getrandom(buffer, 8, 0);' 'arc4random_uniform(3);' \
        'std::uniform_int_distribution<int> d;' 'std::shuffle(a, b, engine);' 'x = clock();' 'usleep(1);' \
        "int n = 1'000; x = rand();" '/* ok */ x = rand();'; do
        put emulators/link/loss.cpp '' "$call"
        catches "$call" emulators/link/loss.cpp:2:
    done
    put ports/cli/main.cpp 'std::chrono::steady_clock::now();'
    catches 'the command line outside its one file' ports/cli/main.cpp:1:
}

selftest_spdx() {
    put a.cpp "$licence"
    put b.h '/* SPDX-License-Identifier: BSD-3-Clause */'
    put c.sh '#!/bin/sh' '# SPDX-License-Identifier: BSD-3-Clause'
    passes 'named licences'
    put a.cpp '' "$licence"
    catches 'not in line 1' a.cpp:1:
    put a.hpp '#pragma once'
    put b.hpp "$licence"
    catches 'missing' a.hpp:1:
    put c.h '// SPDX-License-Identifier: GPL-2.0-only'
    catches 'another licence' c.h:1:
    put c.sh '#!/bin/sh' 'true'
    catches 'missing in a script' c.sh:1:
    put a.cpp "$licence"
    : >"$tree/z.cpp"
    catches 'an empty file' z.cpp:1:
}

selftest_machine_paths() {
    put README.md 'See https://example.org/home/page and ${TMPDIR}/tmp/x and a/work/b.'
    put tests/unit/t.cpp "open(\"/t""mp/x\");"
    passes 'addresses and longer paths'
    put README.md '' "cd /wo""rk/main"
    catches 'a work folder' README.md:2:
    put ports/x.cpp "open(\"/ho""me/me/x\");"
    catches 'a home folder' ports/x.cpp:1:
    put ports/x.cpp "open(\"/t""mp/x\");"
    catches 'a temporary folder outside tests' ports/x.cpp:1:
    put CMakeLists.txt '' "# index at https://py""pi.org/simple"
    catches 'a registry' CMakeLists.txt:2:
}

selftest_file_size() {
    put a.cpp $(seq 400)
    put b.cpp $(seq 401)
    put tests/repo/large_files.txt 'b.cpp a table that is one piece'
    passes 'a small file and a listed one'
    put b.cpp $(seq 401)
    catches 'a large file' b.cpp:401:
    put b.cpp $(seq 401)
    put tests/repo/large_files.txt '# PATH REASON' 'b.cpp'
    catches 'an entry without a reason' tests/repo/large_files.txt:2:
    put b.cpp $(seq 10)
    put tests/repo/large_files.txt 'b.cpp a table'
    catches 'an entry no longer needed' tests/repo/large_files.txt:1:
}

selftest_format() {
    local style='BasedOnStyle: Google'
    put .clang-format "$style"
    put a.cpp 'int main() { return 0; }'
    passes 'a formatted file'
    put .clang-format "$style"
    put a.cpp '' 'int   main()  {return 0;}'
    catches 'an unformatted file' a.cpp:2:
}

# As in a checkout: what git ignores is not looked at, what it does not know yet is.
git_cases() {
    command -v git >/dev/null || return
    git -C "$tree" init -q 2>/dev/null || return
    put .gitignore '/build/'
    put build/a.cpp 'int a;'
    put b.cpp 'int b;'
    catches 'an untracked file' b.cpp:1:
    grep -q 'build/a.cpp' <<<"$output" && fail 'an ignored file was looked at'
}

"selftest_$check"
[ "$check" = spdx ] && git_cases
echo "$cases cases, $failures failures"
[ $failures -eq 0 ]
