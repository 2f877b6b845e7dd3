# times.gp - draws what make gpu bench measured: a plot for each file that is in the folder. times.sh calls it.
#
# gnuplot -e "folder='build/gpu-bench'; device='NVIDIA H200'" common/bench/gpu/times.gp
load "common/tools/plots/paper.gp"
set datafile separator comma
set datafile missing NaN # a row that a plot does not show
set datafile columnheaders
set style fill solid 0.9 noborder
has(name) = system("[ -e ".folder."/".name.".csv ] && echo yes") eq "yes"
has_word(list, word) = strstrt(" ".list." ", " ".word." ") > 0
with_word(list, word) = has_word(list, word) ? list : list." ".word
place(list, it) = sum [i=1:words(list)] (word(list, i) eq it ? i : 0)

# -- a panel of lines, of a file: a line for each chapter, and for each of `others` --
# where(), x() and y() choose rows, and what is drawn against what. A row has its time in median_ms.
who(row) = strcol("implementation")
is(name, value) = strcol(name) eq value
is_chapter(name) = strstrt("0123456789", name[1:1]) > 0 && strstrt(name, "-") == 0 # no variant
has_time(row) = strcol("median_ms") ne "-" && strcol("correct") ne "NO" && strcol("correct") ne "left out"
speed(row) = strcol("GB_per_s") eq "-" ? NaN : column("GB_per_s")
of(name) = where(0) && is("implementation", name) && has_time(0) ? y(0) : NaN
others = "'read only' 'cub DeviceHistogram' 'plain kernel' library 'cub HistogramEven' 'cub sort and reduce' 'thrust sort and reduce' 'cub DeviceReduce' 'cub gpu-to-gpu' 'cub not guaranteed' 'thrust reduce'"
titles = "'reading alone' CUB 'plain kernel' 'library of the paper' 'CUB HistogramEven' 'CUB sort, reduce by key' 'Thrust sort, reduce by key' 'CUB DeviceReduce' 'CUB gpu-to-gpu' 'CUB not guaranteed' 'Thrust reduce'"
shades = reading." ".library." #8b949e #8b949e ".library." ".library." ".library." ".library." ".library." ".library." #8b949e"
dashes = "1 2 3 4 2 5 3 2 3 4 5"
dash(i) = 0 + word(dashes, i)
# The library of the paper has no rows: its figure stands in those of all others, of which one is taken.
line_of(i) = word(others, i) eq "library" ? (where(0) && is("implementation", "read only") && strcol("papers_library_ms") ne "-" ? column("papers_library_ms") : NaN) : of(word(others, i))
is_number(it) = it == it
# What is in the panel: `chapters`, and of `others` those numbered in `there`.
look = 'chapters = there = ""; \
    stats file using (where(0) && is_chapter(who(0)) && has_time(0) ? (chapters = with_word(chapters, who(0)), 1) : 1) nooutput; \
    do for [i=1:words(others)] { if (i != 4 || file eq folder."/reduce-by-index.csv") { \
        seen = 0; stats file using (seen = seen || is_number(line_of(i)), 1) nooutput; there = seen ? there." ".i : there }}'
draw = 'plot for [i in there] file using (x(0)):(line_of(0 + i)) with lines lw 2 dt dash(0 + i) lc rgb word(shades, 0 + i) title word(titles, 0 + i), \
    for [c in chapters] file using (x(0)):(of(c)) with linespoints lw 2 lc rgb color(number_of(c)) pt mark(number_of(c)) ps 0.8 title c'
# The last of several panels holds the legend alone: of `all_there` and `all_chapters`.
of_legend = 'set key inside left top vertical maxcols 1 spacing 0.8 tc rgb ink; unset title; unset tics; unset border; unset grid; unset xlabel; unset ylabel; unset logscale; '
legend = of_legend.' \
    plot [1:2] [0:2] 1 with dots lc rgb "#ff000000" notitle, \
         for [i in all_there] keyentry with lines lw 2 dt dash(0 + i) lc rgb word(shades, 0 + i) title word(titles, 0 + i), \
         for [c in all_chapters] keyentry with linespoints lw 2 lc rgb color(number_of(c)) pt mark(number_of(c)) ps 0.8 title c'
