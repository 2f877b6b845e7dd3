#!/bin/sh
# plots.sh FOLDER - draws the benchmark's CSV files in FOLDER, as SVG beside them.
#
# The figures of this course are drawn anew by: common/bench/gpu/plots.sh docs/results/h200
command -v gnuplot >/dev/null || {
    echo "no plots: gnuplot is not installed (sudo apt-get install gnuplot-nox)"
    exit 0
}
device=$(sed -n 's/^\(NVIDIA[^,]*\),.*/\1/p' "$1/machine.txt" | head -n 1)
gnuplot -e "folder='$1'; device='${device:-this GPU}'" "$(dirname "$0")/plots.gp" &&
    echo "The plots are $1/bench-*.svg."
