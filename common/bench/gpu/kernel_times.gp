# kernel_times.gp - the plots of what kernel_times.c measured; common/bench/gpu/kernel_times.sh calls it.
#
# gnuplot -e "folder='build/gpu-bench'; device='NVIDIA H200'" common/bench/gpu/kernel_times.gp
# Mid-tone colors on a transparent ground: readable on light and on dark pages.
set datafile separator comma
set datafile missing NaN # a row that a plot does not show
set terminal svg noenhanced size 960,560 dynamic font "sans-serif,13"
set border 3 lc rgb "#808080"
set key outside bottom center horizontal tc rgb "#808080"
set xtics nomirror tc rgb "#808080"
set ytics nomirror tc rgb "#808080" format "%g"
set title tc rgb "#808080"
set xlabel tc rgb "#808080"
set ylabel "GB/s of text, logarithmic" tc rgb "#808080"
set logscale y
set yrange [1:6000]
color(i) = word("#4c8dca #5aa469 #c9a227 #b0687f #3fa7a0 #8a7fd0 #c77d3a #7a9a3a #5f7f9f #b565b5 #4fa3d9 #9c7a55 #6fb58a #c05f5f #7f8fa6 #a8963c", (i - 1) % 16 + 1)
kinds = folder."/bench-kinds-64M.csv"
sizes = folder."/bench-sizes-5.csv"
has_word(list, word) = strstrt(" ".list." ", " ".word." ") > 0
with_word(list, word) = has_word(list, word) ? list : list." ".word

# The chapters are the implementations with a number.
chapters = ""
is_chapter(who) = strstrt("0123456789", who[1:1]) > 0
stats kinds every ::1 using (chapters = is_chapter(strcol(1)) ? with_word(chapters, strcol(1)) : chapters, 1) nooutput

# Of a row: its rate, when it is one of this implementation that has one.
rate_of(who) = strcol(1) eq who && column(9) > 0 ? column(9) : NaN

# The ladder: bars on a log axis, with the roofline and CUB as lines.
roof = cub = 0
array rate[words(chapters)]
is_first_text(who) = strcol(1) eq who && strcol(2) eq "english" && column(3) == 5
stats kinds every ::1 using (roof = is_first_text("read only") ? column(9) : roof, cub = is_first_text("cub DeviceHistogram") ? column(9) : cub, 1) nooutput
do for [i=1:words(chapters)] {
    rate[i] = 0
    stats kinds every ::1 using (is_first_text(word(chapters, i)) ? rate[i] = column(9) : 1) nooutput
}
set output folder."/bench-ladder.svg"
set title device.": 64 MiB of English text, 5 bins" tc rgb "#808080"
set style fill solid 0.9 noborder
set boxwidth 0.7
set xtics rotate by -20
set xrange [0.4:words(chapters) + 0.6]
plot roof with lines lw 2 lc rgb "#d9694a" title sprintf("reading alone: %.0f GB/s", roof), \
     cub with lines lw 2 dt 2 lc rgb "#a678c0" title sprintf("CUB DeviceHistogram: %.0f GB/s", cub), \
     for [i=1:words(chapters)] '+' every ::0::0 using (i):(rate[i]):xticlabels(word(chapters, i)) \
         with boxes lc rgb "#4c8dca" notitle, \
     for [i=1:words(chapters)] '+' every ::0::0 using (i):(rate[i] * 1.25):(sprintf("%.4g", rate[i])) \
         with labels tc rgb "#808080" notitle

# Against the size.
set output folder."/bench-sizes.svg"
set title device.": English text, 5 bins" tc rgb "#808080"
set xlabel "bytes of text" tc rgb "#808080"
set xtics norotate
set xrange [*:*]
set logscale x 2
set format x "%.0b%B"
plot sizes every ::1 using 4:(rate_of("read only")) with linespoints lw 2 lc rgb "#d9694a" title "reading alone", \
     sizes every ::1 using 4:(rate_of("cub DeviceHistogram")) with linespoints lw 2 dt 2 lc rgb "#a678c0" title "CUB", \
     for [i=1:words(chapters)] sizes every ::1 using 4:(rate_of(word(chapters, i))) \
         with linespoints lw 2 lc rgb color(i) title word(chapters, i)

# Against the number of bins.
set output folder."/bench-bins.svg"
set title device.": 64 MiB of English text" tc rgb "#808080"
set xlabel "bins, logarithmic" tc rgb "#808080"
set format x "%g"
set xtics (5, 26, 256)
set xrange [4:320]
rate_on_english(who) = strcol(2) eq "english" ? rate_of(who) : NaN
plot kinds every ::1 using 3:(rate_on_english("read only")) with linespoints lw 2 lc rgb "#d9694a" title "reading alone", \
     kinds every ::1 using 3:(rate_on_english("cub DeviceHistogram")) with linespoints lw 2 dt 2 lc rgb "#a678c0" title "CUB", \
     for [i=1:words(chapters)] kinds every ::1 using 3:(rate_on_english(word(chapters, i))) \
         with linespoints lw 2 lc rgb color(i) title word(chapters, i)

# Against the kind of text, for each number of bins; 1 GiB where it was measured. A row
# that was left out leaves a gap, so each kind has its place.
unset logscale x
do for [size in "64M 1G"] {
    file = folder."/bench-kinds-".size.".csv"
    if (system("[ -e ".file." ] && echo yes") ne "yes") { continue }
    names = ""
    stats file every ::1 using (names = strcol(1) eq "read only" ? with_word(names, strcol(2)) : names, 1) nooutput
    set xtics () norotate
    do for [i=1:words(names)] { set xtics add (word(names, i) i) }
    set xrange [0.5:words(names) + 0.5]
    set xlabel "kind of text, ".size."iB" tc rgb "#808080"
    do for [bins in "5 26 256"] {
        set output folder."/bench-kinds-".(size eq "64M" ? "" : size."-").bins.".svg"
        set title device.": ".bins." bins" tc rgb "#808080"
        rate_with(who) = strcol(1) eq who && column(3) == bins ? (column(9) > 0 ? column(9) : 1/0) : NaN
        place_of(kind) = sum [i=1:words(names)] (word(names, i) eq kind ? i : 0)
        measured = ""
        stats file every ::1 using (measured = column(3) == bins && column(9) > 0 ? with_word(measured, strcol(1)) : measured, 1) nooutput
        shown = ""
        do for [c in chapters] { shown = has_word(measured, c) ? shown." ".c : shown }
        number_of(who) = sum [i=1:words(chapters)] (word(chapters, i) eq who ? i : 0)
        plot file every ::1 using (place_of(strcol(2))):(rate_with("read only")) with linespoints lw 2 lc rgb "#d9694a" title "reading alone", \
             file every ::1 using (place_of(strcol(2))):(rate_with("cub DeviceHistogram")) with linespoints lw 2 dt 2 lc rgb "#a678c0" title "CUB", \
             for [c in shown] file every ::1 using (place_of(strcol(2))):(rate_with(c)) with linespoints lw 2 lc rgb color(number_of(c)) title c
    }
}
