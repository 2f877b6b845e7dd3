#!/bin/sh
# reduce_times.sh GOAL - times and checks what reduces on a real GPU, and puts the rows together.
#
#   bench         every operation, or OPERATION, on six sizes, or SIZE values; then what an atomic
#                 costs, the table and the plots
#   run           the same for one chapter, without what comes then
#   test          whether results are right, from no value to 2^31 + 1
#   sanitize      compute-sanitizer's four tools over every kernel, with each operation
#   draw FOLDER   FOLDER/reduce.csv, the table and the plots anew, from the CSV files there
#
# B is the folder of the build, KIND chapter or solution, STEMS the chapters, CUDA the toolkit. Rows
# are left in build/gpu-bench: reduce-times-sum.csv and so on, anew each time.
goal=$1
results=build/gpu-bench
here=common/bench/gpu/reduce
operations='sum float_sum max dot'
sizes=${SIZE:+${SIZE}v}
sizes=${sizes:-64K,1M,50000000,200000000,1G,4G}
# No value, less than a warp, a warp, a block and their neighbours; above 2^24, and above 2^31.
lengths=0,1,31,32,33,255,256,257,1023,1024,1025,65521,1048577,16777217,50000001,2147483649

# programs OPERATION FILE: the files of that name of all chapters
programs() {
    for stem in $STEMS; do
        [ ! -e "$B/$KIND-keys/$stem/$1/$2" ] || echo "$B/$KIND-keys/$stem/$1/$2"
    done
}

# time_one OPERATION OUT: nothing where no chapter takes the operation
time_one() {
    room=$B/common-keys/of/reduce/$1
    kernels=$(programs "$1" reduce.so)
    [ "$kernels" ] || return 0
    rm -f "$2"
    # shellcheck disable=SC2046,SC2086
    "$room/times" "$2" "$sizes" $(ls "$room/libraries.so" "$room/gpu_to_gpu.so" 2>/dev/null) \
        $kernels || failed=1
}

draw() {
    # What was put together before comes first: the newer rows of a size replace the others.
    # shellcheck disable=SC2012
    rows=$(ls -d "$1/reduce.csv" 2>/dev/null; ls -tr "$1"/reduce-times-*.csv 2>/dev/null)
    [ "$rows" ] || { echo "$1: there is no reduce.csv" >&2; exit 1; }
    mkdir -p build
    # shellcheck disable=SC2086
    "${CC:-gcc}" -O1 -Icommon/tools/parts $here/reduce_summary.c common/tools/parts/csv.c \
        -o build/reduce_summary && build/reduce_summary docs/results/h200/reduce-peers.csv \
        "$1/reduce.csv" $rows || exit 1
    [ "$(wc -l <"$1/reduce.csv")" -gt 1 ] || return 0
    command -v gnuplot >/dev/null || {
        echo "no plots: gnuplot is not installed (sudo apt-get install gnuplot-nox)"
        return
    }
    device=$(sed -n 's/^\(NVIDIA[^,]*\),.*/\1/p' "$1"/*machine.txt | head -n 1)
    gnuplot -e "folder='$1'; device='${device:-this GPU}'" $here/reduce_times.gp &&
        echo "The plots are $1/reduce-*.svg."
}

# What an atomic costs, of integers and of floats.
atomics() {
    rm -f "$results/reduce-atomics.csv"
    for operation in sum float_sum; do
        program=$B/common-keys/of/reduce/$operation/atomics
        [ ! -e "$program" ] || "$program" "$results/reduce-atomics.csv" || failed=1
    done
}

check() {
    for operation in ${OPERATION:-$operations}; do
        kernels=$(programs "$operation" reduce.so)
        # shellcheck disable=SC2086
        [ -z "$kernels" ] || "$B/common-keys/of/reduce/$operation/check" $lengths $kernels || failed=1
    done
}

failed=
mkdir -p "$results"
[ -z "$INPUT$TEXT$KEYS" ] || echo 'INPUT, TEXT and KEYS have no effect here' >&2
case $goal in
bench)
    common/bench/gpu/kernel_times.sh machine >"$results/reduce-machine.txt"
    for operation in ${OPERATION:-$operations}; do
        time_one "$operation" "$results/reduce-times-$operation${SIZE:+-$SIZE}.csv"
    done
    [ "$SIZE$OPERATION" ] || atomics
    draw "$results"
    ;;
run)
    for operation in ${OPERATION:-$operations}; do
        time_one "$operation" "$results/run-reduce-$operation.csv"
    done
    echo "The rows are in $results: run-reduce-sum.csv and so on."
    ;;
test) check ;;
sanitize)
    for operation in ${OPERATION:-$operations}; do
        # shellcheck disable=SC2046
        common/bench/gpu/once.sh 65521 $(programs "$operation" once) || failed=1
    done
    [ -z "$failed" ]
    exit
    ;;
draw) draw "$2" ;;
esac
[ -z "$failed" ] || { echo 'gpu: wrong results, or a kernel that did not end: it is said above' >&2; exit 1; }
