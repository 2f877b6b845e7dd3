#!/bin/sh
# row.sh ROW SOURCE TEXT CHAPTER NAME OUT.csv - runs one chapter and keeps its row.
#
# ROW is the program, linked with what SOURCE was compiled to. The counters of each
# launch go to OUT.profile. When the result is wrong: the gaps of SOURCE that are
# still empty, and unless all of them are, what the program said of it. The status
# is 0 then, too: the row says that it is wrong.
row=$1 source=$2 text=$3 chapter=$4 name=$5 out=$6
here=$(dirname "$0")
rm -f "$out" "${out%.csv}.profile"
SIM_PROFILE="${out%.csv}.profile" "$row" "$text" "$chapter" "$name" "$out" 2>"$out.said" &&
    grep -q ',yes,' "$out" && exit 0
[ -s "$out" ] || { cat "$out.said" >&2; exit 1; }
bins=$(tail -n 1 "$out" | cut -d, -f3)
awk -v bins="$bins" -f "$here/gaps.awk" "$source" >&2
[ $? -eq 2 ] || grep -v '^=* *ERROR SUMMARY\|^=* *not shown' "$out.said" >&2
exit 0
