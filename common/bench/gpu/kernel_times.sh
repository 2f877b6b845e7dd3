#!/bin/sh
# kernel_times.sh run|bench BINS... - times all kernels that are built, on kinds of text and sizes.
#
# B is the folder of the build, KIND chapter or solution, STEMS the chapters; INPUT, TEXT or SIZE choose a part. The
# CSV files, and plots of them, are left in build/gpu-bench.
#
# The seconds that a row may take keep all of it within ten minutes on an H200. A row that would
# take longer says so in its CSV.
goal=$1
shift
here=$(dirname "$0")
results=build/gpu-bench
kinds=uniform,english,zipf,single,runs,sorted,smooth,bytes,lower
mkdir -p "$results"

# time_kernels BINS OUT SECONDS INPUTS SIZES
time_kernels() {
    libraries=$B/common-$1/baselines.so
    for stem in $STEMS; do # those that refuse so many bins have none
        [ -e "$B/$KIND-$1/$stem/histogram.so" ] && libraries="$libraries $B/$KIND-$1/$stem/histogram.so"
    done
    # shellcheck disable=SC2086
    "$B/common-$1/kernel_times" "$results/$2.csv" "$3" "${INPUT:-${TEXT:-$4}}" "${SIZE:-$5}" $libraries || exit 1
}
# time_kinds OUT SECONDS SIZES, for all BINS
time_kinds() {
    for bins in $all_bins; do time_kernels "$bins" "$1" "$2" "$kinds" "$3"; done
}
describe_machine() {
    cat "$B/device"
    nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem \
        --format=csv 2>/dev/null
    nvcc --version 2>/dev/null | tail -n 2
    LC_ALL=C date -u
}

all_bins=$*
if [ "$goal" = run ]; then
    rm -f "$results/run.csv"
    time_kernels "$1" run 40 english 64M
    echo
    echo "The rows are in $results/run.csv."
    exit
fi
rm -f "$results"/*.csv
describe_machine >"$results/machine.txt"
if [ -n "$INPUT$TEXT$SIZE" ]; then
    time_kinds bench-part 40 64M
else
    time_kinds bench-kinds-64M 40 64M
    time_kernels 5 bench-sizes-5 40 english 64K,256K,1M,4M,16M,64M,256M,1G,4294967295
    time_kinds bench-kinds-50M 40 50000000
    time_kinds bench-kinds-1G 5.2 1G
    "$here/plots.sh" "$results"
fi
echo
grep -h ',left out' "$results"/*.csv | while IFS=, read -r who input bins length _; do
    echo "left out: $who on $input, $bins bins, $length bytes"
done
echo "The rows are in $results."
