# plots.gp - the plots of a benchmark's CSV files.
#
# gnuplot -e "folder='build/gpu-bench'; device='NVIDIA H200'" common/gpu/plots.gp
# Mid-tone colors on a transparent ground: readable on light and on dark pages.
set datafile separator comma
set terminal svg noenhanced size 960,520 dynamic font "sans-serif,13"
set border 3 lc rgb "#808080"
set key outside bottom center horizontal tc rgb "#808080"
set xtics nomirror tc rgb "#808080"
set ytics nomirror tc rgb "#808080" format "%g"
set title tc rgb "#808080"
set xlabel tc rgb "#808080"
set ylabel "GB/s of text, logarithmic" tc rgb "#808080"
set logscale y
chapters = system("cut -d, -f1 ".folder."/sizes-5.csv | grep '^[0-9]' | sort -u | tr '\n' ' '")
of(who, column) = strcol("implementation") eq who ? column(column) : NaN

# The ladder: bars on a log axis, with the roofline and CUB as lines.
kinds = folder."/kinds-5.csv"
rate(who) = real(system("awk -F, -v who='".who."' '$1 == who && $2 == \"english\" { print $9 }' ".kinds))
roof = rate("read only")
cub = rate("cub DeviceHistogram")
set output folder."/ladder.svg"
set title device.": 64 MiB of English text, 5 bins" tc rgb "#808080"
set style fill solid 0.9 noborder
set boxwidth 0.7
set xtics rotate by -20
set xrange [0.4:words(chapters) + 0.6]
set yrange [1:6000]
plot roof with lines lw 2 lc rgb "#d9694a" title sprintf("reading alone: %.0f GB/s", roof), \
     cub with lines lw 2 dt 2 lc rgb "#a678c0" title sprintf("CUB DeviceHistogram: %.0f GB/s", cub), \
     for [i=1:words(chapters)] '+' every ::0::0 using (i):(rate(word(chapters, i))):xticlabels(word(chapters, i)) \
         with boxes lc rgb "#4c8dca" notitle, \
     for [i=1:words(chapters)] '+' every ::0::0 using (i):(rate(word(chapters, i)) * 1.25):(sprintf("%.4g", rate(word(chapters, i)))) \
         with labels tc rgb "#808080" notitle

# Against the size.
set output folder."/sizes.svg"
set title device.": English text, 5 bins" tc rgb "#808080"
set xlabel "bytes of text" tc rgb "#808080"
set xtics norotate
set xrange [*:*]
set logscale x 2
set format x "%.0b%B"
set yrange [1:6000]
sizes = folder."/sizes-5.csv"
everyone = "read\\ only cub\\ DeviceHistogram ".chapters
plot sizes using (strcol(1) eq "read only" ? $4 : NaN):9 with linespoints lw 2 lc rgb "#d9694a" title "reading alone", \
     sizes using (strcol(1) eq "cub DeviceHistogram" ? $4 : NaN):9 with linespoints lw 2 dt 2 lc rgb "#a678c0" title "CUB", \
     for [c in chapters] sizes using (strcol(1) eq c ? $4 : NaN):9 with linespoints lw 2 title c noenhanced

# Against the kind of text, for each number of bins.
unset logscale x
set format x "%g"
set xlabel "kind of text, 64 MiB" tc rgb "#808080"
do for [bins in "5 26 256"] {
    file = folder."/kinds-".bins.".csv"
    set output folder."/kinds-".bins.".svg"
    set title device.": ".bins." bins" tc rgb "#808080"
    kinds_of(who) = sprintf("< awk -F, -v who='%s' '$1 == who { print $2 \",\" $9 }' %s", who, file)
    plot kinds_of("read only") using 0:2:xticlabels(1) with linespoints lw 2 lc rgb "#d9694a" title "reading alone", \
         kinds_of("cub DeviceHistogram") using 0:2 with linespoints lw 2 dt 2 lc rgb "#a678c0" title "CUB", \
         for [c in chapters] kinds_of(c) using 0:2 with linespoints lw 2 title c noenhanced
}
