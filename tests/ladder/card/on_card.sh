#!/bin/bash
# on_card.sh - builds the library for this machine's card, tests it there, and times it beside plain atomics, CUB,
# CuPy and PyTorch.
#
#   tests/ladder/card/on_card.sh FOLDER [PART...]
#
# leaves in FOLDER what the parts write, each within a time of its own. Without parts all are done, in this order:
#
#   build      all programs, in build/card
#   arrays     texts and reductions, three times with each CUB          arrays-CUB-RUN.csv
#   sweep      cells that SEED draws, for SWEEP seconds                 sweep.csv, sweep.log
#   lessons    the cells of lessons.cells                               lessons.csv
#   worst      Nsight Compute's counters of the sweep's worst cells     worst.cells, worst.csv
#   limits     calls with as many bins as shared memory holds in some passes, and some more and fewer   limits.log
#   tests      the library's tests, by what they find and say           tests.log
#   sanitize   compute-sanitizer's four tools over these tests, and over each path of the kernels   sanitize.log
#   python     the module beside CuPy, PyTorch and numpy                python.csv
#   constants  what common/ladder/constants.h has                       constants.log
#
# In the environment: CCCL, folders with the source of newer CUBs; ARCH, sm_90; SWEEP, 240; SEED, 1. The tests need
# Criterion.
set -u
cd "$(dirname "$0")/../../.." || exit 1
out=$1 arch=${ARCH:-sm_90} begun=$SECONDS
shift
mkdir -p "$out" build/card
out=$(cd "$out" && pwd)
operations="count saturate sum_u32 sum_f32 powers minmax argmax"
nvcc=(nvcc -O3 -std=c++17 "-arch=$arch")
cuda=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
library="build/card/host-*.o build/card/by_index-*.o build/card/reduce-*.o build/card/text.o"
sources=tests/ladder/card
metrics=gpu__time_duration.sum,dram__bytes_read.sum,dram__bytes_write.sum,dram__throughput.avg.pct_of_peak_sustained_elapsed
metrics+=,lts__t_sectors_op_red.sum,lts__t_sectors_op_atom.sum,smsp__inst_executed.sum,smsp__inst_executed.avg.per_cycle_active
metrics+=,l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed
metrics+=,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum,sm__warps_active.avg.pct_of_peak_sustained_active
say() { echo "[$((SECONDS - begun)) s] $*"; }
cubs() { printf '%s\n' toolkit $(seq -f newer-%g 1 "$(wc -w <<<"${CCCL:-}")"); }

