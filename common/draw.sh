#!/bin/sh
# draw.sh LADDER.csv OUT.svg - draws the ladder, where gnuplot is installed.
command -v gnuplot >/dev/null || {
    echo "no $2: gnuplot is not installed (sudo apt-get install gnuplot-nox)"
    exit 0
}
gnuplot -e "csv='$1'; svg='$2'" "$(dirname "$0")/tools/ladder.gp" &&
    echo "The rows are in $1, drawn in $2."
