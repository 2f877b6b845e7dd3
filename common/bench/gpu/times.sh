#!/bin/sh
# times.sh GOAL 'FOLDER LIBRARY...'... - runs what gpu.mk has built for a card, one program after the other.
#
# gpu.mk tells what test, run, bench, sanitize, fidelity and micro are. `times.sh draw FOLDER` needs no card, and draws
# the plots of the CSV files there.
#
# A FOLDER below R is a workload and what it was compiled for, texts/26 or keys/argmax; each LIBRARY holds
# a kernel. The environment has G, R and CUDA of gpu.mk, and what the user has set: INPUT or TEXT, SIZE
# (texts in bytes, arrays in values, several GPUs in bytes a card), BINS and KEYS, CELLS (inputs in the words
# of the timing program, in place of all others), ALSO (one more library; % stands for what it is compiled
# for), HOST_SIZE (texts in host memory). Rows are left in build/gpu-bench.
goal=$1 results=build/gpu-bench
shift && mkdir -p "$results"

describe_machine() {
    cat "$G/device"
    nvidia-smi --query-gpu=driver_version,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem --format=csv 2>/dev/null
    nvidia-smi topo -m 2>/dev/null
    "$CUDA/bin/nvcc" --version 2>/dev/null | tail -n 2; LC_ALL=C date -u
}

# each GOAL RUN...: calls GOAL_texts, GOAL_keys, ... for each folder, if there is one, with variables for it
each() {
    todo=$1 && shift
    for run; do
        folder=${run%% *} libraries=${run#* } workload=${run%%/*} kind=calls variant=${folder#*/}
        case $workload in texts | keys | arrays | devices) kind=$workload ;; esac
        ! command -v "${todo}_$kind" >/dev/null || "${todo}_$kind"
    done
}

