# SPDX-License-Identifier: BSD-3-Clause
# What the checks share; sourced. Every check is `CHECK.sh ROOT`: it prints file:line: rule for each violation, relative
# to ROOT, and exits 1 if there was one. Only bash, grep, awk and find are needed; git if ROOT is a checkout.

set -u
export LC_ALL=C
repo_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "${1:?usage: $0 ROOT}" && pwd) || exit 2
cd "$root" || exit 2

# Files that are or would be committed; outside git every file, build folders left out.
list_files() {
    if [ -e .git ] && git ls-files >/dev/null 2>&1; then
        git ls-files --cached --others --exclude-standard
    else
        find . -name .git -prune -o -type d -exec test -e '{}/CMakeCache.txt' \; -prune -o -type f -print | sed 's|^\./||'
    fi | while IFS= read -r file; do [ -f "$file" ] && printf '%s\n' "$file"; done | sort -u
}

# C and C++ files among them.
list_sources() { list_files | grep -E '\.(c|h|cpp|hpp)$' || true; }

# Reads violations, shows them, and exits: 1 if there are any.
finish() {
    local violations
    violations=$(cat)
    [ -z "$violations" ] && exit 0
    printf '%s\n' "$violations"
    exit 1
}
