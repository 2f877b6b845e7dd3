# kernel_times.gp - the plots of what kernel_times.c measured; common/bench/gpu/kernel_times.sh calls it.
#
# gnuplot -e "folder='build/gpu-bench'; device='NVIDIA H200'" common/bench/gpu/kernel_times.gp
load "common/tools/plots/paper.gp"
set datafile separator comma
set datafile missing NaN # a row that a plot does not show
set datafile columnheaders
set terminal svg noenhanced size 960,560 dynamic font "sans-serif,13"
set title tc rgb ink
set xlabel tc rgb ink
set ylabel "GB/s of text, logarithmic" tc rgb ink
set logscale y
set yrange [1:6000]
kinds = folder."/bench-kinds-64M.csv"
sizes = folder."/bench-sizes-5.csv"
has_word(list, word) = strstrt(" ".list." ", " ".word." ") > 0
with_word(list, word) = has_word(list, word) ? list : list." ".word
place(list, it) = sum [i=1:words(list)] (word(list, i) eq it ? i : 0)

# Of a row: who it is of, and the rate, 0 when it has none.
who(row) = strcol("implementation")
rate(row) = strcol("correct") eq "left out" || strcol("GB_per_s") eq "-" ? 0 : column("GB_per_s")
rate_of(name) = who(0) eq name && rate(0) > 0 ? rate(0) : NaN

# The chapters are the implementations with a number.
chapters = ""
is_chapter(name) = strstrt("0123456789", name[1:1]) > 0 && strstrt(name, "-") == 0 # no variant
stats kinds using (chapters = is_chapter(who(0)) ? with_word(chapters, who(0)) : chapters, 1) nooutput

# The ladder: bars on a log axis, with reading alone and CUB as lines. A bar's figure is at its foot,
# where no line comes.
roof = cub = 0
array rates[words(chapters)]
is_on_english(name) = who(0) eq name && strcol("input") eq "english"
is_first_text(name) = is_on_english(name) && column("bins") == 5
stats kinds using (roof = is_first_text("read only") ? rate(0) : roof, cub = is_first_text("cub DeviceHistogram") ? rate(0) : cub, 1) nooutput
said = ""
do for [i=1:words(chapters)] {
    rates[i] = 0
    stats kinds using (is_first_text(word(chapters, i)) ? rates[i] = rate(0) : 1) nooutput
    said = said.sprintf("%s %.4g, ", word(chapters, i), rates[i])
}
set output folder."/bench-ladder.svg"
set title device.": 64 MiB of English text, 5 bins"
set style fill solid 0.9 noborder
set boxwidth 0.7
set xtics rotate by -20
set xrange [0.4:words(chapters) + 0.6]
plot for [i=1:words(chapters)] '+' every ::0::0 using (i):(rates[i]):xticlabels(word(chapters, i)) \
         with boxes lc rgb bars notitle, \
     roof with lines lw 2 lc rgb reading title sprintf("reading alone: %.0f GB/s", roof), \
     cub with lines lw 2 dt 2 lc rgb library title sprintf("CUB DeviceHistogram: %.0f GB/s", cub), \
     for [i=1:words(chapters)] '+' every ::0::0 using (i):(1.35):(sprintf("%.4g", rates[i])) \
         with labels tc rgb on_bars notitle
unset output
said = finish(folder."/bench-ladder.svg", "The ladder on ".device, "Bars on a logarithmic axis, in GB/s of text, 64 MiB of English text in 5 bins: ".said.sprintf("reading alone %.4g, CUB %.4g.", roof, cub))

# Against the size.
svg = folder."/bench-sizes.svg"
set output svg
set title device.": English text, 5 bins"
set xlabel "bytes of text"
set xtics norotate
set xrange [*:*]
set logscale x 2
set format x "%.0b%B"
plot sizes using (column("length")):(rate_of("read only")) with lines lw 2 lc rgb reading title "reading alone", \
     sizes using (column("length")):(rate_of("cub DeviceHistogram")) with lines lw 2 dt 2 lc rgb library title "CUB", \
     for [c in chapters] sizes using (column("length")):(rate_of(c)) \
         with linespoints lw 2 lc rgb color(number_of(c)) pt mark(number_of(c)) title c
