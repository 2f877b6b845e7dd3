#!/bin/sh
# many_times.sh GOAL - checks and times what counts on several real GPUs, with 1, 2, ... of them.
#
#   bench         each number of bins, in ROUNDS rounds, each with every number of GPUs: text on the cards,
#                 in host memory, in a file; then the table and the plot
#   run           the same for one chapter, once, with all GPUs
#   test          whether results are right, up to more than 2^32 bytes
#   sanitize      compute-sanitizer's tools over every kernel
#   draw FOLDER   the plot anew, from FOLDER/many.csv
#
# B is the folder of the build, KIND chapter or solution, FROM where the sources are, STEMS the chapters,
# CUDA the toolkit, ALL_BINS the numbers of bins. SIZE is how much text lies on each card, ALL_SIZE on all of
# them, HOST_SIZE in host memory, FILE_SIZE in the file, which is written to FILE_FOLDER; ROUNDS is 3; LENGTHS
# are checked in place of those below. A chapter that includes <mpi.h> is run by mpirun, a rank for each GPU.
# Rows are left in build/gpu-bench: many-times.csv, many.csv.
goal=$1
results=build/gpu-bench
here=common/bench/gpu/many
patience=580
# No byte, fewer than cards, around slices, and more than 32 bits can number.
lengths=${LENGTHS:-0 1 2 3 7 8 9 31 32 33 255 256 257 65521 1048577 16777217 100000007 4294967341}
file_lengths=${LENGTHS:-0 1 2 7 9 33 257 65521 1048577 16777217 100000007 4294967341}

# Multicast over NVLink stays off, unless somebody has chosen: it can put the cards of a host out of service.
export NCCL_NVLS_ENABLE="${NCCL_NVLS_ENABLE:-0}"
# As root too, as in a container; threads of a rank may use all cores.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    OMPI_MCA_hwloc_base_binding_policy=none

uses_mpi() {
    grep -qs '^ *# *include *<mpi.h>' "$FROM/$1/many.cu" "solutions/$1/many.cu" \
        "tests/stubs/$1/many.cu"
}

# How many GPUs are here, of those that CUDA_VISIBLE_DEVICES leaves.
count_devices() {
    if [ -n "$CUDA_VISIBLE_DEVICES" ]; then
        echo "$CUDA_VISIBLE_DEVICES" | tr ',' '\n' | grep -c .
    else
        found=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')
        echo $((found > 0 ? found : 1))
    fi
}

# first N: the first of them, as CUDA_VISIBLE_DEVICES wants it
first() {
    if [ -n "$CUDA_VISIBLE_DEVICES" ]; then
        echo "$CUDA_VISIBLE_DEVICES" | cut -d, -f"1-$1"
    else
        seq -s, 0 $(($1 - 1))
    fi
}

# on N STEM BINS PROGRAM ARGUMENTS...: on the first N GPUs, in one process, or in a rank for each
on() {
    devices=$1 stem=$2 program=$B/$KIND-$3/$2/$4
    shift 4
    [ -e "$program" ] || return 0
    start=
    ! uses_mpi "$stem" || start="mpirun -n $devices"
    # shellcheck disable=SC2086
    CUDA_VISIBLE_DEVICES=$(first "$devices") timeout -k 5 $patience $start "$program" "$@"
    status=$?
    [ $status -ne 124 ] || echo "gpu: $stem on $devices GPUs: did not end within $patience s" >&2
    [ $status -eq 0 ] || failed=1
}

check() {
    folder=$(mktemp -d "${FILE_FOLDER:-build}/many-XXXXXX") || exit 1
    trap 'rm -rf "$folder"' EXIT
    for stem in $STEMS; do
        for bins in $ALL_BINS; do
            for devices in $(seq "$all_devices"); do
                if uses_mpi "$stem"; then
                    # shellcheck disable=SC2086
                    on "$devices" "$stem" "$bins" many_check "$stem" "$folder" $file_lengths
                else
                    # shellcheck disable=SC2086
                    on "$devices" "$stem" "$bins" many_check "$stem" $lengths
                fi
            done
        done
    done
}

