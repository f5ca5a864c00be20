#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The repository speaks of no particular machine: no absolute path into somebody's folders, no package registry's host.
# A temporary folder may be named in tests.
. "$(dirname "$0")/lib.sh"

start='(^|[^A-Za-z0-9_.~/$}>*-])' # so that the tail of an address or of a longer path is none
folders="${start}/(work|home|root|Users|mnt|workspace)/"
temporary="${start}/(tmp|var/tmp)/"
hosts='(pypi\.org|pythonhosted\.org|registry\.npmjs|crates\.io|proxy\.golang|rubygems\.org|artifactory|:[0-9]{4,5}/(simple|debian)|\.internal/)'

{
    list_files | tr '\n' '\0' | xargs -0 -r grep -nIHE "$folders|$hosts" /dev/null
    list_files | grep -vE '^tests/' | tr '\n' '\0' | xargs -0 -r grep -nIHE "$temporary" /dev/null
} | grep -v '^tests/repo/machine_paths\.sh:' |
    sed -E 's/^([^:]*:[0-9]+:)(.*)$/\1 names a path or host of one machine:\2/' | finish
