#!/bin/sh
# so_far.sh - how far long work is: one more of TOTAL is done.
#
#   so_far.sh begin FILE           a new count, in FILE
#   so_far.sh FILE TOTAL WORDS     adds one, and shows "[ 37/83] words" on standard error
#
# On a terminal it is one line, written anew, and gone at the end. Elsewhere it is a line now and
# then: of work that is soon done, none.
seconds=10
if [ "$1" = begin ]; then
    rm -f "$2" && date +%s >"$2.shown"
    exit
fi
printf . >>"$1" || exit 0
count=$(($(wc -c <"$1")))
[ "$count" -le "$2" ] || set -- "$1" "$count" "$3" # more than was thought
if [ -t 2 ]; then
    [ "$count" -lt "$2" ] && line=$(printf '[%*d/%d] %s' ${#2} "$count" "$2" "$3") || line=
    printf '\r\033[K%s' "$line" >&2
    exit 0
fi
now=$(date +%s) last=$(cat "$1.shown" 2>/dev/null)
[ $((now - ${last:-$now})) -lt $seconds ] || {
    echo "$now" >"$1.shown"
    printf '[%*d/%d] %s\n' ${#2} "$count" "$2" "$3" >&2
}
