#!/bin/sh
# keyed_times.sh GOAL - times what reduces by index on a real GPU, and puts the rows together.
#
#   bench         all cells of every operation, or those of OPERATION, KEY_BINS and KEYS; then the
#                 table and the plots
#   run           one cell: OPERATION, KEY_BINS and KEYS
#   sanitize      compute-sanitizer's four tools over every kernel, with each operation
#   draw FOLDER   FOLDER/reduce-by-index.csv, the table and the plots anew, from the CSV files there
#
# B is the folder of the build, KIND chapter or solution, STEMS the chapters, CUDA the toolkit. Rows
# are left in build/gpu-bench: by-index-count.csv and so on, anew each time.
goal=$1
results=build/gpu-bench
here=common/bench/gpu/reduce_by_index
length=50000000
operations='count saturate float_sum wide_sum argmax vector_sum minmax'

# programs FILE: the files of that name of all chapters and operations, or OPERATION
programs() {
    for stem in $STEMS; do
        for operation in ${OPERATION:-$operations}; do
            [ ! -e "$B/$KIND-keys/$stem/$operation/$1" ] || echo "$B/$KIND-keys/$stem/$operation/$1"
        done
    done
}

# time_one OPERATION OUT CELLS: nothing where no chapter takes the operation
time_one() {
    libraries=
    for stem in $STEMS; do
        library=$B/$KIND-keys/$stem/$1/reduce_by_index.so
        [ ! -e "$library" ] || libraries="$libraries $library"
    done
    [ "$libraries" ] || return 0
    rm -f "$2"
    room=$B/common-keys/of/reduce_by_index/$1
    # shellcheck disable=SC2086
    "$room/times" "$2" $length "$3" "$room/libraries.so" $libraries || failed=1
}

draw() {
    # What was put together before comes first: the newer rows of a cell replace the others.
    # shellcheck disable=SC2012
    rows=$(ls -d "$1/reduce-by-index.csv" 2>/dev/null; ls -tr "$1"/by-index-*.csv 2>/dev/null)
    [ "$rows" ] || { echo "$1: there is no reduce-by-index.csv" >&2; exit 1; }
    mkdir -p build
    # shellcheck disable=SC2086
    "${CC:-gcc}" -O1 -Icommon/tools/parts $here/keyed_summary.c common/tools/parts/csv.c \
        -o build/keyed_summary && build/keyed_summary docs/results/h200/reduce-by-index-peers.csv \
        "$1/reduce-by-index.csv" $rows || exit 1
    [ "$(wc -l <"$1/reduce-by-index.csv")" -gt 1 ] || return 0
    command -v gnuplot >/dev/null || {
        echo "no plots: gnuplot is not installed (sudo apt-get install gnuplot-nox)"
        return
    }
    device=$(sed -n 's/^\(NVIDIA[^,]*\),.*/\1/p' "$1"/*machine.txt | head -n 1)
    gnuplot -e "folder='$1'; device='${device:-this GPU}'" $here/keyed_times.gp &&
        echo "The plots are $1/reduce-by-index-*.svg."
}

failed=
mkdir -p "$results"
[ -z "$SIZE$INPUT$TEXT" ] || echo "SIZE, INPUT and TEXT have no effect here: it is always $length elements" >&2
case $goal in
bench)
    common/bench/gpu/kernel_times.sh machine >"$results/by-index-machine.txt"
    part=${KEY_BINS:+-$KEY_BINS}${KEYS:+-$KEYS}
    for operation in ${OPERATION:-$operations}; do
        time_one "$operation" "$results/by-index-$operation$part.csv" "${KEY_BINS:-all}:${KEYS:-all}"
    done
    draw "$results"
    ;;
run)
    for operation in ${OPERATION:-$operations}; do
        time_one "$operation" "$results/run-$operation.csv" "${KEY_BINS:-12281}:${KEYS:-uniform}"
    done
    echo "The rows are in $results: run-count.csv and so on."
    ;;
sanitize)
    # shellcheck disable=SC2046
    common/bench/gpu/once.sh "${KEYS:-zipf} 65521 ${KEY_BINS:-505}" $(programs once)
    exit
    ;;
draw) draw "$2" ;;
esac
[ -z "$failed" ] || { echo 'gpu: wrong bins, or a kernel that did not end: it is said above' >&2; exit 1; }
