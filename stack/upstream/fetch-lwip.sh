#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Fetches the archive of lwIP's Debian source package, from the mirror that apt is already set up with.
#
#   fetch-lwip.sh SUITE DIRECTORY
#
# Leaves the package's orig.tar.* in DIRECTORY. Needs no root and changes nothing of the system's apt:
# lists, caches and the deb-src line live in a temporary folder. Its caller checks the SHA-256.
set -eu
suite=$1
directory=$2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mirror=$(apt-get indextargets --format '$(COMPONENT) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    awk '$1 == "main" { print $2; exit }')
if [ -z "$mirror" ]; then
    echo "apt has no Debian mirror configured (apt-get indextargets lists no component 'main')" >&2
    exit 1
fi

keyring=/usr/share/keyrings/debian-archive-keyring.gpg
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$directory"
echo "deb-src [signed-by=$keyring] $mirror $suite main" > "$work/sources.list"
apt() {
    apt-get -q -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- \
        -o Dir::State="$work/state" -o Dir::State::lists="$work/state/lists" -o Dir::Cache="$work/cache" \
        -o APT::Sandbox::User="$(id -un)" "$@"
}
apt update >&2
cd "$directory"
apt source --download-only --tar-only lwip >&2
