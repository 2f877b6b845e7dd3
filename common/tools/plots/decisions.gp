# decisions.gp - the plots of what make gpu experiments measured, one decision each: of those files that
# are in the folder. kernel_times.gp loads it last, with its terminal and functions.
has(file) = system("[ -e ".folder."/".file." ] && echo yes") eq "yes"
reset_axes = "unset logscale; set logscale y; set xtics auto norotate scale 1; set format x '%g'; set xrange [*:*]; set yrange [*:*]; unset y2tics; unset y2label; set border 3; set ytics auto"
powers_of_four = "set xrange [14:75000]; set xtics (16, 64, 256, 1024, 4096, 16384, 65536)"
of(column_name, value) = strcol(column_name) eq value

# Only reading: by sections and by strides, against the number of blocks.
if (has("reading.csv")) {
    @reset_axes
    @powers_of_four
    set logscale x 2
    set yrange [1:6000]
    file = folder."/reading.csv"
    svg = folder."/bench-reading.svg"
    set output svg
    set title device.": 64 MiB only read, 256 threads a block"
    set xlabel "blocks, logarithmic"
    read(layout, bytes) = of("layout", layout) && column("bytes_a_load") == bytes ? column("GB_per_s") : NaN
    plot file using (column("blocks")):(read("strides", 16)) with linespoints lw 2 lc rgb color(4) pt 13 title "by strides, 16 bytes a load", \
         file using (column("blocks")):(read("strides", 1)) with linespoints lw 2 dt 2 lc rgb color(4) pt 12 title "by strides, 1 byte a load", \
         file using (column("blocks")):(read("sections", 16)) with linespoints lw 2 lc rgb color(3) pt 11 title "by sections, 16 bytes a load", \
         file using (column("blocks")):(read("sections", 1)) with linespoints lw 2 dt 2 lc rgb color(3) pt 10 title "by sections, 1 byte a load"
    unset output
    said = finish(svg, "Only reading, by sections and by strides, on ".device, "GB/s of 64 MiB that are only read, against 16 to 65536 blocks, four lines: by strides and by sections, 16 bytes and 1 byte a load. The figures are in reading.csv.")
}

# Counting in shared memory, by sections and by strides.
if (has("layouts.csv")) {
    @reset_axes
    @powers_of_four
    set logscale x 2
    file = folder."/layouts.csv"
    svg = folder."/bench-layouts.svg"
    set output svg
    set title device.": counting in shared memory, 64 MiB of English text, 256 threads a block"
    set xlabel "blocks, logarithmic"
    count(layout, bins) = of("layout", layout) && of("input", "english") && column("bins") == bins ? column("GB_per_s") : NaN
    plot file using (column("blocks")):(count("strides", 256)) with linespoints lw 2 lc rgb color(4) pt 13 title "by strides, 256 bins", \
         file using (column("blocks")):(count("strides", 5)) with linespoints lw 2 dt 2 lc rgb color(4) pt 12 title "by strides, 5 bins", \
         file using (column("blocks")):(count("sections", 256)) with linespoints lw 2 lc rgb color(3) pt 11 title "by sections, 256 bins", \
         file using (column("blocks")):(count("sections", 5)) with linespoints lw 2 dt 2 lc rgb color(3) pt 10 title "by sections, 5 bins"
    unset output
    said = finish(svg, "Counting in shared memory, by sections and by strides, on ".device, "GB/s of 64 MiB of English text counted in shared memory, against 16 to 65536 blocks, four lines: by strides and by sections, 5 and 256 bins. The figures are in layouts.csv.")
}

