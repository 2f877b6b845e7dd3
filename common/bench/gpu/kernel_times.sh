#!/bin/sh
# kernel_times.sh GOAL BINS... - what is done with the programs for a real GPU, one after the other.
#
#   run, bench     time all kernels, on kinds of text and sizes; CSV files and plots
#   experiments    what layout, numbers of blocks and bins, and one hot bin do; CSV files
#   draw FOLDER    the plots anew, from the CSV files in FOLDER
#   micro          the constants of the prediction, and latencies, measured
#   sanitize       compute-sanitizer's four tools over every kernel
#   fidelity       the simulator's counters against Nsight Compute's
#   times BINS TEXT STEM...   measured times beside the counters, for plain make on a machine
#                  with a GPU: prints the name of a CSV file, and of the one with the GPU's name
#   machine        what card, driver and toolkit this is
#
# B is the folder of the build, KIND chapter or solution, FROM where the sources are, STEMS the
# chapters, CUDA the toolkit;
# INPUT, TEXT or SIZE choose a part. Everything is left in build/gpu-bench, or in B/fidelity.
goal=$1
shift
results=build/gpu-bench
kinds=uniform,english,zipf,single,runs,sorted,smooth,bytes,lower
seven=bytes,lower,english,single,runs,zipf,smooth

# built BINS FILE: the files of that name of all chapters; those that refuse so many bins have none
built() {
    for stem in $STEMS; do
        [ ! -e "$B/$KIND-$1/$stem/$2" ] || echo "$B/$KIND-$1/$stem/$2"
    done
}