commands() { # to compile, one a line
    local op test k=0 cccl peers="-shared -Xcompiler -fPIC,-fvisibility=hidden -cudart shared $sources/peers.cu"
    for op in $operations; do
        echo "${nvcc[*]} -DOPERATION=$op $peers -o build/card/toolkit/$op.so"
    done
    for cccl in ${CCCL:-}; do
        k=$((k + 1))
        cccl="-I$cccl/cub -I$cccl/thrust -I$cccl/libcudacxx/include"
        mkdir -p "build/card/newer-$k"
        for op in $operations; do
            echo "${nvcc[*]} -DONLY_CUB -DOPERATION=$op $cccl $peers -o build/card/newer-$k/$op.so"
        done
        echo "${nvcc[*]} $cccl -c $sources/arrays.cu -o build/card/arrays-newer-$k.o"
    done
    echo "${nvcc[*]} -c $sources/arrays.cu -o build/card/arrays-toolkit.o"
    for op in $operations count_64; do
        echo "${nvcc[*]} -Xcompiler -fPIC -DOPERATION=$op -c common/ladder/kernels/by_index.cu -o build/card/by_index-$op.o"
    done
    for op in sum max dot float_sum reproducible; do
        echo "${nvcc[*]} -Xcompiler -fPIC -DREDUCTION=$op -c common/ladder/kernels/reduce.cu -o build/card/reduce-$op.o"
    done
    echo "${nvcc[*]} -Xcompiler -fPIC -c common/ladder/kernels/text.cu -o build/card/text.o"
    echo "${nvcc[*]} -c $sources/sweep.cu -o build/card/sweep.o"
    echo "${nvcc[*]} -c $sources/measure_constants.cu -o build/card/constants.o"
    for test in arguments arrays by_index streams; do
        echo "gcc -std=gnu11 -O1 -Icommon/ladder -I$sources -isystem $cuda/include -c tests/ladder/$test.c -o build/card/test-$test.o"
    done
    for source in common/ladder/*.c; do
        echo "gcc -std=c11 -O2 -fPIC -isystem $cuda/include -c $source -o build/card/host-$(basename "$source" .c).o"
    done
}
do_build() {
    mkdir -p build/card/toolkit
    commands | xargs -P "$(nproc)" -d '\n' -n 1 bash -c 2>build/card/compile.log || say "something was not compiled"
    local link="${nvcc[*]} -cudart shared $library -lpthread" program
    {
        echo "$link build/card/sweep.o -ldl -o build/card/sweep"
        echo "$link build/card/constants.o -o build/card/constants"
        echo "$link -shared -Xlinker -soname,libladder.so.1,--version-script,common/ladder/exported.map -o build/card/libladder.so.1"
        for program in $(cubs); do echo "$link build/card/arrays-$program.o -o build/card/arrays-$program"; done
        for program in arguments arrays by_index streams; do
            echo "$link build/card/test-$program.o -lcriterion -lm -o build/card/test-$program"
        done
    } | xargs -P "$(nproc)" -d '\n' -n 1 bash -c 2>>build/card/compile.log || say "something was not linked"
}
do_arrays() {
    local run cub
    for run in 1 2 3; do
        for cub in $(cubs); do
            timeout 30 "build/card/arrays-$cub" "$out/arrays-$cub-$run.csv" >/dev/null 2>>"$out/arrays.log" || say "arrays-$cub failed"
        done
    done
}
peers() { printf 'build/card/%s\n' $(cubs); }
# What makes a wrong access ends the process: then the sweep goes on with other cells.
do_sweep() {
    local seed=${SEED:-1} end=$((SECONDS + ${SWEEP:-240})) tries=20
    rm -f "$out/sweep.csv" "$out/sweep.log"
    while [ $((end - SECONDS)) -gt 5 ] && [ $((tries -= 1)) -gt 0 ]; do
        timeout $((end - SECONDS + 10)) build/card/sweep "$seed" $((end - SECONDS)) "$out/part.csv" $(peers) >>"$out/sweep.log" \
            2>>"$out/cells.log" || say "sweep $seed failed; the last cell: $(tail -n 1 "$out/cells.log")"
        { [ -s "$out/sweep.csv" ] && sed 1d "$out/part.csv" || cat "$out/part.csv"; } >>"$out/sweep.csv"
        seed=$((seed + 1000))
    done
    rm -f "$out/part.csv"
    grep -v '^  ' "$out/sweep.log"
}
do_lessons() {
    timeout 60 build/card/sweep $sources/lessons.cells 50 "$out/lessons.csv" $(peers) >>"$out/lessons.log" 2>&1 ||
        say "the cells of lessons failed"
}
# The ten that are furthest from the law, and the ten of 20 us or more that are slowest beside the best peer.
do_worst() {
    [ -s "$out/sweep.csv" ] || return
    { sed 1d "$out/sweep.csv" | sort -t, -k12,12gr | head -n 10
      sed 1d "$out/sweep.csv" | awk -F, '$7 >= 20' | sort -t, -k15,15gr | head -n 10; } |
        awk -F, '!seen[$0]++ { print $1, $2, $3, $4, $5 }' >"$out/worst.cells"
    timeout 120 ncu --profile-from-start off --clock-control none --cache-control none --csv --page raw --metrics $metrics \
        build/card/sweep once "$out/worst.cells" build/card/toolkit >"$out/worst.csv" 2>"$out/worst.log" || say "ncu failed"
}
do_limits() {
    awk -v shared=232448 'BEGIN {
        split("count saturate sum_u32 sum_f32 powers minmax argmax", operations); split("4 4 8 4 36 16 8", words)
        split("-65 -33 -32 -31 -1 0 1 2 4 8 16 24 31 32 33 40 64 65 100 128 1000", less)
        for (o = 1; o <= 7; o++)
            for (passes = 1; passes <= 5; passes++)
                for (i in less)
                    print operations[o], "uniform", 0, 150000 * (1 + i % 3), int(passes * shared / words[o]) - less[i]
    }' >build/card/limits.cells
    timeout 60 build/card/sweep once build/card/limits.cells build/card/toolkit >"$out/limits.log" 2>&1 || say "a call failed, or was wrong"
    grep -c ': right' "$out/limits.log"
}
do_tests() {
    local test
    for test in arguments arrays by_index streams; do
        timeout 60 build/card/test-$test --jobs 1 || say "test-$test failed"
    done >"$out/tests.log" 2>&1
    grep -a Synthesis "$out/tests.log"
}
do_sanitize() {
    local tool test
    for tool in memcheck racecheck initcheck synccheck; do
        for test in arguments arrays streams by_index; do
            timeout 100 compute-sanitizer --tool $tool --target-processes all --error-exitcode 9 build/card/test-$test --jobs 1 \
                >"build/card/$tool-$test.log" 2>&1
            echo "$tool test-$test: status $?, $(grep -ac 'SUMMARY: 0' "build/card/$tool-$test.log") clean, $(grep -a Synthesis "build/card/$tool-$test.log")"
            grep -a 'SUMMARY\|=== ' "build/card/$tool-$test.log" | grep -av 'SUMMARY: 0\|COMPUTE-SANITIZER' | head -n 8
        done >"build/card/$tool.log" &
        {
            timeout 150 compute-sanitizer --tool $tool --error-exitcode 9 build/card/sweep once $sources/paths.cells build/card/toolkit \
                >"build/card/$tool-paths.log" 2>&1
            echo "$tool paths: status $?, $(grep -ac ': right' "build/card/$tool-paths.log") right"
            grep -a 'SUMMARY\|WRONG\|========= ' "build/card/$tool-paths.log" | sort | uniq -c | sort -rn | head -n 8
        } >"build/card/$tool-paths" &
    done
    wait
    cat build/card/{mem,race,init,sync}check{-paths,.log} >"$out/sanitize.log"
    cat "$out/sanitize.log"
}
do_python() {
    PYTHONPATH=common/ladder/python LADDER_LIBRARY=build/card/libladder.so.1 timeout 90 python3 $sources/python_peers.py \
        "$out/python.csv" >"$out/python.log" 2>&1 || { say "python failed"; tail -n 3 "$out/python.log"; }
    LADDER_LIBRARY=build/card/libladder.so.1 timeout 60 python3 -m pytest -q -p no:cacheprovider tests/ladder/test_python.py \
        >>"$out/python.log" 2>&1 || say "pytest failed"
    tail -n 1 "$out/python.log"
}
do_constants() { timeout 30 build/card/constants >"$out/constants.log" 2>&1 || say "the constants were not measured"; }

for part in ${*:-build arrays sweep lessons worst limits tests sanitize python constants}; do
    "do_$part"
    say "$part"
done
