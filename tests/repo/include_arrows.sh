#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Who may include whom. options and emulators know neither each other nor lwIP; stack may include options; ports may
# include stack, options and emulators, but a driver knows no emulator; nothing outside tests includes tests.
. "$(dirname "$0")/lib.sh"

list_sources | grep -E '^(options|emulators|stack|ports)/' | tr '\n' '\0' |
    xargs -0 -r grep -nHE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]' /dev/null |
    awk -v list=<(list_sources) '
        BEGIN {
            allowed["options"] = " options "
            allowed["emulators"] = " emulators "
            allowed["stack"] = " stack options lwip "
            allowed["ports"] = " ports stack options emulators lwip "
            allowed["ports/drivers"] = " ports stack options lwip "
            while ((getline path < list) > 0) remember(path)
        }
        function top_of(path) { return substr(path, 1, index(path, "/") - 1) }
        # Every way to spell a file: a/b/c.h, b/c.h and c.h.
        function remember(path,    tail) {
            exists[path] = 1
            tail = path
            while (index(tail, "/")) {
                if (index(path, "/")) tops[tail] = tops[tail] " " top_of(path) " "
                tail = substr(tail, index(tail, "/") + 1)
            }
            tops[tail] = tops[tail] " " top_of(path) " "
        }
        function normal(path) {
            gsub(/\/\.\//, "/", path)
            while (match(path, /[^\/]+\/\.\.\//)) path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
            return path
        }
        # The folder that an include reaches; empty for what is not ours.
        function target_of(file, name, quoted,    beside, found) {
            beside = file
            sub(/[^\/]*$/, "", beside)
            beside = normal(beside name)
            if (quoted && (beside in exists)) return top_of(beside)
            while (sub(/^\.\.\//, "", name)) continue
            if (name ~ /^(lwip|netif)\//) return "lwip"
            if (!(name in tops)) return ""
            if (index(tops[name], " " top_of(file) " ")) return top_of(file)
            split(tops[name], found, " ")
            return found[1]
        }
        {
            split($0, part, ":")
            file = part[1]
            name = $0
            sub(/^[^<"]*[<"]/, "", name)
            quoted = $0 ~ /include[[:space:]]*"/
            sub(/[>"].*$/, "", name)
            rule = (file ~ /^ports\/drivers\//) ? "ports/drivers" : top_of(file)
            target = target_of(file, name, quoted)
            if (target != "" && !index(allowed[rule], " " target " "))
                printf "%s:%s: %s must not include %s (%s)\n", file, part[2], rule, target, name
        }' | finish
