#!/bin/sh
# tried.sh - runs one of the programs of make test, and leaves what came of it.
#
#   tried.sh VERDICT OUTPUT NAME COMMAND...
#
# What the command prints goes to OUTPUT; how long it took, to the file seconds beside it. VERDICT is a copy of OUTPUT, made only when something passed and
# nothing failed: what failed, or was left out, is tried again by the next make. PROGRESS in the
# environment is the file and the number for so_far.sh.
verdict=$1 output=$2 name=$3
shift 3
begun=$(date +%s.%N)
rm -f "$verdict"
"$@" >"$output" 2>&1
status=$?
date +%s.%N | awk -v begun="$begun" '{ printf "%.2f\n", $1 - begun }' >"${output%/*}/seconds"
# shellcheck disable=SC2086 # PROGRESS is two words
[ -z "$PROGRESS" ] || "${0%/*}/so_far.sh" ${PROGRESS} "$name"
if [ "$status" -ne 0 ]; then
    [ ! -t 2 ] || printf '\r\033[K' >&2
    echo "$name:"
    cat "$output"
elif ! grep -q -e '^0 passed' -e '^left out: ' "$output"; then
    cp "$output" "$verdict"
fi
