#!/bin/sh
# stub.sh STUB SOLUTION SUITE NUMBER - proves that a stub is a solution with gaps.
#
# SUITE is linked with the stub. Three lines, "ok ..." or "FAIL ...": solving only adds
# lines; each gap is empty; the suite fails with the first gap in its first line.
stub=$1 solution=$2 suite=$3 number=$4
here=$(dirname "$0")

lost=$(diff "$stub" "$solution" | grep '^<' | head -n 1)
if [ -z "$lost" ]; then
    echo "ok $stub: its solution only adds lines"
else
    echo "FAIL $stub: this line is not in $solution: ${lost#< }"
fi

gaps=$(awk -f "$here/gaps.awk" "$stub")
status=$?
count=$(printf '%s\n' "$gaps" | grep -c .)
case $status in
2) echo "ok $stub: $count gaps, all empty" ;;
3) echo "FAIL $gaps" ;;
*) echo "FAIL $stub: not all of its gaps are empty, or there are none" ;;
esac

first=$("$here/verdict.sh" "$suite" "$stub" "$number" 5 | head -n 1)
case $first in
"$stub:"*": not done yet: TODO($number."*) echo "ok $stub: fails with: ${first#*: }" ;;
*) echo "FAIL $stub: the suite should say that it is not done yet, but says: $first" ;;
esac