collect = 'all_there = all_chapters = ""; where(row) = any(row); @look; all_there = there; all_chapters = chapters'
# Axes of one panel.
fresh = 'load "common/tools/plots/paper.gp"; unset logscale; set logscale y; set xtics auto norotate scale 1; \
    set format x "%g"; set format y "%g"; set xrange [*:*]; set yrange [1:6000]; unset y2tics; unset y2label; set key outside bottom center horizontal; \
    set ylabel "GB/s of text, logarithmic: higher is faster" tc rgb ink; set title tc rgb ink; set xlabel "" tc rgb ink; \
    set terminal svg noenhanced size 680,560 dynamic font "sans-serif,14"; y(row) = speed(row); where(row) = 1'
finished(svg, title, words) = finish(folder."/".svg.".svg", title." on ".device, words)

# -- chapters that count texts --
kinds = folder."/bench-kinds-64M.csv"
on_english(row) = is("input", "english")

# The ladder: a dot for each chapter on a log axis, where a bar would have no foot, with reading alone and CUB as
# lines. A dot's figure is below it, away from the lines.
if (has("bench-kinds-64M")) {
    file = kinds
    @fresh
    where(row) = on_english(0) && column("bins") == 5
    @look
    value = roof = cub = 0
    array rates[words(chapters)]
    stats file using (where(0) && is("implementation", "read only") ? (roof = speed(0), 1) : 1) nooutput
    stats file using (where(0) && is("implementation", "cub DeviceHistogram") ? (cub = speed(0), 1) : 1) nooutput
    figures = ""
    do for [i=1:words(chapters)] {
        stats file using (where(0) && is("implementation", word(chapters, i)) ? (value = speed(0), 1) : 1) nooutput
        rates[i] = value
        figures = figures.sprintf("%s %.4g, ", word(chapters, i), value)
    }
    set output folder."/bench-ladder.svg"
    set title device.": 64 MiB of English text, 5 bins"
    set xlabel "chapter"
    set xtics rotate by -30
    set xrange [0.4:words(chapters) + 0.6]
    plot for [i=1:words(chapters)] '+' every ::0::0 using (i):(rates[i]):xticlabels(word(chapters, i)) \
             with points pt 7 ps 1.3 lc rgb bars notitle, \
         roof with lines lw 2 lc rgb reading title sprintf("reading alone: %.0f GB/s", roof), \
         cub with lines lw 2 dt 2 lc rgb library title sprintf("CUB DeviceHistogram: %.0f GB/s", cub), \
         for [i=1:words(chapters)] '+' every ::0::0 using (i):(rates[i]):(sprintf(rates[i] < 100 ? "%.1f" : "%.0f", rates[i])) \
             with labels offset 0,-0.9 tc rgb ink notitle
    unset output
    figures = finished("bench-ladder", "The ladder", "A dot for each chapter on a logarithmic axis, in GB/s of text, 64 MiB of English text in 5 bins: ".figures.sprintf("reading alone %.4g, CUB %.4g.", roof, cub))
}

