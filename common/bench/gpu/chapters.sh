#!/bin/sh
# chapters.sh NCU COUNTERS.csv PROGRAM... - counts the chapters' kernels under Nsight Compute.
#
# A PROGRAM is build/.../solution-5/06_shared/once; each counts 1 MiB of English text.
# Prints CSV with the columns of COUNTERS.csv, as in docs/results/h200/counters.csv.
set -e
ncu=$1 counters=$2
shift 2
columns=$(head -n 1 "$counters")
metrics=$(echo "$columns" | cut -d, -f8-)
here=$(dirname "$0")
echo "$columns"
for program in "$@"; do
    folder=$(dirname "$program")
    stem=$(basename "$folder")
    bins=$(basename "$(dirname "$folder")")
    "$ncu" --clock-control none --csv --metrics "$metrics" "$program" english 1M >"$program.ncu"
    awk -f "$here/ncu-table.awk" -v columns="$columns" "$program.ncu" |
        awk -F, -v OFS=, -v stem="$stem" -v bins="${bins##*-}" 'NR > 1 {
            begin = $1 FS $2 FS $3 FS $4 FS $5 FS $6 FS $7
            rest = substr($0, length(begin) + 1)
            print stem + 0, substr(stem, index(stem, "_") + 1), bins, "english", 1048576, $2, $5 rest
        }'
done
