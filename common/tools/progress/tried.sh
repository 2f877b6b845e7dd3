#!/bin/sh
# tried.sh - runs one of the programs of make test, and leaves what came of it.
#
#   tried.sh VERDICT OUTPUT NAME COMMAND...
#
# What the command prints goes to OUTPUT; how long it took, and how much of that a core had worked for
# it, to the file seconds beside it. VERDICT is a copy of OUTPUT, made only when something passed and
# nothing failed: what failed, or was left out, is tried again by the next make. PROGRESS in the
# environment is the file and the number for so_far.sh.
verdict=$1 output=$2 name=$3
shift 3
begun=$(date +%s.%N)
rm -f "$verdict"
"$@" >"$output" 2>&1
status=$?
{ times; echo "$begun $(date +%s.%N)"; } >"$output.times"
# Minutes and seconds, of the command in the second line.
awk -F '[ ms]+' 'NR == 2 { cores = 60 * ($1 + $3) + $2 + $4 }
    NR == 3 { printf "%.2f %.2f\n", $2 - $1, cores }' "$output.times" >"${output%/*}/seconds"
rm -f "$output.times"
# shellcheck disable=SC2086 # PROGRESS is two words
[ -z "$PROGRESS" ] || "${0%/*}/so_far.sh" ${PROGRESS} "$name"
if [ "$status" -ne 0 ]; then
    [ ! -t 2 ] || printf '\r\033[K' >&2
    echo "$name:"
    cat "$output"
elif ! grep -q -e '^0 passed' -e '^left out: ' "$output"; then
    cp "$output" "$verdict"
fi
