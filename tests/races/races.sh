#!/bin/sh
# races.sh - whether make builds all that it proves however many jobs it has, and beside other makes.
#
#   races.sh [TIMES [GOAL]]
#
# First: no two groups of prove.mk that are made side by side make the same file, as far as make -n says.
# Then, in a copy of the course, from clean, so many times (ten): with 2 and with 16 jobs, and three makes at
# once in one folder. GOAL is what is made, `built`, or `test`, which takes long. Says what failed, and last
# "31 passed, 0 failed".
times=${1:-10} goal=${2:-built} passed=0 failed=0
cd "$(dirname "$0")/../.." || exit
copy=$(mktemp -d "${TMPDIR:-/tmp}/races.XXXXXX") || exit
trap 'rm -rf "$copy"' EXIT
trap 'exit 1' INT TERM
git ls-files -z --cached --others --exclude-standard | xargs -0 cp -P --parents -t "$copy" || exit
cd "$copy" || exit

# Adds the result of a make, whose words are in a file. A compiler that warns of the course's own code counts.
add() {
    if [ "$1" -eq 0 ] && ! grep -q '^make.*\*\*\*\|[1-9][0-9]* failed$\|: warning: ' "$2"; then
        passed=$((passed + 1))
        return
    fi
    failed=$((failed + 1))
    echo "failed: $3"
    tail -n 30 "$2"
}

# The files that a goal of prove.mk makes in a course where nothing has been made.
made_by() {
    make -n -k -f common/make/prove.mk "$1" 2>/dev/null | grep -oE '(-o|>|[rq]cs|ln -f [^ ]*) ?build/[^ ;)]*' |
        sed -E 's/.*[> ](build)/\1/; s/^>//; s/\.[0-9]+$//' | sort -u
}

ends='simulator course-5 course-many course-pair course-26 course-256 course-keys course-array verdicts-5 verdicts-26
    verdicts-256 verdicts-64 verdicts-keys'
B=build/sim-gcc
mkdir -p $B && echo 1 >$B/seed
made_by for-all >of-all
for end in $ends; do
    made_by "$end" | comm -23 - of-all >"of-$end"
    [ -s "of-$end" ] || echo "$end makes nothing" >>twice
done
for one in $ends; do
    for other in $ends; do
        [ "$one" = "$other" ] || comm -12 "of-$one" "of-$other" >>twice
    done
done
[ ! -s twice ]
add $? twice 'a file is made twice at the same time'

time=0
while [ $time -lt "$times" ]; do
    time=$((time + 1))
    for jobs in 2 16; do
        rm -rf build
        make -j$jobs "$goal" >log 2>&1
        add $? log "$time: make -j$jobs $goal"
    done
    rm -rf build
    make -j8 "$goal" >log 2>&1 &
    first=$!
    make chapter5 solution test >log.5 2>&1 &
    second=$!
    make chapter20 solution run >log.20 2>&1
    third=$?
    wait $first
    first=$?
    wait $second
    second=$?
    if [ $second -ne 0 ] || [ $third -ne 0 ]; then
        cat log.5 log.20 >>log
        first=1
    fi
    add $first log "$time: three makes at once"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