# Prints the libraries that kernels of this folder are timed beside. Newer ones follow those of the toolkit,
# for the later of two with one name gets its version.
peers() {
    for library in "$R/$folder"/*_peers.so ${CCCL:+"$R/$folder"/*_peers.newer.so} "$R/$folder/plain/kernel.so" \
        ${ALSO:+"$(echo "$ALSO" | sed "s/%/$variant/g")"}; do
        [ ! -e "$library" ] || echo "$library"
    done
}

# timed OUT SECONDS CELL...: one row for each cell and kernel, behind those of this run that are there
timed() {
    out=$results/$1.csv seconds=$2
    shift 2
    case " $begun " in *" $out "*) ;; *) begun="$begun $out" && rm -f "$out" ;; esac
    # shellcheck disable=SC2046,SC2086
    "$R/$folder/times" time "$out" "$seconds" $(peers) $libraries -- "$@" || failed=1
}

# -- texts: "64M:english" --
run_texts() { timed run-texts 40 "${CELLS:-${SIZE:-64M}:${INPUT:-${TEXT:-english}}}"; }
kinds=uniform,english,zipf,single,runs,sorted,smooth,bytes,lower
bench_texts() {
    [ -z "$CELLS$INPUT$TEXT$SIZE" ] || {
        timed bench-part 40 "${CELLS:-${SIZE:-64M}:${INPUT:-${TEXT:-$kinds}}}"
        return
    }
    timed bench-kinds-64M 40 "64M:$kinds"
    timed bench-kinds-1G 1.3 1G:bytes,lower,english,single,runs,zipf,smooth
    [ "$variant" != 5 ] || timed bench-sizes-5 40 64K,256K,1M,4M,16M,64M,256M,1G,4294967295:english
}

# -- keys: "505:zipf", "505:zipf0.75@1000000"; BATCH makes many histograms of them --
# Those that take many histograms at once are timed beside chapter 20, which is called for each.
keys() {
    both=$(echo "$libraries" | tr ' ' '\n')
    libraries=$(echo "$both" | grep -v _batched/)
    # shellcheck disable=SC2086
    [ -z "$libraries" ] || timed "$1" 3 ${CELLS:-"$2:${KEYS:-$3}"}
    libraries=$(echo "$both" | grep -e _batched/ -e _many_bins/)
    case "$libraries$CELLS" in *_batched/*so) ;; *) return ;; esac
    for cell in 50:12281 5000:505 100000:31; do
        BATCH=${cell%:*} timed "$1-batched" 3 "${cell#*:}:${KEYS:-uniform,zipf,single}"
    done
}
run_keys() { keys run-keys "${KEY_BINS:-12281}" uniform; }
bench_keys() { keys reduce-by-index "${KEY_BINS:-all}" all; }

# -- arrays: bytes, or values: "16Mv" --
sizes=${CELLS:-${SIZE:+${SIZE}v}}
sizes=${sizes:-64K,1M,50000000,200000000,1G,4G}
run_arrays() { timed run-arrays 3 "$sizes"; }
bench_arrays() { timed reduce 3 "$sizes"; }
# No value, less than a warp, a warp, a block and their neighbors; above 2^24, and above 2^31.
test_arrays() {
    # shellcheck disable=SC2086
    "$R/$folder/times" check $libraries -- ${CELLS:-0v,1v,31v,32v,33v,255v,256v,257v,1023v,1024v,1025v,65521v,1048577v,16777217v,50000001v,2147483649v} || failed=1
}

# -- contracts that say themselves on which inputs they are timed: "picture:10" --
run_calls() { timed "run-$workload" 3 "${CELLS:-all}"; }
bench_calls() { timed "$workload" 3 "${CELLS:-all}"; }

# -- several GPUs: "each:16G" --
# Multicast over NVLink stays off unless somebody has chosen: it can put the cards of a host out of service.
export NCCL_NVLS_ENABLE="${NCCL_NVLS_ENABLE:-0}"
# The numbers of all GPUs, with commas: those that CUDA_VISIBLE_DEVICES leaves.
found=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')
all=${CUDA_VISIBLE_DEVICES:-$(seq -s, 0 $((found > 0 ? found - 1 : 0)))}
count=$(echo "$all" | tr ',' '\n' | grep -c .)

# on_devices N WORD...: the timing program on the first N GPUs
on_devices() {
    visible=$(echo "$all" | cut -d, -f"1-$1") && shift
    CUDA_VISIBLE_DEVICES=$visible timeout -k 5 580 "$R/$folder/times" "$@" || failed=1
}
# No byte, fewer bytes than GPUs, around slices, and more than 32 bits can number.
lengths=${LENGTHS:-0,1,2,3,7,8,9,31,32,33,255,256,257,65521,1048577,16777217,100000007,4294967341}
# shellcheck disable=SC2086
test_devices() { for n in $(seq "$count"); do on_devices "$n" check $libraries -- "$lengths"; done; }
many=$results/run-many.csv
[ "$goal" = run ] || many=$results/many.csv
time_devices() {
    # shellcheck disable=SC2086
    on_devices "$1" time "$many" 2 $libraries -- "each:${SIZE:-$2}" all:1G "pinned,pageable:${HOST_SIZE:-$3}"
}
run_devices() { time_devices "$count" 4G 2G; }
bench_devices() { for n in $(seq "$count"); do time_devices "$n" 16G 8G; done; }

# -- compute-sanitizer, for kernels with short inputs --
# sanitize CELL [OPTION]: each tool over each kernel; what a tool says stays in a file beside the library
sanitize() {
    for library in $libraries; do
        for tool in memcheck racecheck initcheck synccheck; do
            log=${library%.so}.$tool
            # shellcheck disable=SC2086
            CUDA_VISIBLE_DEVICES=${all%%,*} timeout -k 5 500 "$CUDA/bin/compute-sanitizer" --tool $tool $2 \
                --error-exitcode 9 "$R/$folder/times" once "$library" -- "$1" >"$log" 2>&1 &&
                echo "$tool ${library%/*}: clean" || { echo "$tool ${library%/*}: see $log"; : >"$log.failed"; } &
        done
        wait
        for log in "${library%.so}".*.failed; do [ ! -e "$log" ] || { failed=1; rm "$log"; }; done
    done
}
sanitize_texts() { sanitize 65521:english; }
sanitize_keys() { sanitize "${KEY_BINS:-505}:${KEYS:-zipf}@65521"; }
sanitize_arrays() { sanitize 65521v; }
# NCCL tries calls of the driver that may fail, and goes on without them; memcheck would call each an error.
sanitize_devices() { sanitize 0,33,65521 '--report-api-errors no'; }

# -- suites, counters, constants, plots --
# Four at a time, for most of a suite is the judge's work. One that fails is judged once more by itself: the
# others may have had the memory.
test_suites() {
    : >"$G/again"
    # shellcheck disable=SC2016
    xargs -r -d '\n' -n 1 -P 4 sh -c 'log=$(sh -c "$1" 2>&1) && printf "%s\n" "$log" ||
        printf "%s\n" "$1" >>"$0"' "$G/again" <"$G/suites"
    # shellcheck disable=SC2016
    xargs -r -d '\n' -n 1 sh -c 'sh -c "$0"' <"$G/again" || failed=1
}
fidelity() {
    ncu=$(command -v ncu || echo "$CUDA/bin/ncu") count=common/bench/fidelity.py
    for name in kernels patterns updates loads aggregates shapes; do
        python3 -B $count "$name" "$G/fidelity/$name" "$G/fidelity" "$ncu" || exit 1
    done
    # shellcheck disable=SC2046
    python3 -B $count chapters "$ncu" "$G/fidelity" $(cat "$G/cells") || exit 1
    echo "The chapters' counters are in $G/fidelity/counters.csv."
}
micro() {
    { "$R/texts/5/micro" && "$R/texts/26/micro" characters && "$R/texts/256/micro" characters; } \
        >"$results/micro.csv" || exit 1
    cat "$results/micro.csv"
}
draw() {
    command -v gnuplot >/dev/null || { echo 'no plots: gnuplot is not installed (gnuplot-nox)'; return; }
    device=$(sed -n 's/^\(NVIDIA[^,]*\),.*/\1/p' "$1/machine.txt" | head -n 1)
    gnuplot -e "folder='$1'; device='${device:-this GPU}'" common/bench/gpu/times.gp && echo "The plots are $1/*.svg."
}

case $goal in run | bench) describe_machine >"$results/machine.txt" ;; esac
case "$goal $*" in *\ devices/*) rm -f "$many" ;; esac
case $goal in
test) test_suites; each test "$@" ;;
sanitize) each sanitize "$@" ;;
run) each run "$@"; echo "The rows are in $results." ;;
bench) each bench "$@"; draw "$results"; echo "The rows are in $results." ;;
*) "$goal" "$@" ;;
esac
[ -z "$failed" ] || { echo 'gpu: wrong results, or a kernel that did not end, as the lines above tell' >&2; exit 1; }
