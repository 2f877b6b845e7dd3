#!/bin/sh
# judge.sh fail|pass NAME REASON SUITE - proves that a suite fails (or passes) as it must.
#
# NAME says what stands in the chapter's place, REASON why it must fail (or may pass). A
# failure has to be the suite's own judgement: an assertion, or the simulator's report.
# Prints one line, "ok NAME: ..." or "FAIL NAME: ...". The status is always 0.
wanted=$1 name=$2 reason=$3 suite=$4
if FACTS= "$suite" --jobs 1 --fail-fast >"$suite.out" 2>&1; then
    case $wanted in
    pass) echo "ok $name: passes, since $reason" ;;
    *) echo "FAIL $name: passes the suite, but must not: $reason" ;;
    esac
    exit 0
fi
# The likeliest cause, the simulator's report, or the first line of the assertion.
caught=$(sed -n 's/^ *likeliest cause: //p' "$suite.out" | head -n 1)
[ -n "$caught" ] || caught=$(sed -n '/ERROR SUMMARY/d; /^=* not shown/d; s/^========= *//p' "$suite.out" | head -n 1)
[ -n "$caught" ] || caught=$(sed -n 's/^  //p' "$suite.out" | grep -v '^ended ' | head -n 1)
if [ -z "$caught" ]; then
    echo "FAIL $name: ends without a judgement: $(tail -n 1 "$suite.out")"
elif [ "$wanted" = pass ]; then
    echo "FAIL $name: should pass, since $reason; but fails: $caught"
else
    echo "ok $name: $reason; caught by: $caught"
fi
