#!/bin/sh
# judge.sh NAME REASON SUITE - proves that a suite fails, by its own judgement.
#
# NAME says what stands in the chapter's place, REASON why it must not pass. Prints one
# line: "ok NAME: REASON; caught by: ..." or "FAIL NAME: ...". The status is always 0.
name=$1 reason=$2 suite=$3
if FACTS= "$suite" --jobs 1 --fail-fast >"$suite.out" 2>&1; then
    echo "FAIL $name: passes the suite, but must not: $reason"
    exit 0
fi
# The likeliest cause, the simulator's report, or the first line of the assertion.
caught=$(sed -n 's/^ *likeliest cause: //p' "$suite.out" | head -n 1)
[ -n "$caught" ] || caught=$(sed -n '/ERROR SUMMARY/d; s/^========= *//p' "$suite.out" | head -n 1)
[ -n "$caught" ] || caught=$(sed -n 's/^  //p' "$suite.out" | grep -v '^ended ' | head -n 1)
if [ -n "$caught" ]; then
    echo "ok $name: $reason; caught by: $caught"
else
    echo "FAIL $name: ends without a judgement: $(tail -n 1 "$suite.out")"
fi
