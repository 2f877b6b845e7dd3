# ladder_table.gp - draws build/ladder.svg from build/ladder.csv: what each chapter costs.
# gnuplot -e "csv='build/ladder.csv'; svg='build/ladder.svg'" common/course/ladder_table.gp
load "common/tools/plots/paper.gp"
set datafile separator comma
set terminal svg noenhanced size 960,480 dynamic font "sans-serif,13"
set output svg
set title "What each chapter asks of the memory (the simulated GPU's counters)" tc rgb ink
set xlabel "chapter" tc rgb ink
set xtics rotate by -20
set ytics format "%.0s%c"
set ylabel "count, logarithmic" tc rgb ink
set logscale y
set yrange [0.8:*]
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.9 noborder
red = "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"
load = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
shared = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"
shuffles = "shuffles"
barriers = "barriers_a_block"
of_values = strstrt(system("head -n 1 ".csv), "reading_threads") > 0
if (of_values) plot csv using load:xticlabels(strcol("chapter")." ".strcol("name")) title "sectors loaded" lc rgb bars, \
     csv using shuffles title "shuffles" lc rgb reading, \
     csv using barriers title "barriers a block" lc rgb "#5aa469"
if (!of_values) plot csv using load:xticlabels(strcol("chapter")." ".strcol("name")) title "sectors loaded" lc rgb bars, \
     csv using red title "sectors of global atomics" lc rgb reading, \
     csv using shared title "wavefronts of shared atomics" lc rgb "#5aa469"
unset output
words = of_values ? "shuffles, barriers a block" : "sectors of global atomics, wavefronts of shared atomics"
figures = finish(svg, "What each chapter asks of the memory", "Three bars for each chapter on a logarithmic axis: sectors loaded, ".words.". The figures are in ".csv.".")
