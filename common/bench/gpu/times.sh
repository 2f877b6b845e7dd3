#!/bin/sh
# times.sh GOAL - what is done with the programs for a real GPU, one after the other, for the chapters STEMS.
#
#   test           whether results are right: arrays from no value to 2^31 + 1, texts on 1, 2, ... GPUs
#   run            each chapter on one input, next to what it is measured against
#   bench          all inputs: kinds of text, bins and keys, sizes, places; CSV files, tables and plots
#   sweep          CELLS cells drawn by SEED, of operation, bins, elements and keys; a CSV file, a plot
#   experiments    what layout, numbers of blocks and bins, and one hot bin do; CSV files
#   draw FOLDER    tables and plots anew, from the CSV files in FOLDER
#   micro          the constants of the prediction, and latencies, measured
#   sanitize       compute-sanitizer's four tools over every kernel
#   fidelity       the simulator's counters against Nsight Compute's
#   times BINS TEXT STEM...   measured times beside the counters, for plain make on a machine
#                  with a GPU: prints the name of a CSV file, and of the one with the GPU's name
#
# B is the folder of the build, KIND chapter or solution, FROM where the sources are, BINS the numbers of
# bins, CUDA the toolkit. These choose a part: INPUT or TEXT, SIZE (of texts in bytes, of arrays in values, on
# each card in bytes); OPERATION, KEY_BINS, KEYS, CAP; with several GPUs ALL_SIZE, on all of them, HOST_SIZE, in
# host memory, FILE_SIZE, in a file, which is written to FILE_FOLDER, ROUNDS, and LENGTHS to be judged.
# Everything is left in build/gpu-bench, or in B/fidelity.
goal=$1
shift
results=build/gpu-bench
here=common/bench/gpu
failed=

# stems FILE: of STEMS those whose kernel is that file
stems() {
    for stem in $STEMS; do
        [ ! -e "$FROM/$stem/$1" ] || echo "$stem"
    done
}

# built VARIANT STEMS [OPERATION]: their libraries; those that refuse so many bins have none
built() {
    for stem in $2; do
        library=$B/$KIND-$1/$stem${3:+/$3}/kernel.so
        [ ! -e "$library" ] || echo "$library"
    done
}

# peers ROOM: the libraries that chapters are measured against, of the toolkit and, if CCCL names one, newer ones
# behind it: the later one of two gets its version.
peers() {
    for library in "$1"/*_peers.so ${CCCL:+"$1"/*_peers.newer.so}; do
        [ ! -e "$library" ] || echo "$library"
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

describe_machine() {
    cat "$B/device"
    nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem \
        --format=csv 2>/dev/null
    "$CUDA/bin/nvcc" --version 2>/dev/null | tail -n 2
    LC_ALL=C date -u
}

# summarize TABLE FOLDER: FOLDER/TABLE.csv, from the rows that are there
summarize() {
    if command -v python3 >/dev/null; then
        python3 common/reports/summary.py "$1" "$2" || exit 1
    else
        echo "no $1.csv: it is put together by Python 3, which is not installed"
    fi
}

draw() {
    command -v gnuplot >/dev/null || {
        echo "no plots: gnuplot is not installed (sudo apt-get install gnuplot-nox)"
        return
    }
    device=$(sed -n 's/^\(NVIDIA[^,]*\),.*/\1/p' "$1"/*machine.txt | head -n 1)
    gnuplot -e "folder='$1'; device='${device:-this GPU}'" $here/times.gp &&
        echo "The plots are $1/*.svg."
}

# -- chapters that count texts --

texts=$(stems histogram.cu)
contents=uniform,english,zipf,single,runs,sorted,smooth,bytes,lower
seven=bytes,lower,english,single,runs,zipf,smooth

# vary BINS...: builds the chapters with fewer loads in flight, and with two blocks on a
# multiprocessor: only that number differs in the source. They are called
# 10_wide_loads-loads-1 and so on. A kernel that takes two words at a time has no single load.
vary() {
    rm -rf "$B/varied" "$B/varied-"*
    for stem in $texts; do
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
        ${MAKE:-make} -f common/make/gpu.mk KIND=varied FROM="$B/varied" "BINS=$bins" \
            "STEMS=$(ls "$B/varied")" programs || exit 1
    done
}