# Four tools on one GPU; and one on all: kernels that wait for each other have to run at the same time,
# and the others run them one by one. NCCL tries calls of the driver that may fail, and goes on without; of
# each memcheck would make an error (github.com/NVIDIA/nccl, issue 727). It is not asked for failed calls
# here: the course checks every call of its own, and one that fails ends the program with status 1.
sanitize() {
    export MEMCHECK='--report-api-errors no'
    for stem in $STEMS; do
        for bins in $ALL_BINS; do
            program=$B/$KIND-$bins/$stem/many_check
            [ -e "$program" ] || continue
            if uses_mpi "$stem"; then
                echo "$program: left out: the tools are for programs without MPI"
                continue
            fi
            CUDA_VISIBLE_DEVICES=$(first 1) common/bench/gpu/once.sh "$stem 0 33 65521" "$program" ||
                failed=1
            [ "$all_devices" -gt 1 ] || continue
            CUDA_VISIBLE_DEVICES=$(first "$all_devices") TOOLS=memcheck PATIENCE=200 \
                ON=", $all_devices GPUs" common/bench/gpu/once.sh "$stem 0 33 65521" "$program" ||
                failed=1
        done
    done
}

# time_on N STEM BINS ROUND: from host memory in the first round alone, where a run takes long
time_on() {
    if ! uses_mpi "$2"; then
        host="pinned=${HOST_SIZE:-8G} pageable=${HOST_SIZE:-8G}"
        [ "$4" -eq 1 ] || host=
        # shellcheck disable=SC2086
        on "$1" "$2" "$3" many_times "$out" "$2" "each=${SIZE:-16G}" "all=${ALL_SIZE:-1G}" $host
    elif [ "$4" -eq 1 ]; then
        on "$1" "$2" "$3" many_times "$out" "$2" "$folder/text" "${FILE_SIZE:-16G}"
    fi
}

bench() {
    common/bench/gpu/kernel_times.sh machine >"$results/many-machine.txt"
    { nvidia-smi topo -m || :; } >>"$results/many-machine.txt" 2>/dev/null
    rm -f "$out"
    folder=$(mktemp -d "${FILE_FOLDER:-build}/many-XXXXXX") || exit 1
    trap 'rm -rf "$folder"' EXIT
    for round in $(seq "${ROUNDS:-3}"); do
        for bins in $ALL_BINS; do
            for stem in $STEMS; do
                for devices in $(seq "$all_devices"); do
                    time_on "$devices" "$stem" "$bins" "$round"
                done
            done
        done
    done
    summarize
    draw "$results"
}

summarize() {
    "${CC:-gcc}" -O1 -Icommon/tools/parts $here/many_summary.c common/tools/parts/csv.c \
        -o build/many_summary && build/many_summary "$results/many.csv" "$out" || exit 1
}

draw() {
    [ -e "$1/many.csv" ] || { echo "$1: there is no many.csv" >&2; exit 1; }
    command -v gnuplot >/dev/null || {
        echo "no plot: gnuplot is not installed (sudo apt-get install gnuplot-nox)"
        return
    }
    device=$(sed -n 's/^\(NVIDIA[^,]*\),.*/\1/p' "$1"/*machine.txt | head -n 1)
    gnuplot -e "folder='$1'; device='${device:-this GPU}'" $here/many_times.gp &&
        echo "The plot is $1/many.svg."
}

failed=
out=$results/many-times.csv
mkdir -p "$results"
all_devices=$(count_devices)
[ -z "$INPUT$TEXT$KEYS" ] || echo 'INPUT, TEXT and KEYS have no effect here' >&2
case $goal in
bench) bench ;;
run)
    out=$results/run-many.csv
    rm -f "$out"
    folder=$(mktemp -d "${FILE_FOLDER:-build}/many-XXXXXX") || exit 1
    trap 'rm -rf "$folder"' EXIT
    for bins in $ALL_BINS; do
        for stem in $STEMS; do
            SIZE=${SIZE:-4G} HOST_SIZE=${HOST_SIZE:-2G} FILE_SIZE=${FILE_SIZE:-2G} \
                time_on "$all_devices" "$stem" "$bins" 1
        done
    done
    echo "The rows are in $out."
    ;;
test) check ;;
sanitize) sanitize ;;
draw) draw "$2" ;;
esac
[ -z "$failed" ] || { echo 'gpu: wrong results, or a program that failed: it is said above' >&2; exit 1; }
