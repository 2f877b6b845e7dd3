#!/bin/sh
# verdict.sh SUITE SOURCE NUMBER BINS - runs a chapter's suite and says what it means.
#
# SUITE    the program, linked with what SOURCE was compiled to
# SOURCE   the file in which the student works, for its gaps
# NUMBER   of the chapter, and BINS, with which it was built
#
# What the suite printed stays in SUITE.out. Status 0 when all of it passes.
suite=$1 source=$2 number=$3 bins=$4
here=$(dirname "$0")
export FACTS="$suite.facts"

# What to do after chapter $number: its successor's lesson and test.
next_step() {
    after=$((number + 1))
    for lesson in docs/"$after"_*.md docs/0"$after"_*.md; do
        [ -e "$lesson" ] && echo "next: $lesson, then make chapter$after test" && return
    done
    echo "next: make, which puts all chapters side by side"
}

rm -f "$FACTS"
if "$suite" --jobs 1 --fail-fast >"$suite.out" 2>&1; then
    inputs=$(grep -c '^input ' "$FACTS" 2>/dev/null)
    technique=$(sed -n 's/^technique /, and by its technique: /p' "$FACTS" 2>/dev/null | head -n 1)
    schedules=$(sed -n 's/^schedules //p' "$FACTS" 2>/dev/null | sort -n | head -n 1)
    [ "$bins" = 5 ] && bins= || bins=", $bins bins"
    [ "${schedules:-1}" = 1 ] && schedules= || schedules=" x $schedules schedules"
    grep -q '^unjudged' "$FACTS" 2>/dev/null && technique="; only the simulated GPU judges the technique"
    echo "chapter $number$bins: right on ${inputs:-0} inputs$schedules$technique"
    next_step
    exit 0
fi

awk -v bins="$bins" -f "$here/gaps.awk" "$source"
[ $? -eq 2 ] && exit 1 # nothing has been done yet, so what the suite says is no news
# Of the test that failed, the last one: its assertion and the simulator's report,
# without the counts that end every run.
awk '/^\* / { said = ""; next }
    !/^=* (ERROR SUMMARY|not shown)/ && !/^[0-9]+ passed, [0-9]+ failed$/ { said = said $0 "\n" }
    END { printf "%s", said }' "$suite.out"
if grep -q 'Race reported\|(SEED=' "$suite.out"; then
    seed=$(sed -n 's/.*(SEED=\([0-9]*\).*/\1/p' "$suite.out" | tail -n 1)
    case $source in solutions/*) which=' solution' ;; *) which= ;; esac
    [ "$bins" = 5 ] && bins= || bins=" BINS=$bins"
    echo "see it happen: make chapter$number$which replay SEED=${seed:-${SIM_SEED:-1}}$bins"
fi
exit 1
