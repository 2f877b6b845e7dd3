#!/bin/sh
# times.sh BINS TEXT STEM... - measured times beside the counters: plain make, on a machine with a GPU.
#
# Times the solutions on TEXT and prints the name of the CSV file, and of the one with the GPU's
# name. Without nvcc or a GPU nothing happens, and nothing is said. Only of solutions: an own
# kernel that never ends would hang the card, and has make chapter5 gpu run. CUB and Thrust stay
# out, since they take longer to compile than all the rest.
bins=$1 text=$2
shift 2
here=$(dirname "$0")
ARCH=${ARCH:-native}
B=build/gpu-$ARCH
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ -x "$nvcc" ] || exit 0
{ ls /dev/nvidia[0-9]* /dev/dxg || nvidia-smi -L; } 2>/dev/null | grep -q . || exit 0
"$here/probe.sh" "$nvcc" "$ARCH" "${CXX:-g++}" "$B" >/dev/null || exit 0
${MAKE:-make} -f common/make/gpu_variant.mk "ARCH=$ARCH" KIND=solution FROM=solutions "BINS=$bins" \
    "STEMS=$*" programs-of-times >&2 || exit 0
libraries=
for stem in "$@"; do
    library=$B/solution-$bins/$stem/histogram.so
    [ ! -e "$library" ] || libraries="$libraries $library"
done
out=$B/times-$bins.csv
rm -f "$out"
# shellcheck disable=SC2086
"$B/common-$bins/kernel_times" "$out" 20 "$text" all $libraries >"$out.table" 2>"$out.said" || {
    echo "no measured times: $(tail -n 1 "$out.said")" >&2
    exit 0
}
echo "$out $B/device"
