#!/bin/sh
# races.sh - whether make builds all that it proves however many jobs it has, and beside other makes.
#
#   races.sh [TIMES [GOAL]]
#
# In a copy of the course, from clean, so many times (ten): with 2 and with 16 jobs, and then three makes
# at once in one folder. GOAL is what is made, `built`, or `test`, which takes long. Says what failed, and
# last "30 passed, 0 failed".
times=${1:-10} goal=${2:-built} passed=0 failed=0
cd "$(dirname "$0")/../.." || exit
copy=$(mktemp -d "${TMPDIR:-/tmp}/races.XXXXXX") || exit
trap 'rm -rf "$copy"' EXIT
trap 'exit 1' INT TERM
git ls-files -z --cached --others --exclude-standard | xargs -0 cp -P --parents -t "$copy" || exit
cd "$copy" || exit

# Adds the result of a make, whose words are in a file.
add() {
    if [ "$1" -eq 0 ] && ! grep -q '^make.*\*\*\*\|[1-9][0-9]* failed$' "$2"; then
        passed=$((passed + 1))
        return
    fi
    failed=$((failed + 1))
    echo "failed: $3"
    tail -n 30 "$2"
}

time=0
while [ $time -lt "$times" ]; do
    time=$((time + 1))
    for jobs in 2 16; do
        rm -rf build
        make -j$jobs "$goal" >said 2>&1
        add $? said "$time: make -j$jobs $goal"
    done
    rm -rf build
    make -j8 "$goal" >said 2>&1 &
    first=$!
    make chapter5 solution test >said.5 2>&1 &
    second=$!
    make chapter20 solution run >said.20 2>&1
    third=$?
    wait $first
    first=$?
    wait $second
    second=$?
    if [ $second -ne 0 ] || [ $third -ne 0 ]; then
        cat said.5 said.20 >>said
        first=1
    fi
    add $first said "$time: three makes at once"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
