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
# Marks, because a bar has no foot on a logarithmic axis; side by side, because some are equal.
set xrange [-0.6:*]
set offsets 0, 0.8, 0, 0
red = "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"
load = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
shared = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"
shuffles = "shuffles"
barriers = "barriers_a_block"
of_values = strstrt(system("head -n 1 ".csv), "reading_threads") > 0
name(row) = strcol("chapter")." ".strcol("name")
if (of_values) plot csv using 0:load:xticlabels(name(0)) with points pt 7 lc rgb bars title "sectors loaded", \
     csv using (column(0) + 0.18):shuffles with points pt 5 lc rgb reading title "shuffles", \
     csv using (column(0) + 0.36):barriers with points pt 9 lc rgb "#5aa469" title "barriers a block"
if (!of_values) plot csv using 0:load:xticlabels(name(0)) with points pt 7 lc rgb bars title "sectors loaded", \
     csv using (column(0) + 0.18):red with points pt 5 lc rgb reading title "sectors of global atomics", \
     csv using (column(0) + 0.36):shared with points pt 9 lc rgb "#5aa469" title "wavefronts of shared atomics"
unset output
words = of_values ? "shuffles, barriers a block" : "sectors of global atomics, wavefronts of shared atomics"
figures = finish(svg, "What each chapter asks of the memory", "Three marks for each chapter on a logarithmic axis: sectors loaded, ".words.". The figures are in ".csv.".")
