# reduce_times.gp - the plots of what reduce_times.c measured; reduce_times.sh calls it.
#
# gnuplot -e "folder='build/gpu-bench'; device='NVIDIA H200'" common/bench/gpu/reduce/reduce_times.gp
# For each operation a plot: how fast, and how much of what reading alone reaches, against bytes.
load "common/tools/plots/paper.gp"
set datafile separator comma
set datafile missing NaN # a row that a panel does not show
set datafile columnheaders
rows = folder."/reduce.csv"
has_word(list, word) = strstrt(" ".list." ", " ".word." ") > 0
with_word(list, word) = has_word(list, word) ? list : list." ".word
is_chapter(name) = strstrt("0123456789", name[1:1]) > 0
is_of(operation, who) = strcol("operation") eq operation && strcol("implementation") eq who
has_time(row) = strcol("median_ms") ne "-" && strcol("correct") ne "NO"
value_of(operation, who, name) = is_of(operation, who) && has_time(0) && strcol(name) ne "-" ? column(name) : NaN
# What is no chapter.
others = "'read only' 'cub DeviceReduce' 'cub gpu-to-gpu' 'cub not guaranteed' 'thrust reduce'"
titles = "'reading alone' 'CUB DeviceReduce' 'CUB gpu-to-gpu' 'CUB not guaranteed' 'Thrust reduce'"
shades = "#d9694a #a678c0 #a678c0 #a678c0 #8b949e"
dashes = "1 2 3 4 5"
dash(i) = 0 + word(dashes, i)

operations = ""
stats rows using (operations = with_word(operations, strcol("operation")), 1) nooutput
do for [operation in operations] {
    chapters = there = ""
    stats rows using (strcol("operation") eq operation && is_chapter(strcol("implementation")) && has_time(0) ? (chapters = with_word(chapters, strcol("implementation")), 1) : 1) nooutput
    do for [i=1:words(others)] {
        seen = 0
        stats rows using (seen = seen || (is_of(operation, word(others, i)) && has_time(0)), 1) nooutput
        there = seen ? there." ".i : there
    }
    svg = folder."/reduce-".operation.".svg"
    set terminal svg noenhanced size 1200,420 dynamic font "sans-serif,13"
    set output svg
    set multiplot layout 1, 3 title device.": ".operation tc rgb ink
    set logscale x 2
    set format x "%.0b%B"
    set xtics (65536, 1048576, 16777216, 268435456, 4294967296)
    set xlabel "bytes" tc rgb ink
    set xrange [32768:8589934592]
    unset key
    set title "how fast" tc rgb ink
    set ylabel "GB/s, logarithmic" tc rgb ink
    set logscale y
    set format y "%g"
    set yrange [*:*]
    plot for [i in there] rows using (column("bytes")):(value_of(operation, word(others, 0 + i), "GB_per_s")) \
             with lines lw 2 dt dash(0 + i) lc rgb word(shades, 0 + i), \
         for [c in chapters] rows using (column("bytes")):(value_of(operation, c, "GB_per_s")) \
             with linespoints lw 2 lc rgb color(number_of(c)) pt mark(number_of(c)) ps 0.7
    set title "beside reading alone" tc rgb ink
    set ylabel "percent of what it reaches" tc rgb ink
    unset logscale y
    set yrange [0:*]
    plot for [i in there] rows using (column("bytes")):(value_of(operation, word(others, 0 + i), "percent_of_reading")) \
             with lines lw 2 dt dash(0 + i) lc rgb word(shades, 0 + i), \
         for [c in chapters] rows using (column("bytes")):(value_of(operation, c, "percent_of_reading")) \
             with linespoints lw 2 lc rgb color(number_of(c)) pt mark(number_of(c)) ps 0.7
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
         for [i in there] keyentry with lines lw 2 dt dash(0 + i) lc rgb word(shades, 0 + i) title word(titles, 0 + i), \
         for [c in chapters] keyentry with linespoints lw 2 lc rgb color(number_of(c)) pt mark(number_of(c)) ps 0.7 title c
    unset multiplot
    unset output
    load "common/tools/plots/paper.gp"
    said = finish(svg, operation.", speed against the number of bytes on ".device, "A line for each chapter, for reading alone, CUB and Thrust, from 64 KiB to 4 GiB: GB/s, logarithmic, and percent of what reading alone reaches. The figures are in reduce.csv.")
}