unset output
said = finish(svg, "Speed against the length of the text on ".device, "A line for each chapter, for reading alone and for CUB: GB/s of English text in 5 bins, from 64 KiB to 4 GiB. The figures are in bench-sizes-5.csv.")

# Against the number of bins.
svg = folder."/bench-bins.svg"
set output svg
set title device.": 64 MiB of English text"
set xlabel "bins, logarithmic"
set format x "%g"
set xtics (5, 26, 256)
set xrange [4:320]
rate_on_english(name) = is_on_english(name) ? rate_of(name) : NaN
plot kinds using (column("bins")):(rate_on_english("read only")) with lines lw 2 lc rgb reading title "reading alone", \
     kinds using (column("bins")):(rate_on_english("cub DeviceHistogram")) with lines lw 2 dt 2 lc rgb library title "CUB", \
     for [c in chapters] kinds using (column("bins")):(rate_on_english(c)) \
         with linespoints lw 2 lc rgb color(number_of(c)) pt mark(number_of(c)) title c
unset output
said = finish(svg, "Speed against the number of bins on ".device, "A line for each chapter, for reading alone and for CUB: GB/s of 64 MiB of English text in 5, 26 and 256 bins. The figures are in bench-kinds-64M.csv.")

# On each kind of text, for each number of bins; 1 GiB where it was measured. Kinds are no scale:
# marks, and no lines between them. In a kind the chapters go from left to right.
unset logscale x
set grid noxtics ytics
do for [size in "64M 1G"] {
    file = folder."/bench-kinds-".size.".csv"
    if (system("[ -e ".file." ] && echo yes") ne "yes") { continue }
    names = ""
    stats file using (names = who(0) eq "read only" ? with_word(names, strcol("input")) : names, 1) nooutput
    set xtics () norotate scale 0
    do for [i=1:words(names)] { set xtics add (word(names, i) i) }
    set xrange [0.5:words(names) + 0.5]
    unset xlabel
    do for [bins in "5 26 256"] {
        name = "bench-kinds-".(size eq "64M" ? "" : size."-").bins
        set output folder."/".name.".svg"
        set title device.": ".size[1:strlen(size)-1]." ".size[strlen(size):]."iB of each kind of text, ".bins." bins"
        rate_with(name) = column("bins") == bins ? rate_of(name) : NaN
        at(shift) = place(names, strcol("input")) + shift
        shown = ""
        stats file using (shown = is_chapter(who(0)) && column("bins") == bins && rate(0) > 0 ? with_word(shown, who(0)) : shown, 1) nooutput
        step = 0.7 / words(shown)
        plot file using (at(-0.42)):(rate_with("read only")):(0.84):(0) with vectors nohead lw 2 lc rgb reading title "reading alone", \
             file using (at(-0.42)):(rate_with("cub DeviceHistogram")):(0.84):(0) with vectors nohead lw 2 dt 2 lc rgb library title "CUB", \
             for [i=1:words(shown)] file using (at((i - 0.5) * step - 0.35)):(rate_with(word(shown, i))) with points \
                 lc rgb color(number_of(word(shown, i))) pt mark(number_of(word(shown, i))) ps 0.9 title word(shown, i)
        unset output
        said = ""
        do for [c in shown] {
            stats file using (rate_with(c)) nooutput
            said = said.sprintf("; %s %.4g to %.4g", c, STATS_min, STATS_max)
        }
        said = finish(folder."/".name.".svg", bins." bins, each kind of text on ".device, "Marks in a column for each kind of text, ".size."iB, in GB/s; from the slowest kind to the fastest".said.". The figures are in bench-kinds-".size.".csv.")
    }
}
load "common/tools/plots/decisions.gp"
