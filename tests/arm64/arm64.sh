#!/bin/bash
# arm64.sh - proves the simulated GPU on 64-bit ARM, on a machine of another kind: with a
# cross compiler and an emulator, qemu-user.
#
#   tests/arm64/arm64.sh                  all of it
#   tests/arm64/arm64.sh 'counters/5/*'   the parts of these names: text, sim/SUITE,
#                                         suite/BINS/CHAPTER, counters/BINS/CHAPTER
#
# sim: the simulator's suites. suite: those of the solutions. counters: what the solutions
# cost on 1 MiB of English text, to the last digit as on this machine. What a part printed
# stays in build/arm64/results/. The last line is "N passed, M failed".
set -u
cd "$(dirname "$0")/../.." || exit 1
work=build/arm64
root=$PWD/$work/root
emulator=$(command -v qemu-aarch64 || command -v qemu-aarch64-static)
binnings=(5 26 256)

fail() {
    echo "arm64: $1" >&2
    exit 1
}

# --- What is needed -----------------------------------------------------------------------

need_tools() {
    local missing=()
    [[ $(uname -m) != aarch64 ]] || fail "this machine is one: make test proves the same, and sooner"
    [[ $emulator ]] || missing+=(qemu-user)
    command -v aarch64-linux-gnu-gcc >/dev/null || missing+=(gcc-aarch64-linux-gnu)
    command -v aarch64-linux-gnu-g++ >/dev/null || missing+=(g++-aarch64-linux-gnu)
    [[ -e /usr/include/criterion/criterion.h ]] || missing+=(libcriterion-dev)
    ((${#missing[@]} == 0)) || fail "not installed: apt-get install ${missing[*]}"
}

# Criterion, the C and the C++ library for arm64, unpacked into $root. apt keeps its lists
# there, too: nothing is installed, and this machine's apt learns of no other architecture.
fetch_libraries() (
    echo "arm64: fetching the C library and Criterion for arm64 (7 MB and apt's lists), once"
    rm -rf "$work/apt" && mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial" &&
        cd "$work/apt" && : >status || return
    apt=(-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64
        -o Dir::State="$PWD" -o Dir::State::status="$PWD/status" -o Dir::Cache="$PWD/cache"
        -o Debug::NoLocking=true -o APT::Sandbox::User="$(id -un)")
    apt-get "${apt[@]}" update || return
    criterion=$(apt-cache "${apt[@]}" depends libcriterion-dev | sed -n 's/.*Depends: \(libcriterion[0-9]*\)$/\1/p')
    apt-get "${apt[@]}" -y --no-install-recommends --download-only \
        install "${criterion:?is not to be had}" libstdc++6 || return
    for package in cache/archives/*.deb; do
        dpkg -x "$package" "$root.new" || return
    done
    mv "$root.new" "$root"
)

# The compiler finds Criterion in $work/lib, and with it what lets the emulator start tests.
make_libraries() {
    local criterion
    rm -rf "$root.new"
    [[ -d $root ]] || fetch_libraries >"$work/fetch.log" 2>&1 ||
        fail "could not fetch libraries for arm64 (packages of Debian): $(tail -n 1 "$work/fetch.log")"
    criterion=$(find "$root/usr/lib" -name 'libcriterion.so.?' -print -quit)
    mkdir -p $work/lib $work/include && rm -rf $work/apt && ln -sfn /usr/include/criterion $work/include/criterion &&
        aarch64-linux-gnu-gcc -O2 -Wall -Wextra -c tests/arm64/execve.c -o $work/lib/execve.o &&
        echo "INPUT($PWD/$work/lib/execve.o $criterion)" >$work/lib/libcriterion.so ||
        fail "could not prepare $work/lib"
}

# --- The build ------------------------------------------------------------------------------

here=build/sim-gcc arm=build/sim-aarch64-linux-gnu-gcc

# What a chapter takes of the numbers of bins, by the head of its suite.
bins_of() {
    local heads
    heads=$(sed -n 's/^ \* Bins: \([0-9 ]*\).*/\1/p' "tests/$1.c" tests/histogram.c | head -n 1)
    for bins in "${binnings[@]}"; do [[ " $heads " != *" $bins "* ]] || echo "$bins"; done
}

# Chapters of Part I with each number of bins: "05_name/26".
kernels() {
    local path
    for path in solutions/[01]*; do
        for bins in $(bins_of "${path##*/}"); do echo "${path##*/}/$bins"; done
    done
}

# Builds the programs, and counts on this machine what is to be counted.
build() {
    local libraries=$root/usr/lib/aarch64-linux-gnu:$root/lib/aarch64-linux-gnu all
    mapfile -t all < <(kernels)
    unset MAKEFLAGS MFLAGS MAKELEVEL
    export LOCKED="by arm64" # who called has the lock
    make CC=gcc CXX=g++ $(printf "$here/solutions/%s/english.csv " "${all[@]}") || return
    make CC=aarch64-linux-gnu-gcc CXX=aarch64-linux-gnu-g++ \
        CFLAGS="-O2 -g -isystem $PWD/$work/include -L$PWD/$work/lib -Wl,-rpath-link,$libraries" \
        $(printf "$arm/solutions/%s/kernel " "${all[@]}") $(printf "$arm/solutions/%s/row " "${all[@]}") \
        $(printf "$arm/suites/%s\n" "${all[@]%/*}" | sort -u) $arm/programs/histogram/input "${suites[@]/%//5/test}"
}

# --- The parts ------------------------------------------------------------------------------

# Runs a program for arm64. qemu keeps a record of each page that a program reserves, and
# the simulator reserves 16 TiB, or as much as it gets: here, half of 32 GiB.
emulate() (
    ulimit -v $((32 << 20))
    # Neither bubblewrap nor the filter of system calls knows what an emulator does.
    QEMU_LD_PREFIX=$root ARM64_EMULATOR=$emulator JUDGE_SANDBOX=none JUDGE_SECONDS=600 exec "$emulator" "$@"
)

# A part's name as its argument. Prints its last line "N passed, M failed", or a mistake.
run_part() {
    local part bins chapter
    IFS=/ read -r part bins chapter <<<"$1"
    case $part in
    text)
        INPUT='' TEXT=english SIZE=1M TEXT_SEED=1 emulate $arm/programs/histogram/input $work/results/english README.md &&
            cmp $work/results/english $here/english && echo "1 passed, 0 failed" ;;
    sim) BUILD=$arm emulate "$arm/proofs/sim/$bins/5/test" --jobs 1 && echo "1 passed, 0 failed" ;;
    suite)
        NUM_BINS=$bins KERNEL_FOLDER=$PWD/$arm/solutions/$chapter/$bins emulate "$arm/suites/$chapter" --jobs 1 &&
            echo "1 passed, 0 failed" ;;
    counters)
        NUM_BINS=$bins SIM_CHECKS=none SIM_SEED=1 emulate "$arm/solutions/$chapter/$bins/row" \
            "$here/english" $((10#${chapter%%_*})) "${chapter#*_}" "$work/results/$1.csv" &&
            diff "$here/solutions/$chapter/$bins/english.csv" "$work/results/$1.csv" && echo "1 passed, 0 failed" ;;
    esac
}

# The same, with what it printed in a file; says in a line how it went.
report_part() {
    local output=$work/results/$1.out begun=$SECONDS last
    mkdir -p "$(dirname "$output")"
    run_part "$1" >"$output" 2>&1
    last=$(tail -n 1 "$output")
    [[ $last =~ ^[0-9]+\ passed,\ [0-9]+\ failed$ ]] || {
        last="0 passed, 1 failed"
        echo "$last" >>"$output"
    }
    [[ $last == *", 0 failed" ]] || cat "$output"
    echo "$1: $last ($((SECONDS - begun)) s)"
}

# The names of all parts, those first that take longest.
all_parts() {
    printf 'sim/%s\n' "${suites[@]##*/}"
    kernels | sed 's|\(.*\)/\(.*\)|suite/\2/\1\ncounters/\2/\1|'
    echo text
}

[[ ${1-} != --part ]] || { report_part "$2"; exit; }
need_tools
mkdir -p "$work"
make_libraries

# What includes tool.h runs simcc and the rewriting step, which work where one compiles.
mapfile -t suites < <(grep -l '^Test\b' tests/sim/*.c tests/sim/*.cu | xargs grep -L '"tool.h"' |
    sed 's|.*/\(.*\)\..*|'$arm'/proofs/sim/\1|')
echo "arm64: left out are $(grep -l '"tool.h"' tests/sim/*.c | xargs echo): they test programs of the machine that compiles"
build >"$work/build.log" 2>&1 || fail "could not build; $work/build.log says why: $(tail -n 1 "$work/build.log")"

rm -rf "$work/results" && mkdir -p "$work/results"
all_parts | while read -r part; do
    for wanted in "${@:-*}"; do
        # shellcheck disable=SC2053 # a pattern
        [[ $part == $wanted ]] && echo "$part" && break
    done
done | xargs -r -P "$(nproc)" -n 1 "$0" --part
passed=0 failed=0
while read -r count _ failures _; do
    passed=$((passed + count)) failed=$((failed + failures))
done < <(find "$work/results" -name '*.out' -exec tail -q -n 1 {} +)
echo "$passed passed, $failed failed"
((passed > 0 && failed == 0))