# vary BINS...: builds the chapters with fewer loads in flight, and with two blocks on a
# multiprocessor: only that number differs in the source. They are called
# 10_wide_loads-loads-1 and so on. A kernel that takes two words at a time has no single load.
vary() {
    rm -rf "$B/varied" "$B/varied-"*
    for stem in $STEMS; do
        source=$FROM/$stem/histogram.cu
        for change in LOADS-1 LOADS-2 BLOCKS_PER_MULTIPROCESSOR-2; do
            name=${change%-*} value=${change#*-}
            grep -qs "\b$name = [0-9]" "$source" || continue
            [ $change != LOADS-1 ] || ! grep -q 'k += 2' "$source" || continue
            folder=$B/varied/$stem-$(echo "${name%%_*}" | tr '[:upper:]' '[:lower:]')-$value
            mkdir -p "$folder"
            sed "s/\b$name = [0-9]*/$name = $value/" "$source" >"$folder/histogram.cu"
        done
    done
    [ -d "$B/varied" ] || return 0
    for bins in "$@"; do
        ${MAKE:-make} -f common/make/gpu_variant.mk KIND=varied FROM="$B/varied" "BINS=$bins" \
            "STEMS=$(ls "$B/varied")" programs-of-times || exit 1
    done
}

# so_far WORDS: one more of $steps begins; how long the others took, and what is left of it at
# that rate, as far as that can be known.
step=0 steps='' begun=$(date +%s)
so_far() {
    [ "$steps" ] || return 0
    step=$((step + 1)) now=$(date +%s)
    left=
    [ "$step" -eq 1 ] || [ "$step" -gt "$steps" ] ||
        left=", about $(((now - begun) * (steps - step + 1) / (step - 1))) s to go"
    printf '[%*d/%d] %s, after %d s%s\n' ${#steps} "$step" "$steps" "$1" $((now - begun)) "$left" >&2
}

# time_kernels BINS OUT SECONDS INPUTS SIZES [LIBRARIES]. The seconds that a row may take keep all of
# bench within eight minutes on an H200. A row that would take longer says so in its CSV.
time_kernels() {
    so_far "$2, $1 bins"
    # shellcheck disable=SC2046
    "$B/common-$1/kernel_times" "$results/$2.csv" "$3" "${INPUT:-${TEXT:-$4}}" "${SIZE:-$5}" \
        "$B/common-$1/baselines.so" $(built "$1" histogram.so) $6 || exit 1
}
# time_kinds OUT SECONDS KINDS SIZE [varied]
time_kinds() {
    for bins in $all_bins; do
        time_kernels "$bins" "$1" "$2" "$3" "$4" \
            "${5:+$(ls "$B/varied-$bins"/*/histogram.so 2>/dev/null)}"
    done
}

describe_machine() {
    cat "$B/device"
    nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem \
        --format=csv 2>/dev/null
    "$CUDA/bin/nvcc" --version 2>/dev/null | tail -n 2
    LC_ALL=C date -u
}

draw() {
    command -v gnuplot >/dev/null || {
        echo "no plots: gnuplot is not installed (sudo apt-get install gnuplot-nox)"
        return
    }
    device=$(sed -n 's/^\(NVIDIA[^,]*\),.*/\1/p' "$1/machine.txt" | head -n 1)
    gnuplot -e "folder='$1'; device='${device:-this GPU}'" common/bench/gpu/kernel_times.gp &&
        echo "The plots are $1/bench-*.svg."
}

bench() {
    count=0
    for bins in $all_bins; do count=$((count + 1)); done
    steps=$((4 * count + 1)) # the calls of time_kernels below
    [ -z "$INPUT$TEXT$SIZE" ] || steps=$count
    rm -f "$results"/*.csv
    describe_machine >"$results/machine.txt"
    if [ -n "$INPUT$TEXT$SIZE" ]; then
        time_kinds bench-part 40 "$kinds" 64M
    else
        # shellcheck disable=SC2086
        vary $all_bins
        time_kinds bench-kinds-64M 40 "$kinds" 64M
        time_kernels 5 bench-sizes-5 40 english 64K,256K,1M,4M,16M,64M,256M,1G,4294967295
        time_kinds bench-kinds-1M 40 $seven 1M varied
        time_kinds bench-kinds-50M 40 "$kinds" 50000000 varied
        time_kinds bench-kinds-1G 1.3 "$kinds" 1G varied
        draw "$results"
    fi
    echo
    grep -h ',left out' "$results"/*.csv | while IFS=, read -r who input bins length _; do
        echo "left out: $who on $input, $bins bins, $length bytes"
    done
    echo "The rows are in $results."
}

# One decision at a time, each in a file: docs/results/README.md says what is in them.
experiments() {
    steps=$((3 + $#)) # time_kernels; what comes before is short, and shows rows
    for name in reading layouts blocks skew bins; do rm -f "$results/$name.csv"; done
    "$B/common-5/experiments" reading "$results/reading.csv" || exit 1
    for bins in 5 26 256; do
        for name in layouts blocks; do
            "$B/common-$bins/experiments" $name "$results/$name.csv" english uniform || exit 1
        done
        time_kernels $bins skew 40 hot0,hot25,hot50,hot75,hot90,hot99 64M
    done
    for bins in "$@"; do time_kernels "$bins" bins 40 uniform 64M; done
    echo "The rows are in $results: reading, layouts, blocks, skew and bins.csv."
}

sanitize() {
    # shellcheck disable=SC2046
    common/bench/gpu/once.sh 'english 65521' $(built "$1" once)
}

fidelity() {
    ncu=$(command -v ncu || echo "$CUDA/bin/ncu")
    for name in kernels patterns updates; do
        "$CUDA/bin/nvcc" -O3 "-arch=${ARCH:-native}" -ccbin "${CXX:-g++}" "tests/fidelity/$name.cu" \
            -o "$B/fidelity-$name" || exit 1
        python3 common/reports/fidelity.py "$name" "$B/fidelity-$name" "$B/fidelity" "$ncu" || exit 1
    done
    # shellcheck disable=SC2046
    python3 common/reports/fidelity.py chapters "$ncu" docs/results/h200/counters.csv \
        $(for bins in "$@"; do built "$bins" once; done) >"$B/fidelity/counters.csv" || exit 1
    echo "The chapters' counters are in $B/fidelity/counters.csv."
}

# Without nvcc or a GPU nothing happens, and nothing is said. Only of solutions: an own kernel
# that never ends would hang the card, and has make chapter5 gpu run. CUB and Thrust stay out,
# since they take longer to compile than all the rest.
measured() {
    bins=$1 text=$2
    shift 2
    STEMS=$* KIND=solution ARCH=${ARCH:-native} B=build/gpu-${ARCH:-native}
    nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
    [ -x "$nvcc" ] || exit 0
    { ls /dev/nvidia[0-9]* /dev/dxg || nvidia-smi -L; } 2>/dev/null | grep -q . || exit 0
    common/bench/gpu/probe.sh "$nvcc" "$ARCH" "${CXX:-g++}" "$B" >/dev/null || exit 0
    ${MAKE:-make} -f common/make/gpu_variant.mk "ARCH=$ARCH" KIND=solution FROM=solutions \
        "BINS=$bins" "STEMS=$STEMS" programs-of-times >&2 || exit 0
    out=$B/times-$bins.csv
    rm -f "$out"
    # shellcheck disable=SC2046
    "$B/common-$bins/kernel_times" "$out" 20 "$text" all $(built "$bins" histogram.so) \
        >"$out.table" 2>"$out.said" || {
        echo "no measured times: $(tail -n 1 "$out.said")" >&2
        exit 0
    }
    echo "$out $B/device"
}

all_bins=$*
mkdir -p "$results"
case $goal in
run)
    rm -f "$results/run.csv"
    time_kernels "$1" run 40 english 64M
    printf '\nThe rows are in %s/run.csv.\n' "$results"
    ;;
micro)
    { "$B/common-5/micro" && "$B/common-26/micro" characters &&
        "$B/common-256/micro" characters; } >"$results/micro.csv" || exit 1
    "$B/common-5/latencies" >"$results/latencies.csv" || exit 1
    cat "$results/micro.csv" "$results/latencies.csv"
    ;;
bench | experiments | sanitize | fidelity | draw) "$goal" "$@" ;;
times) measured "$@" ;;
machine) describe_machine ;;
esac