# How many blocks: the time, and what the merges cost.
if (has("blocks.csv")) {
    @reset_axes
    @powers_of_four
    set logscale x 2
    set logscale y2
    file = folder."/blocks.csv"
    svg = folder."/bench-blocks.svg"
    set output svg
    set title device.": private copies, 64 MiB of English text, 256 threads a block"
    set xlabel "blocks, logarithmic"
    set ylabel "milliseconds, logarithmic"
    set border 11
    set ytics nomirror
    set y2tics tc rgb ink format "10^%T"
    set y2label "atomics of the merges, logarithmic" tc rgb ink
    copies(memory, bins) = of("memory", memory) && of("input", "english") && column("bins") == bins ? column("median_ms") : NaN
    merges(bins) = of("memory", "shared") && of("input", "english") && column("bins") == bins ? column("merge_atomics") : NaN
    plot file using (column("blocks")):(copies("global", 5)) with linespoints lw 2 lc rgb color(5) pt mark(5) title "in global memory, 5 bins", \
         file using (column("blocks")):(copies("global", 256)) with linespoints lw 2 dt 2 lc rgb color(5) pt mark(5) title "in global memory, 256 bins", \
         file using (column("blocks")):(copies("shared", 5)) with linespoints lw 2 lc rgb color(6) pt mark(6) title "in shared memory, 5 bins", \
         file using (column("blocks")):(copies("shared", 256)) with linespoints lw 2 dt 2 lc rgb color(6) pt mark(6) title "in shared memory, 256 bins", \
         file using (column("blocks")):(merges(5)) axes x1y2 with lines lw 1 lc rgb reading title "merges, 5 bins (right axis)", \
         file using (column("blocks")):(merges(256)) axes x1y2 with lines lw 1 dt 2 lc rgb reading title "merges, 256 bins (right axis)"
    unset output
    said = finish(svg, "How many blocks, on ".device, "Milliseconds for 64 MiB of English text against 16 to 65536 blocks, with private copies in global and in shared memory, 5 and 256 bins; and on a second axis the atomics of the merges, blocks times bins. The figures are in blocks.csv.")
}
set ylabel "GB/s of text, logarithmic"

# One hot bin: how much of the text is one letter.
if (has("skew.csv")) {
    file = folder."/skew.csv"
    share(row) = 0 + strcol("input")[4:]
    do for [bins in "5 26 256"] {
        @reset_axes
        set yrange [1:6000]
        set xtics (0, 25, 50, 75, 90, 99)
        set xrange [-2:101]
        svg = folder."/bench-skew-".bins.".svg"
        set output svg
        set title device.": 64 MiB, one hot bin and the rest uniform, ".bins." bins"
        set xlabel "percent of the text in the hot bin"
        hot(name) = column("bins") == bins ? rate_of(name) : NaN
        shown = ""
        stats file using (shown = is_chapter(who(0)) && column("bins") == bins && rate(0) > 0 ? with_word(shown, who(0)) : shown, 1) nooutput
        plot file using (share(0)):(hot("read only")) with lines lw 2 lc rgb reading title "reading alone", \
             file using (share(0)):(hot("cub DeviceHistogram")) with lines lw 2 dt 2 lc rgb library title "CUB", \
             for [c in shown] file using (share(0)):(hot(c)) with linespoints lw 2 lc rgb color(number_of(c)) pt mark(number_of(c)) title c
        unset output
        said = finish(svg, "One hot bin among ".bins.", on ".device, "GB/s of 64 MiB of which 0, 25, 50, 75, 90 and 99 percent are one letter, a line for each chapter, for reading alone and for CUB. The figures are in skew.csv.")
    }
}

# From 5 to 256 bins; without this file kernel_times.gp has drawn the three of bench-kinds-64M.csv.
if (has("bins.csv")) {
    @reset_axes
    set logscale x 2
    set yrange [1:6000]
    set xtics (5, 8, 16, 26, 32, 64, 128, 256)
    set xrange [4:320]
    file = folder."/bins.csv"
    svg = folder."/bench-bins.svg"
    set output svg
    set title device.": 64 MiB of uniform text"
    set xlabel "bins, logarithmic"
    shown = ""
    stats file using (shown = is_chapter(who(0)) && rate(0) > 0 ? with_word(shown, who(0)) : shown, 1) nooutput
    plot file using (column("bins")):(rate_of("read only")) with lines lw 2 lc rgb reading title "reading alone", \
         file using (column("bins")):(rate_of("cub DeviceHistogram")) with lines lw 2 dt 2 lc rgb library title "CUB", \
         for [c in shown] file using (column("bins")):(rate_of(c)) with linespoints lw 2 lc rgb color(number_of(c)) pt mark(number_of(c)) title c
    unset output
    said = finish(svg, "Speed against the number of bins on ".device, "A line for each chapter, for reading alone and for CUB: GB/s of 64 MiB of uniform text in 5 to 256 bins. The figures are in bins.csv.")
}
