# plots.gp - the plots of a benchmark's CSV files; plots.sh calls it.
#
# gnuplot -e "folder='build/gpu-bench'; device='NVIDIA H200'" common/bench/gpu/plots.gp
# Mid-tone colors on a transparent ground: readable on light and on dark pages.
set datafile separator comma
set datafile missing "-"
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
chapters = system("cut -d, -f1 ".kinds." | grep '^[0-9]' | sort -u | tr '\n' ' '")

# `file`'s rows of one implementation as "x,GB/s"; `which` is a condition of awk.
rows(file, who, which, x) = sprintf("< awk -F, -v who='%s' 'NR > 1 && $1 == who && %s && $9 > 0 { print %s \",\" $9 }' %s", who, which, x, file)

# The ladder: bars on a log axis, with the roofline and CUB as lines.
rate(who) = real("0".system("awk -F, -v who='".who."' '$1 == who && $2 == \"english\" && $3 == 5 { print $9 }' ".kinds))
roof = rate("read only")
cub = rate("cub DeviceHistogram")
set output folder."/bench-ladder.svg"
set title device.": 64 MiB of English text, 5 bins" tc rgb "#808080"
set style fill solid 0.9 noborder
set boxwidth 0.7
set xtics rotate by -20
set xrange [0.4:words(chapters) + 0.6]
plot roof with lines lw 2 lc rgb "#d9694a" title sprintf("reading alone: %.0f GB/s", roof), \
     cub with lines lw 2 dt 2 lc rgb "#a678c0" title sprintf("CUB DeviceHistogram: %.0f GB/s", cub), \
     for [i=1:words(chapters)] '+' every ::0::0 using (i):(rate(word(chapters, i))):xticlabels(word(chapters, i)) \
         with boxes lc rgb "#4c8dca" notitle, \
     for [i=1:words(chapters)] '+' every ::0::0 using (i):(rate(word(chapters, i)) * 1.25):(sprintf("%.4g", rate(word(chapters, i)))) \
         with labels tc rgb "#808080" notitle

# Against the size.
set output folder."/bench-sizes.svg"
set title device.": English text, 5 bins" tc rgb "#808080"
set xlabel "bytes of text" tc rgb "#808080"
set xtics norotate
set xrange [*:*]
set logscale x 2
set format x "%.0b%B"
plot rows(sizes, "read only", "1", "$4") using 1:2 with linespoints lw 2 lc rgb "#d9694a" title "reading alone", \
     rows(sizes, "cub DeviceHistogram", "1", "$4") using 1:2 with linespoints lw 2 dt 2 lc rgb "#a678c0" title "CUB", \
     for [i=1:words(chapters)] rows(sizes, word(chapters, i), "1", "$4") using 1:2 \
         with linespoints lw 2 lc rgb color(i) title word(chapters, i)

# Against the number of bins.
set output folder."/bench-bins.svg"
set title device.": 64 MiB of English text" tc rgb "#808080"
set xlabel "bins, logarithmic" tc rgb "#808080"
set format x "%g"
set xtics (5, 26, 256)
set xrange [4:320]
plot rows(kinds, "read only", "$2 == \"english\"", "$3") using 1:2 with linespoints lw 2 lc rgb "#d9694a" title "reading alone", \
     rows(kinds, "cub DeviceHistogram", "$2 == \"english\"", "$3") using 1:2 with linespoints lw 2 dt 2 lc rgb "#a678c0" title "CUB", \
     for [i=1:words(chapters)] rows(kinds, word(chapters, i), "$2 == \"english\"", "$3") using 1:2 \
         with linespoints lw 2 lc rgb color(i) title word(chapters, i)

# Against the kind of text, for each number of bins; 1 GiB where it was measured. A row
# that was left out leaves a gap, so each kind has its place.
unset logscale x
do for [size in "64M 1G"] {
    file = folder."/bench-kinds-".size.".csv"
    if (system("[ -e ".file." ] && echo yes") ne "yes") { continue }
    names = system("awk -F, '$1 == \"read only\" && !seen[$2]++ { print $2 }' ".file." | tr '\n' ' '")
    set xtics () norotate
    do for [i=1:words(names)] { set xtics add (word(names, i) i) }
    set xrange [0.5:words(names) + 0.5]
    set xlabel "kind of text, ".size."iB" tc rgb "#808080"
    do for [bins in "5 26 256"] {
        set output folder."/bench-kinds-".(size eq "64M" ? "" : size."-").bins.".svg"
        set title device.": ".bins." bins" tc rgb "#808080"
        at(who) = sprintf("< awk -F, -v who='%s' -v names='%s' 'BEGIN { n = split(names, name, \" \") } $1 == who && $3 == %s { for (i = 1; i <= n; i++) if (name[i] == $2) print i \",\" ($9 > 0 ? $9 : \"-\") }' %s", who, names, bins, file)
        has(who) = int(system("awk -F, -v who='".who."' '$1 == who && $3 == ".bins." && $9 > 0' ".file." | wc -l"))
        shown = ""
        do for [i=1:words(chapters)] { if (has(word(chapters, i)) > 0) { shown = shown." ".word(chapters, i) } }
        number_of(who) = int(system("echo ".chapters." | tr ' ' '\n' | grep -n '^".who."$' | cut -d: -f1"))
        plot at("read only") using 1:2 with linespoints lw 2 lc rgb "#d9694a" title "reading alone", \
             at("cub DeviceHistogram") using 1:2 with linespoints lw 2 dt 2 lc rgb "#a678c0" title "CUB", \
             for [c in shown] at(c) using 1:2 with linespoints lw 2 lc rgb color(number_of(c)) title c
    }
}
