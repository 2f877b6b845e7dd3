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
took_by(operation, keys, who) = is_of(operation, keys) && strcol("implementation") eq who ? took("median_ms") : NaN
# What is no chapter. A cell's figure of the paper's library stands in all of its rows: that of one is taken.
others = "'read only' 'plain kernel' library 'cub HistogramEven' 'cub sort and reduce' 'thrust sort and reduce'"
titles = "'reading alone' 'plain kernel' 'library of the paper' 'CUB HistogramEven' 'CUB sort, reduce by key' 'Thrust sort, reduce by key'"
shades = "#d9694a #8b949e #8b949e #a678c0 #a678c0 #a678c0"
dashes = "1 3 4 2 5 3"
dash(i) = 0 + word(dashes, i)
took_by_other(operation, keys, i) = i == 3 ? (is_of(operation, keys) && strcol("implementation") eq "read only" ? took("papers_library_ms") : NaN) : took_by(operation, keys, word(others, i))
is_time(ms) = ms == ms

operations = ""
stats rows using (operations = with_word(operations, strcol("operation")), 1) nooutput
do for [operation in operations] {
    chapters = kinds = ""
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
        there = ""
        do for [i=1:words(others)] {
            seen = 0
            stats rows using (seen = seen || is_time(took_by_other(operation, keys, i)), 1) nooutput
            there = seen ? there." ".i : there
        }
        present = ""
        stats rows using (present = is_of(operation, keys) && is_chapter(strcol("implementation")) && is_time(took("median_ms")) ? with_word(present, strcol("implementation")) : present, 1) nooutput
        plot for [i in there] rows using (column("bins")):(took_by_other(operation, keys, 0 + i)) \
                 with lines lw 2 dt dash(0 + i) lc rgb word(shades, 0 + i), \
             for [c in present] rows using (column("bins")):(took_by(operation, keys, c)) \
                 with linespoints lw 2 lc rgb color(number_of(c)) pt mark(number_of(c)) ps 0.7
    }
    # The last panel holds the legend alone.
    set key inside left top vertical maxcols 1 tc rgb ink
    unset title
    unset tics
    unset border
    unset grid
    unset xlabel
    unset ylabel
    unset logscale
    plot [1:2] [0:2] 1 with dots lc rgb "#ff000000" notitle, \
         for [i=1:words(others)] keyentry with lines lw 2 dt dash(i) lc rgb word(shades, i) title word(titles, i), \
         for [c in chapters] keyentry with linespoints lw 2 lc rgb color(number_of(c)) pt mark(number_of(c)) ps 0.7 title c
    unset multiplot
    unset output
    load "common/tools/plots/paper.gp"
    said = finish(svg, operation.", time against bins on ".device, "A panel for each kind of keys (".kinds[2:*].") with a line for each chapter, for reading alone, a plain kernel, the library of the paper, CUB and Thrust: milliseconds for 50,000,000 elements against the number of bins, both logarithmic. The figures are in reduce-by-index.csv.")
}
