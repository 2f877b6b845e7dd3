# keyed_times.gp - the plots of what keyed_times.c measured; keyed_times.sh calls it.
#
# gnuplot -e "folder='build/gpu-bench'; device='NVIDIA H200'" common/bench/gpu/reduce_by_index/keyed_times.gp
# For each operation a plot: time against bins, a panel for each kind of keys.
load "common/tools/plots/paper.gp"
set datafile separator comma
set datafile missing NaN # a row that a panel does not show
set datafile columnheaders
rows = folder."/reduce-by-index.csv"
has_word(list, word) = strstrt(" ".list." ", " ".word." ") > 0
with_word(list, word) = has_word(list, word) ? list : list." ".word
is_chapter(name) = strstrt("0123456789", name[1:1]) > 0
is_of(operation, keys) = strcol("operation") eq operation && strcol("keys") eq keys
took(name) = strcol(name) eq "-" || strcol("correct") eq "NO" ? NaN : column(name)
time_of(operation, keys, who) = is_of(operation, keys) && strcol("implementation") eq who ? took("median_ms") : NaN
# A cell's figure of the paper's library stands in all of its rows: that of the first is taken.
library_of(operation, keys) = is_of(operation, keys) && strcol("implementation") eq "read only" ? took("papers_library_ms") : NaN
plain = "#8b949e"

operations = ""
stats rows using (operations = with_word(operations, strcol("operation")), 1) nooutput
do for [operation in operations] {
    chapters = kinds = shown = ""
    most = least = 0
    stats rows using (strcol("operation") eq operation ? (kinds = with_word(kinds, strcol("keys")), is_chapter(strcol("implementation")) && strcol("median_ms") ne "-" ? (chapters = with_word(chapters, strcol("implementation")), 1) : 1) : 1) nooutput
    columns_of_panels = words(kinds) + 1 < 4 ? words(kinds) + 1 : 3
    rows_of_panels = (words(kinds) + columns_of_panels) / columns_of_panels
    svg = folder."/reduce-by-index-".operation.".svg"
    set terminal svg noenhanced size 400 * columns_of_panels, 60 + 330 * rows_of_panels dynamic font "sans-serif,13"
    set output svg
    set multiplot layout rows_of_panels, columns_of_panels title device.": ".operation.", 50,000,000 elements" tc rgb ink
    set logscale xy
    set format x "%.0s%c"
    set format y "%g"
    set xlabel "bins" tc rgb ink
    set ylabel "ms" tc rgb ink
    set xrange [*:*]
    set yrange [0.03:3000]
    unset key
    do for [keys in kinds] {
        set title keys." keys" tc rgb ink
        plot rows using (column("bins")):(time_of(operation, keys, "read only")) with lines lw 2 lc rgb reading title "reading alone", \
             rows using (column("bins")):(time_of(operation, keys, "plain kernel")) with lines lw 2 dt 3 lc rgb plain title "plain kernel", \
             rows using (column("bins")):(library_of(operation, keys)) with lines lw 2 dt 4 lc rgb plain title "library of the paper", \
             rows using (column("bins")):(time_of(operation, keys, "cub HistogramEven")) with lines lw 2 dt 2 lc rgb library title "CUB HistogramEven", \
             rows using (column("bins")):(time_of(operation, keys, "cub sort and reduce")) with lines lw 2 dt 5 lc rgb library title "CUB sort, reduce by key", \
             rows using (column("bins")):(time_of(operation, keys, "thrust sort and reduce")) with lines lw 2 dt 3 lc rgb library title "Thrust sort, reduce by key", \
             for [c in chapters] rows using (column("bins")):(time_of(operation, keys, c)) \
                 with linespoints lw 2 lc rgb color(number_of(c)) pt mark(number_of(c)) ps 0.7 title c
    }
    # The last panel holds the legend alone.
    set key inside left top vertical maxcols 1 tc rgb ink
    unset title
    unset tics
    unset border
    unset grid
    unset xlabel
    unset ylabel
    plot [1:2] [1:2] NaN with lines lw 2 lc rgb reading title "reading alone", \
         NaN with lines lw 2 dt 3 lc rgb plain title "plain kernel", \
         NaN with lines lw 2 dt 4 lc rgb plain title "library of the paper", \
         NaN with lines lw 2 dt 2 lc rgb library title "CUB HistogramEven", \
         NaN with lines lw 2 dt 5 lc rgb library title "CUB sort, reduce by key", \
         NaN with lines lw 2 dt 3 lc rgb library title "Thrust sort, reduce by key", \
         for [c in chapters] NaN with linespoints lw 2 lc rgb color(number_of(c)) pt mark(number_of(c)) ps 0.7 title c
    unset multiplot
    unset output
    load "common/tools/plots/paper.gp"
    said = finish(svg, operation.", time against bins on ".device, "A panel for each kind of keys (".kinds[2:*].") with a line for each chapter, for reading alone, a plain kernel, the library of the paper, CUB and Thrust: milliseconds for 50,000,000 elements against the number of bins, both logarithmic. The figures are in reduce-by-index.csv.")
}