# Lines of all chapters, of reading alone and CUB, against the size.
if (has("bench-sizes-5")) {
    file = folder."/bench-sizes-5.csv"
    @fresh
    x(row) = column("length")
    set output folder."/bench-sizes.svg"
    set title device.": English text, 5 bins"
    set xlabel "bytes of text"
    set logscale x 2
    set format x "%.0b%B"
    @look
    @draw
    unset output
    figures = finished("bench-sizes", "Speed against the length of the text", "A line for each chapter, for reading alone and for CUB: GB/s of English text in 5 bins, from 64 KiB to 4 GiB. The figures are in bench-sizes-5.csv.")
}
# On each kind of text, for each number of bins; 1 GiB where it was measured. Kinds are no scale:
# marks, and no lines between them. In a kind the chapters go from left to right.
do for [size in "64M 1G"] { do for [bins in "5 26 256"] { if (has("bench-kinds-".size)) {
    file = folder."/bench-kinds-".size.".csv"
    @fresh
    names = ""
    stats file using (names = is("implementation", "read only") ? with_word(names, strcol("input")) : names, 1) nooutput
    set grid noxtics ytics
    set xtics () norotate scale 0
    do for [i=1:words(names)] { set xtics add (word(names, i) i) }
    set xrange [0.5:words(names) + 0.5]
    set xlabel "kind of text"
    name = "bench-kinds-".(size eq "64M" ? "" : size."-").bins
    set output folder."/".name.".svg"
    set title device.": ".size[1:strlen(size)-1]." ".size[strlen(size):]."iB of each kind of text, ".bins." bins"
    where(row) = column("bins") == bins
    x(row) = place(names, strcol("input"))
    @look
    step = 0.7 / words(chapters)
    plot for [i in there] file using (x(0) - 0.42):(line_of(0 + i)):(0.84):(0) with vectors nohead lw 2 dt dash(0 + i) lc rgb word(shades, 0 + i) title word(titles, 0 + i), \
         for [i=1:words(chapters)] file using (x(0) + (i - 0.5) * step - 0.35):(of(word(chapters, i))) with points \
             lc rgb color(number_of(word(chapters, i))) pt mark(number_of(word(chapters, i))) ps 0.9 title word(chapters, i)
    unset output
    figures = ""
    do for [c in chapters] {
        stats file using (of(c)) nooutput
        figures = figures.sprintf("; %s %.4g to %.4g", c, STATS_min, STATS_max)
    }
    figures = finished(name, bins." bins, each kind of text", "Marks in a column for each kind of text, ".size."iB, in GB/s; from the slowest kind to the fastest".figures.". The figures are in bench-kinds-".size.".csv.")
}}}

# -- chapters with an operation: a plot for each, with several panels --
any(row) = is("operation", operation)
if (has("reduce-by-index")) {
    file = folder."/reduce-by-index.csv"
    operations = ""
    stats file using (operations = with_word(operations, strcol("operation")), 1) nooutput
    do for [operation in operations] {
        @fresh
        crowds = ""
        stats file using (any(0) ? (crowds = with_word(crowds, strcol("keys")), 1) : 1) nooutput
        y(row) = column("median_ms")
        x(row) = column("bins")
        @collect
        down = (words(crowds) + 2) / 2
        set terminal svg noenhanced size 720, 60 + 330 * down dynamic font "sans-serif,14"
        set output folder."/reduce-by-index-".operation.".svg"
        set multiplot layout down, 2 title device.": ".operation.", 50,000,000 elements" tc rgb ink
        set logscale xy
        set format x "%.0s%c"
        set xlabel "bins"
        set ylabel "ms: lower is faster"
        set yrange [0.03:3000]
        unset key
        do for [keys in crowds] {
            set title keys." keys"
            where(row) = any(0) && is("keys", keys)
            @look
            @draw
        }
        @legend
        unset multiplot
        unset output
        figures = finished("reduce-by-index-".operation, operation.", time against bins", "A panel for each kind of keys (".crowds[2:*].") with a line for each chapter, for reading alone, a plain kernel, the library of the paper, CUB and Thrust: milliseconds for 50,000,000 elements against the number of bins, both logarithmic. The figures are in reduce-by-index.csv.")
    }
}
if (has("reduce")) {
    file = folder."/reduce.csv"
    operations = ""
    stats file using (operations = with_word(operations, strcol("operation")), 1) nooutput
    do for [operation in operations] {
        @fresh
        x(row) = column("bytes")
        @collect
        set terminal svg noenhanced size 720,720 dynamic font "sans-serif,14"
        set output folder."/reduce-".operation.".svg"
        set multiplot layout 2, 2 title device.": ".operation tc rgb ink
        set logscale x 2
        set format x "%.0b%B"
        set xtics (65536, 1048576, 16777216, 268435456, 4294967296)
        set xlabel "bytes"
        set xrange [32768:8589934592]
        unset key
        set title "how fast"
        set ylabel "GB/s, logarithmic: higher is faster"
        set yrange [*:*]
        @draw
        set title "beside reading alone"
        set ylabel "percent of what it reaches: higher is faster"
        unset logscale y
        set yrange [0:*]
        y(row) = column("percent_of_reading")
        @draw
        @legend
        unset multiplot
        unset output
        figures = finished("reduce-".operation, operation.", speed against the number of bytes", "A line for each chapter, for reading alone, CUB and Thrust, from 64 KiB to 4 GiB: GB/s, logarithmic, and percent of what reading alone reaches. The figures are in reduce.csv.")
    }
}

