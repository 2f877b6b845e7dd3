#!/bin/sh
# fidelity.sh PROGRAM FOLDER NCU - counts PROGRAM's kernels on the GPU, twice, and on
# the simulator, and lays the numbers side by side in FOLDER.
set -e
program=$1 folder=$2 ncu=$3
[ -x "$ncu" ] || ncu=$(command -v ncu) || {
    echo "fidelity: Nsight Compute (ncu) is not installed; it comes with the CUDA Toolkit" >&2
    exit 1
}
mkdir -p "$folder"
common/sim/simcc tests/fidelity/kernels.cu -o "$folder/simulated"
SIM_CHECKS=none SIM_PROFILE="$folder/simulated.csv" "$folder/simulated"
columns=$(head -n 1 "$folder/simulated.csv")
metrics=$(echo "$columns" | cut -d, -f8-)
for run in hardware again; do
    "$ncu" --clock-control none --csv --metrics "$metrics" "$program" >"$folder/$run.ncu"
    awk -f common/gpu/ncu-table.awk -v columns="$columns" "$folder/$run.ncu" >"$folder/$run.csv"
done
awk -f common/gpu/compare.awk "$folder/hardware.csv" "$folder/again.csv" "$folder/simulated.csv"
