# SPDX-License-Identifier: BSD-3-Clause
# What ports/run.sh and tests/run.sh share: the Debian packages that are needed, and how a tree is built. POSIX sh; to
# be sourced with the checkout as the current folder.

# shellcheck shell=sh disable=SC2034 # the lists are for who sources this

# To configure, build and run.
build_packages="build-essential cmake ninja-build patch xz-utils pkg-config
    libcli11-dev libfmt-dev nlohmann-json3-dev libpcap-dev libslirp-dev libxxhash-dev
    debian-archive-keyring ca-certificates"

# To test: frameworks, the library of upstream's own tests, readers of captures, checks of the source, clients to talk to.
test_packages="libgtest-dev libgmock-dev libbenchmark-dev librapidcheck-dev check libsubunit-dev
    clang libclang-rt-dev clang-format clang-tidy gcc-arm-none-eabi
    iproute2 tcpdump tcptrace quilt git bash parallel slurm-wlm
    curl netcat-openbsd socat iperf iperf3 valgrind"

say() { printf '%s\n' "$*" >&2; }

# Those of the given packages that are not installed.
missing_packages() {
    for package in "$@"; do
        status=$(dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | head -n 1)
        [ "$status" = installed ] || printf '%s ' "$package"
    done
}

# Installs what is missing of the given packages. Touches nothing if nothing is.
install_packages() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "This is no Debian: what these packages hold must be there already: $*"
        return 0
    fi
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        say "Packages are missing. As root: apt-get install $missing"
        return 1
    fi
    say "Installing: $missing"
    log=$(mktemp)
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086 # a list of words
    if { apt-get -qq update && apt-get -qq -y --no-install-recommends install $missing; } >"$log" 2>&1; then
        rm -f "$log"
        return 0
    fi
    cat "$log" >&2
    rm -f "$log"
    say "Installing failed. Needed are: $missing"
    return 1
}

# lwIP's archive, if the user named one or a tree has fetched it already.
known_archive() {
    if [ -n "${LFN_LWIP_ARCHIVE:-}" ]; then
        (cd "$(dirname "$LFN_LWIP_ARCHIVE")" && printf '%s/%s\n' "$PWD" "$(basename "$LFN_LWIP_ARCHIVE")")
        return
    fi
    for archive in "$PWD"/build/*/upstream/lwip_*.orig.tar.xz; do
        [ -f "$archive" ] && printf '%s\n' "$archive" && return
    done
    return 0
}

# build_tree FOLDER [CMAKE ARGUMENT...]: configures and builds; quiet unless it fails.
build_tree() {
    folder=$1
    shift
    mkdir -p "$folder"
    archive=$(known_archive)
    [ -z "$archive" ] || set -- "$@" "-DLFN_LWIP_ARCHIVE=$archive"
    say "Configuring $folder"
    if ! cmake -S . -B "$folder" -G Ninja "$@" >"$folder/configure.log" 2>&1; then
        cat "$folder/configure.log" >&2
        return 1
    fi
    say "Building $folder"
    if ! cmake --build "$folder" >"$folder/build.log" 2>&1; then
        cat "$folder/build.log" >&2
        return 1
    fi
}
