#!/bin/sh
# cells.sh BUILD FOLDER KINDS - predicts each time in FOLDER's bench-*.csv: prints prediction.csv.
#
#     make prediction             all kinds, from docs/results/h200
#
# BUILD is build/sim-gcc, where the solutions' rows and the texts' program are built. Each
# solution counts each kind of text in two sizes, which cells.c draws on in a straight line;
# chapter 3, where the length of the sections matters, counts 64 MiB. Takes a quarter of an hour.
build=$1 folder=$2 kinds=$3
work=$build/cells
mkdir -p "$work"
rm -f "$work"/*.csv
for bins in 5 26 256; do
    for kind in $kinds; do
        for size in 4M 8M 64M; do
            "$build/common-$bins/kind" "$kind" "$size" "$work/text" || exit 1
            for row in "$build/solution-$bins"/[0-9]*/row; do
                stem=$(basename "$(dirname "$row")")
                case $size-$stem in
                *-01_*) continue ;;
                64M-03_*) ;;
                64M-* | *-03_*) continue ;;
                esac
                number=${stem%%_*}
                SIM_CHECKS=none SIM_SEED=1 "$row" "$work/text" "${number#0}" "${stem#*_}" \
                    "$work/$bins-$kind-$size-$stem.csv" || exit 1
            done
        done
    done
done
rm -f "$work/text"
"$build/common-5/cells" "$folder"/bench-*.csv -- "$work"/*.csv
