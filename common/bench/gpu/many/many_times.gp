# many_times.gp - the plot of what many_times.c and ranks_times.c measured; many_times.sh calls it.
#
# gnuplot -e "folder='build/gpu-bench'; device='NVIDIA H200'" common/bench/gpu/many/many_times.gp
# Three panels: text on the cards, in host memory, in a file; speed against the number of GPUs.
load "common/tools/plots/paper.gp"
set datafile separator comma
set datafile missing NaN # a row that a panel does not show
set datafile columnheaders
rows = folder."/many.csv"
has_word(list, word) = strstrt(" ".list." ", " ".word." ") > 0
with_word(list, word) = has_word(list, word) ? list : list." ".word
is_chapter(name) = strstrt("0123456789", name[1:1]) > 0
is_alone(name) = strstrt(name, "alone") > 0
speed_of(where, who, b) = strcol("where") eq where && column("bins") == b && strcol("correct") ne "NO" && (who eq "alone" ? is_alone(strcol("implementation")) : strcol("implementation") eq who) ? column("GB_per_s") : NaN

bins = on_cards = in_host = in_file = ""
most = 1
# What a place has: chapters, or what is alone there.
with_one(list, where) = strcol("where") eq where && strcol("correct") ne "NO" && (is_chapter(strcol("implementation")) || is_alone(strcol("implementation"))) ? with_word(list, is_alone(strcol("implementation")) ? "alone" : strcol("implementation")) : list
stats rows using (bins = with_word(bins, strcol("bins")), most = column("devices") > most ? column("devices") : most, 1) nooutput
stats rows using (on_cards = with_one(on_cards, "each"), in_host = with_one(in_host, "pinned"), in_file = with_one(in_file, "file"), 1) nooutput
shade(b) = word(colors, 1 + 3 * (b > 1) + 3 * (b > 2))
# A chapter has a line for each number of bins, of what is alone one is enough.
lines_of(c) = c eq "alone" ? 1 : words(bins)
color_of(c, b) = c eq "alone" ? reading : shade(b)
dash_of(c) = c eq "alone" ? 3 : 1
mark_of(c) = c eq "alone" ? 1 : mark(number_of(c))
title_of(c, b, alone) = c eq "alone" ? alone : c.", ".word(bins, b)." bins"

svg = folder."/many.svg"
set terminal svg noenhanced size 1200,480 dynamic font "sans-serif,13"
set output svg
set multiplot layout 1, 3 title device.": counting on several GPUs" tc rgb ink
set xlabel "GPUs" tc rgb ink
set xtics 1
set xrange [0.7:most + 0.3]
set yrange [0:*]
set ylabel "GB/s" tc rgb ink

set title "text on the cards" tc rgb ink
if (words(on_cards) > 0) {
    plot for [c in on_cards] for [b=1:lines_of(c)] rows using (column("devices")):(speed_of("each", c, 0 + word(bins, b))) \
         with linespoints lw 2 dt dash_of(c) pt mark_of(c) ps 0.8 lc rgb color_of(c, b) title title_of(c, b, "reading alone")
}
set title "text in host memory, ".word(bins, 1)." bins" tc rgb ink
if (words(in_host) > 0) {
    plot for [c in in_host] for [p=1:2] rows using (column("devices")):(speed_of(word("pinned pageable", p), c, 0 + word(bins, 1))) \
         with linespoints lw 2 dt dash_of(c) pt mark_of(c) + p - 1 ps 0.8 lc rgb color_of(c, p) title word("pinned pageable", p).", ".(c eq "alone" ? "copies alone" : c)
}
set title "text in a file that lies in memory" tc rgb ink
set xlabel "GPUs, a rank for each" tc rgb ink
if (words(in_file) > 0) {
    plot for [c in in_file] for [b=1:lines_of(c)] rows using (column("devices")):(speed_of("file", c, 0 + word(bins, b))) \
         with linespoints lw 2 dt dash_of(c) pt mark_of(c) ps 0.8 lc rgb color_of(c, b) title title_of(c, b, "reading alone")
}
unset multiplot
unset output
said = finish(svg, "speed against the number of GPUs on ".device, "Three panels, a line for each number of bins: gigabytes of text a second, of text on the cards, in host memory and in a file, beside reading or copying alone in the same run. The figures are in many.csv.")
