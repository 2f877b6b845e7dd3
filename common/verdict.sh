#!/bin/sh
# verdict.sh SUITE SOURCE CHAPTER NEXT - runs a chapter's suite and says what it means.
#
# SUITE    the program, linked with what SOURCE was compiled to
# SOURCE   the file in which the student works, for its gaps
# CHAPTER  "chapter 5", the beginning of a verdict that is good
# NEXT     what to do after it
#
# What the suite printed stays in SUITE.out. Status 0 when all of it passes.
suite=$1 source=$2 chapter=$3 next=$4
here=$(dirname "$0")
export FACTS="$suite.facts"
rm -f "$FACTS"

if "$suite" --jobs 1 --fail-fast >"$suite.out" 2>&1; then
    inputs=$(grep -c '^input ' "$FACTS")
    technique=$(sed -n 's/^technique //p' "$FACTS" | head -n 1)
    [ "$inputs" = 1 ] && inputs="1 input" || inputs="$inputs inputs"
    printf '%s: right on %s x 4 schedules%s\n' "$chapter" "$inputs" \
        "${technique:+, and by its technique: $technique}"
    [ -z "$next" ] || printf 'next: %s\n' "$next"
    exit 0
fi

awk -f "$here/gaps.awk" "$source"
[ $? -eq 2 ] && exit 1 # nothing has been done yet, so what the suite says is no news
# The assertion and the simulator's report, without counts that end every run.
grep -v -e '^=* ERROR SUMMARY' -e '^[0-9]* passed, [0-9]* failed$' "$suite.out"
exit 1
