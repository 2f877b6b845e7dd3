# ladder.gp - draws build/ladder.svg from build/ladder.csv: what each chapter costs.
# gnuplot -e "csv='build/ladder.csv'; svg='build/ladder.svg'" common/tools/ladder.gp
# Mid-tone colors on a transparent ground: readable on light and on dark pages.
set datafile separator comma
set terminal svg noenhanced size 960,480 dynamic font "sans-serif,13"
set output svg
set title "What each chapter asks of the memory (the simulated GPU's counters)" tc rgb "#808080"
set border 3 lc rgb "#808080"
set key outside bottom center horizontal tc rgb "#808080"
set xtics nomirror rotate by -20 tc rgb "#808080"
set ytics nomirror tc rgb "#808080" format "%.0s%c"
set ylabel "count, logarithmic" tc rgb "#808080"
set logscale y
set yrange [0.8:*]
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.9 noborder
red = "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"
load = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
shared = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"
plot csv using load:xticlabels(strcol("chapter")." ".strcol("name")) title "sectors loaded" lc rgb "#4c8dca", \
     csv using red title "sectors of global atomics" lc rgb "#d9694a", \
     csv using shared title "wavefronts of shared atomics" lc rgb "#5aa469"