# -- several GPUs: text on the cards, in host memory, in a file --
if (has("many")) {
    file = folder."/many.csv"
    @fresh
    unset logscale y
    is_alone(name) = strstrt(name, "alone") > 0
    drawn(name) = strcol("correct") ne "NO" && (is_chapter(name) || is_alone(name))
    shown_as(name) = is_alone(name) ? "alone" : name
    bins = ""
    most = 1
    stats file using (bins = with_word(bins, strcol("bins")), most = column("devices") > most ? column("devices") : most, 1) nooutput
    set terminal svg noenhanced size 720,900 dynamic font "sans-serif,14"
    set output folder."/many.svg"
    set multiplot layout 2, 2 title device.": counting on several GPUs" tc rgb ink
    set xtics 1
    set xrange [0.7:most + 0.3]
    set yrange [0:*]
    set ylabel "GB/s: higher is faster"
    # A chapter has a line for each number of bins, in host memory for each sort of it; what is alone has one.
    shade(b) = word(colors, 1 + 3 * (b > 1) + 3 * (b > 2))
    at(place, name, b) = is("where", place) && column("bins") == b && drawn(who(0)) && shown_as(who(0)) eq name ? speed(0) : NaN
    do for [panel in "each pinned file"] {
        of_host = panel eq "pinned"
        set title panel eq "each" ? "text on the cards" : of_host ? "text in host memory, ".word(bins, 1)." bins" : "text in a file that lies in memory"
        set xlabel panel eq "file" ? "GPUs, a rank for each" : "GPUs"
        names = ""
        stats file using (names = is("where", panel) && drawn(who(0)) ? with_word(names, shown_as(who(0))) : names, 1) nooutput
        where_of(i) = of_host ? word("pinned pageable", i) : panel
        bins_of(i) = 0 + word(bins, of_host ? 1 : i)
        lines_of(c) = of_host ? 2 : c eq "alone" ? 1 : words(bins)
        alone = of_host ? "copies alone" : "reading alone"
        named(c, i) = (of_host ? where_of(i).", " : "").(c eq "alone" ? alone : of_host ? c : c.", ".bins_of(i)." bins")
        dash_of(c) = c eq "alone" ? 3 : 1
        if (words(names) > 0) {
            plot for [c in names] for [i=1:lines_of(c)] file using (column("devices")):(at(where_of(i), c, bins_of(i))) \
                 with linespoints lw 2 dt dash_of(c) pt (c eq "alone" ? i : mark(number_of(c)) + of_host * (i - 1)) ps 0.8 \
                 lc rgb (c eq "alone" ? reading : shade(i)) title named(c, i)
        }
    }
    unset multiplot
    unset output
    figures = finished("many", "speed against the number of GPUs", "Three panels, a line for each number of bins: gigabytes of text a second, of text on the cards, in host memory and in a file, beside reading or copying alone in the same run. The figures are in many.csv.")
}