# time_texts BINS OUT SECONDS KINDS SIZES [varied]. The seconds that a row may take keep all of
# bench within eight minutes on an H200. A row that would take longer says so in its CSV.
time_texts() {
    so_far "$2, $1 bins"
    of_workload=$B/common-$1/bench/texts
    # shellcheck disable=SC2046
    "$of_workload/times" time "$results/$2.csv" "$3" $(peers "$of_workload") $(built "$1" "$texts") \
        ${6:+$(ls "$B/varied-$1"/*/kernel.so 2>/dev/null)} -- "${SIZE:-$5}:${INPUT:-${TEXT:-$4}}" ||
        failed=1
}
# time_contents OUT SECONDS KINDS SIZE [varied]
time_contents() {
    for bins in $BINS; do time_texts "$bins" "$@"; done
}

bench_texts() {
    steps=$(($(echo "$BINS" | wc -w) * 4 + 1)) # the calls of time_texts below
    [ -z "$INPUT$TEXT$SIZE" ] || steps=$(echo "$BINS" | wc -w)
    rm -f "$results"/bench-*.csv
    describe_machine >"$results/machine.txt"
    if [ -n "$INPUT$TEXT$SIZE" ]; then
        time_contents bench-part 40 "$contents" 64M
    else
        # shellcheck disable=SC2086
        vary $BINS
        time_contents bench-kinds-64M 40 "$contents" 64M
        time_texts 5 bench-sizes-5 40 english 64K,256K,1M,4M,16M,64M,256M,1G,4294967295
        time_contents bench-kinds-1M 40 $seven 1M varied
        time_contents bench-kinds-50M 40 "$contents" 50000000 varied
        time_contents bench-kinds-1G 1.3 "$contents" 1G varied
    fi
    steps=
    echo
    grep -h ',left out' "$results"/bench-*.csv | while IFS=, read -r who input bins length _; do
        echo "left out: $who on $input, $bins bins, $length bytes"
    done
}

# One decision at a time, each in a file: docs/results/README.md says what is in them.
experiments() {
    steps=$((3 + $(echo "$BINS" | wc -w))) # time_texts; what comes before is short
    for name in reading layouts blocks skew bins; do rm -f "$results/$name.csv"; done
    of_workload=$B/common-5/bench/texts
    "$of_workload/times" time "$results/reading.csv" 40 "$of_workload/layouts.so#reading" -- 64M:uniform || exit 1
    for bins in 5 26 256; do
        of_workload=$B/common-$bins/bench/texts
        for name in layouts blocks; do
            "$of_workload/times" time "$results/$name.csv" 40 "$of_workload/layouts.so#$name" -- \
                64M:english,uniform || exit 1
        done
        time_texts $bins skew 40 hot0,hot25,hot50,hot75,hot90,hot99 64M
    done
    for bins in $BINS; do time_texts "$bins" bins 40 uniform 64M; done
    echo "The rows are in $results: reading, layouts, blocks, skew and bins.csv."
}

# -- chapters with an operation --

# time_operation ROOM STEMS OPERATION OUT CELLS...: nothing where no chapter takes the operation
time_operation() {
    of_workload=$B/common-keys/bench/$1/$3 out=$results/$4.csv
    libraries=$(built keys "$2" "$3")
    shift 4
    [ "$libraries" ] || return 0
    rm -f "$out"
    # shellcheck disable=SC2046,SC2086
    "$of_workload/times" time "$out" "${longest:-3}" $(peers "$of_workload") $libraries -- "$@" || failed=1
}

by_index=$(stems reduce_by_index.cu)
batched=$(stems reduce_by_index_batched.cu)
reducing=$(stems reduce.cu)
of_keys=${OPERATION:-count saturate float_sum wide_sum argmax vector_sum minmax}
of_arrays=${OPERATION:-sum float_sum max dot}
sizes=${SIZE:+${SIZE}v}
sizes=${sizes:-64K,1M,50000000,200000000,1G,4G}

bench_keys() {
    describe_machine >"$results/by-index-machine.txt"
    for operation in $of_keys; do
        time_operation keys "$by_index" "$operation" \
            "by-index-$operation${KEY_BINS:+-$KEY_BINS}${KEYS:+-$KEYS}${CAP:+-$CAP}" \
            "${KEY_BINS:-all}:${KEYS:-all}"
    done
    summarize reduce-by-index "$results"
    [ -z "$OPERATION$KEY_BINS$KEYS$CAP" ] || return 0
    rm -f "$results"/reduce-by-index-copies.csv "$results"/reduce-by-index-clusters.csv
    rm -f "$results/reduce-by-index-millions.csv"
    time_millions 50000000 4000000,16777216,100000000:uniform,zipf,single,ninety,stride63,sorted
    time_millions 1000000 1572863,4000000,16777216:uniform,zipf,single,ninety,sorted
    rm -f "$results/reduce-by-index-buckets.csv"
    for operation in wide_sum float_sum argmax minmax vector_sum; do
        time_buckets $operation 505,12281,49145,196607,1572863,4000000:uniform,zipf,single,ninety,sorted
    done
    for operation in count saturate; do
        time_placements $operation copies copies 31,505:uniform,stride63
    done
    time_placements count passes copies 1572863:uniform,zipf
    time_placements count clusters clusters 58112,116224:uniform,zipf
}

# time_millions LENGTH CELLS: counts in more bins than the buckets of chapter 25 hold
time_millions() {
    of_workload=$B/common-keys/bench/keys/count
    library=$(built keys "$(echo "$by_index" | grep _choosing)" count)
    # shellcheck disable=SC2046,SC2086
    [ -z "$library" ] || LENGTH=$1 "$of_workload/times" time "$results/reduce-by-index-millions.csv" 3 \
        $(peers "$of_workload") $library -- "$2" || failed=1
}

# time_buckets OPERATION CELLS: elements with values, sent to buckets where shared memory is too small
time_buckets() {
    library=$(built keys "$(echo "$by_index" | grep _choosing)" "$1")
    [ -z "$library" ] || "$B/common-keys/bench/keys/$1/times" time \
        "$results/reduce-by-index-buckets.csv" 3 "$library" -- "$2" || failed=1
}

# time_placements OPERATION TABLE OUT CELLS: bins where no chapter has them, beside passes
time_placements() {
    of_workload=$B/common-keys/bench/keys/$1
    # shellcheck disable=SC2046
    [ ! -e "$of_workload/placements.so" ] || "$of_workload/times" time "$results/reduce-by-index-$3.csv" 3 \
        "$of_workload/placements.so#$2" $(built keys "$(echo "$by_index" | grep _passes)" "$1") -- "$4" || failed=1
}

# A run is waited for half a second, so that 200 cells end within five minutes.
sweep() {
    longest=0.5 seed=${SEED:-1}
    command -v python3 >/dev/null || {
        echo 'sweep: its cells are drawn by Python 3, which is not installed' >&2
        exit 1
    }
    rm -f "$results"/sweep-*.csv
    describe_machine >"$results/sweep-machine.txt"
    for operation in $of_keys; do
        cells=$(python3 common/reports/sweep.py draw "$seed" "${CELLS:-200}" "$operation") || exit 1
        # shellcheck disable=SC2086
        [ -z "$cells" ] || time_operation keys "$by_index" "$operation" "sweep-$operation" $cells
    done
    echo
    python3 common/reports/sweep.py table "$results" "$seed" || exit 1
    draw "$results"
    echo "A row for each cell is in $results/sweep-$seed.csv."
}

# Many histograms at once, from long to short, beside a call for each of them.
bench_batched() {
    out=reduce-by-index-batched
    rm -f "$results/$out.csv"
    for operation in ${OPERATION:-count}; do
        for cell in 50:12281 5000:505 100000:31; do
            of_workload=$B/common-keys/bench/keys/$operation
            # shellcheck disable=SC2046
            BATCH=${cell%:*} "$of_workload/times" time "$results/$out.csv" 3 \
                $(built keys "$(echo "$by_index" | grep _many_bins) $batched" "$operation") -- \
                "${cell#*:}:${KEYS:-uniform,zipf,single}" || failed=1
        done
    done
}

bench_arrays() {
    describe_machine >"$results/reduce-machine.txt"
    for operation in $of_arrays; do
        time_operation arrays "$reducing" "$operation" "reduce-times-$operation${SIZE:+-$SIZE}" "$sizes"
    done
    summarize reduce "$results"
    [ -z "$SIZE$OPERATION" ] || return 0
    rm -f "$results"/reduce-atomics*.csv
    for operation in sum float_sum; do # what an atomic costs, of integers and of floats
        of_workload=$B/common-keys/bench/arrays/$operation
        [ ! -e "$of_workload/contention.so" ] || "$of_workload/times" time "$results/reduce-atomics-times.csv" 3 \
            "$of_workload/contention.so#contention" -- 0v,50000000 || failed=1
    done
    summarize reduce-atomics "$results"
}

# No value, less than a warp, a warp, a block and their neighbours; above 2^24, and above 2^31.
lengths_of_arrays=0v,1v,31v,32v,33v,255v,256v,257v,1023v,1024v,1025v,65521v,1048577v,16777217v,50000001v,2147483649v

# Each kernel, by its results.
test_arrays() {
    for operation in $of_arrays; do
        libraries=$(built keys "$reducing" "$operation")
        # shellcheck disable=SC2086
        [ -z "$libraries" ] || "$B/common-keys/bench/arrays/$operation/times" check $libraries -- \
            $lengths_of_arrays || failed=1
    done
}

# -- chapters whose contracts say on which inputs they are timed --

called=
for plain in common/bench/gpu/plain_*.cu; do
    contract=$(basename "$plain" .cu)
    contract=${contract#plain_}
    [ -z "$(stems "$contract.cu")" ] || called="$called $contract"
done

# time_calls OUT CELLS...: a file for each contract, beside the plain kernel, and what Python has
time_calls() {
    prefix=$1
    shift
    for contract in $called; do
        out=$results/$prefix$contract.csv
        rm -f "$out"
        for of_workload in "$B/common-keys/bench/$contract"/*/; do
            # shellcheck disable=SC2046
            [ ! -e "${of_workload}times" ] || "${of_workload}times" time "$out" "${longest:-3}" "${of_workload}plain/kernel.so" \
                $(built keys "$(stems "$contract.cu")" "$(basename "$of_workload")") -- "$@" || failed=1
        done
        python3 -c 'import torch' 2>/dev/null ||
            { echo 'not beside PyTorch and CuPy: Python 3 does not have them here'; continue; }
        python3 -B common/reports/python_peers.py "$contract" "$out" || failed=1
    done
}

bench_calls() {
    describe_machine >"$results/calls-machine.txt"
    time_calls '' all
}

# -- chapters for several GPUs, with 1, 2, ... of them --

several=$(stems many.cu)
# No byte, fewer than cards, around slices, and more than 32 bits can number.
lengths=${LENGTHS:-0 1 2 3 7 8 9 31 32 33 255 256 257 65521 1048577 16777217 100000007 4294967341}
lengths=$(echo "$lengths" | tr ' ' ',')

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

# on N STEM BINS GOAL [OUT SECONDS] -- CELLS...: on the first N GPUs, in one process, or in a rank for each
on() {
    devices=$1 stem=$2 bins=$3 library=$B/$KIND-$3/$2/kernel.so what=$4 start='' of_workload=devices
    shift 4
    [ -e "$library" ] || return 0
    ! uses_mpi "$stem" || start="mpirun -n $devices" of_workload=ranks
    if [ "$what" = time ]; then what="time $1 $2" && shift 2; fi
    # shellcheck disable=SC2086
    CUDA_VISIBLE_DEVICES=$(first "$devices") timeout -k 5 580 $start \
        "$B/common-$bins/bench/$of_workload/times" $what "$library" "$@"
    status=$?
    [ $status -ne 124 ] || echo "gpu: $stem on $devices GPUs: did not end within 580 s" >&2
    [ $status -eq 0 ] || failed=1
}

make_folder() {
    folder=$(mktemp -d "${FILE_FOLDER:-build}/many-XXXXXX") || exit 1
    trap 'rm -rf "$folder"' EXIT
}

test_devices() {
    make_folder
    for stem in $several; do
        for bins in $BINS; do
            for devices in $(seq "$(count_devices)"); do
                echo "$stem on $devices GPU$([ "$devices" -eq 1 ] || echo s):"
                if uses_mpi "$stem"; then
                    on "$devices" "$stem" "$bins" check -- "$lengths,absent,folder:$folder"
                else
                    on "$devices" "$stem" "$bins" check -- "$lengths"
                fi
            done
        done
    done
}

# time_devices N STEM BINS ROUND: from host memory in the first round alone, where a run takes long
time_devices() {
    if ! uses_mpi "$2"; then
        host="pinned,pageable:${HOST_SIZE:-8G}"
        [ "$4" -eq 1 ] || host=
        # shellcheck disable=SC2086
        on "$1" "$2" "$3" time "$out" 2 -- "each:${SIZE:-16G}" "all:${ALL_SIZE:-1G}" $host
    elif [ "$4" -eq 1 ]; then
        on "$1" "$2" "$3" time "$out" 2 -- "${FILE_SIZE:-16G}:$folder/text"
    fi
}

bench_devices() {
    out=$results/many-times.csv
    rm -f "$out"
    describe_machine >"$results/many-machine.txt"
    { nvidia-smi topo -m || :; } >>"$results/many-machine.txt" 2>/dev/null
    make_folder
    for round in $(seq "${ROUNDS:-3}"); do
        for bins in $BINS; do
            for stem in $several; do
                for devices in $(seq "$(count_devices)"); do
                    time_devices "$devices" "$stem" "$bins" "$round"
                done
            done
        done
    done
    summarize many "$results"
}

run_devices() {
    out=$results/run-many.csv SIZE=${SIZE:-4G} HOST_SIZE=${HOST_SIZE:-2G} FILE_SIZE=${FILE_SIZE:-2G}
    rm -f "$out"
    make_folder
    for bins in $BINS; do
        for stem in $several; do time_devices "$(count_devices)" "$stem" "$bins" 1; done
    done
}

# -- profiler and sanitizer --

# sanitize_one ROOM LIBRARY CELLS: compute-sanitizer's four tools over a kernel, at a time. TOOLS names
# others, MEMCHECK is what memcheck gets besides; ON is said of the kernel, and its files are then kept
# apart. What a tool said is beside the library, and its first line is printed.
sanitize_one() {
    for tool in ${TOOLS:-memcheck racecheck initcheck synccheck}; do
        log=${2%.so}.$tool${ON:+-all} more=
        [ "$tool" != memcheck ] || more=$MEMCHECK
        # shellcheck disable=SC2086
        timeout -k 5 500 "$CUDA/bin/compute-sanitizer" --tool $tool $more --error-exitcode 9 \
            "$1/times" once "$2" -- "$3" >"$log" 2>&1 && rm -f "$log.failed" || touch "$log.failed" &
    done
    wait
    for tool in ${TOOLS:-memcheck racecheck initcheck synccheck}; do
        log=${2%.so}.$tool${ON:+-all}
        if [ -e "$log.failed" ]; then
            first=$(sed -n '/^========= COMPUTE-SANITIZER/d; s/^========= *\(.\)/: \1/p' "$log" |
                head -n 1)
            echo "$tool ${2%/*}$ON: see $log$first"
            failed=1
        else
            echo "$tool ${2%/*}$ON: clean"
        fi
    done
}

# Four tools on one GPU; and one on all: kernels that wait for each other have to run at the same time,
# and the others run them one by one. NCCL tries calls of the driver that may fail, and goes on without; of
# each memcheck would make an error (github.com/NVIDIA/nccl, issue 727). It is not asked for failed calls
# here: the course checks every call of its own, and one that fails ends the program with status 1.
sanitize_devices() {
    MEMCHECK='--report-api-errors no'
    if uses_mpi "$2"; then
        echo "$2: left out: the tools are for programs without MPI"
        return
    fi
    all=$(count_devices) before=$CUDA_VISIBLE_DEVICES
    export CUDA_VISIBLE_DEVICES
    CUDA_VISIBLE_DEVICES=$(first 1)
    sanitize_one "$B/common-$1/bench/devices" "$B/$KIND-$1/$2/kernel.so" 0,33,65521
    CUDA_VISIBLE_DEVICES=$before
    if [ "$all" -gt 1 ]; then
        CUDA_VISIBLE_DEVICES=$(first "$all") TOOLS=memcheck ON=", $all GPUs"
        sanitize_one "$B/common-$1/bench/devices" "$B/$KIND-$1/$2/kernel.so" 0,33,65521
    fi
    CUDA_VISIBLE_DEVICES=$before TOOLS='' ON='' MEMCHECK=''
}

sanitize() {
    for bins in $BINS; do
        for library in $(built "$bins" "$texts"); do
            sanitize_one "$B/common-$bins/bench/texts" "$library" 65521:english
        done
        for stem in $several; do
            [ ! -e "$B/$KIND-$bins/$stem/kernel.so" ] || sanitize_devices "$bins" "$stem"
        done
    done
    export LENGTH=65521
    for operation in $of_keys; do
        for library in $(built keys "$by_index" "$operation"); do
            sanitize_one "$B/common-keys/bench/keys/$operation" "$library" "${KEY_BINS:-505}:${KEYS:-zipf}"
        done
    done
    for operation in $of_arrays; do
        for library in $(built keys "$reducing" "$operation"); do
            sanitize_one "$B/common-keys/bench/arrays/$operation" "$library" 65521v
        done
    done
}

fidelity() {
    ncu=$(command -v ncu || echo "$CUDA/bin/ncu")
    for name in kernels patterns updates loads aggregates; do
        "$CUDA/bin/nvcc" -O3 "-arch=${ARCH:-native}" -ccbin "${CXX:-g++}" "tests/fidelity/$name.cu" \
            -o "$B/fidelity-$name" || exit 1
        python3 common/reports/fidelity.py "$name" "$B/fidelity-$name" "$B/fidelity" "$ncu" || exit 1
    done
    # shellcheck disable=SC2046
    python3 common/reports/fidelity.py chapters "$ncu" "$B/fidelity" \
        $(for stem in $STEMS; do ls "$B/$KIND"-*/"$stem"/cells "$B/$KIND"-*/"$stem"/*/cells; done \
            2>/dev/null) || exit 1
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
    $here/probe.sh "$nvcc" "$ARCH" "${CXX:-g++}" "$B" >/dev/null || exit 0
    ${MAKE:-make} -f common/make/gpu.mk "ARCH=$ARCH" KIND=solution FROM=solutions \
        "BINS=$bins" "STEMS=$STEMS" programs >&2 || exit 0
    out=$B/times-$bins.csv
    rm -f "$out"
    # shellcheck disable=SC2046
    "$B/common-$bins/bench/texts/times" time "$out" 20 $(built "$bins" "$STEMS") -- "all:$text" \
        >"$out.table" 2>"$out.log" || {
        echo "no measured times: $(tail -n 1 "$out.log")" >&2
        exit 0
    }
    echo "$out $B/device"
}

ignored() {
    [ -z "$2" ] || echo "$1 have no effect on $3" >&2
}

mkdir -p "$results"
[ -z "$by_index" ] || ignored 'SIZE, INPUT and TEXT' "$SIZE$INPUT$TEXT" 'reducing by index: it is always 50,000,000 elements'
[ -z "$reducing$called$several" ] || ignored 'INPUT, TEXT and KEYS' "$INPUT$TEXT$KEYS" 'these chapters'
case $goal in
test)
    [ -z "$reducing" ] || test_arrays
    [ -z "$several" ] || test_devices
    ;;
run)
    rm -f "$results/run.csv"
    [ -z "$texts" ] || time_texts "${BINS%% *}" run 40 english 64M
    for operation in $of_keys; do
        case $KEYS in wafer) usual=all ;; *) usual=12281 ;; esac # all: its own
        time_operation keys "$by_index" "$operation" "run-$operation" \
            "${KEY_BINS:-$usual}:${KEYS:-uniform}"
    done
    for operation in $of_arrays; do
        time_operation arrays "$reducing" "$operation" "run-reduce-$operation" "$sizes"
    done
    [ -z "$batched" ] || bench_batched
    [ -z "$called" ] || time_calls run- all
    [ -z "$several" ] || run_devices
    printf '\nThe rows are in %s: run*.csv.\n' "$results"
    ;;
bench)
    [ -z "$texts" ] || bench_texts
    [ -z "$by_index" ] || bench_keys
    [ -z "$batched" ] || bench_batched
    [ -z "$reducing" ] || bench_arrays
    [ -z "$called" ] || bench_calls
    [ -z "$several" ] || bench_devices
    [ -n "$INPUT$TEXT" ] || draw "$results"
    echo "The rows are in $results."
    ;;
draw)
    for table in reduce-by-index reduce reduce-atomics many; do
        [ ! -e "$1/$table.csv" ] || summarize $table "$1"
    done
    draw "$1"
    ;;
micro)
    { "$B/common-5/bench/texts/micro" && "$B/common-26/bench/texts/micro" characters &&
        "$B/common-256/bench/texts/micro" characters; } >"$results/micro.csv" || exit 1
    "$B/common-5/bench/texts/latencies" >"$results/latencies.csv" || exit 1
    cat "$results/micro.csv" "$results/latencies.csv"
    ;;
sweep | experiments | sanitize | fidelity) "$goal" ;;
times) measured "$@" ;;
esac
[ -z "$failed" ] || { echo 'gpu: wrong results, or a kernel that did not end: it is said above' >&2; exit 1; }
