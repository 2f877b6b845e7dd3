#!/bin/bash
# on_card.sh - builds the library for this machine's card, and times it beside plain atomics and CUB.
#
#   tests/ladder/card/on_card.sh FOLDER [SECONDS] [SEED] [CCCL...]
#
# leaves in FOLDER sweep.csv and arrays-*.csv and what was printed. CCCL: folders with the source of newer CUBs. SECONDS
# is for the sweep, 240 if nothing is said.
set -u
cd "$(dirname "$0")/../../.." || exit 1
out=$1 seconds=${2:-240} seed=${3:-1}
shift $(($# < 3 ? $# : 3))
mkdir -p "$out" build/card
arch=${ARCH:-sm_90}
begun=$SECONDS
say() { echo "[$((SECONDS - begun)) s] $*"; }
operations="count saturate sum_u32 sum_f32 powers minmax argmax"
nvcc=(nvcc -O3 -std=c++17 "-arch=$arch")
compile_all() { # one command a line, so many at a time
    local op k=0 cccl
    for op in $operations count_64; do
        echo "${nvcc[*]} -Xcompiler -fPIC -DOPERATION=$op -c common/ladder/kernels/by_index.cu -o build/card/by_index-$op.o"
    done
    for op in sum max dot float_sum reproducible; do
        echo "${nvcc[*]} -Xcompiler -fPIC -DREDUCTION=$op -c common/ladder/kernels/reduce.cu -o build/card/reduce-$op.o"
    done
    echo "${nvcc[*]} -Xcompiler -fPIC -c common/ladder/kernels/text.cu -o build/card/text.o"
    for op in $operations; do
        echo "${nvcc[*]} -DOPERATION=$op -shared -Xcompiler -fPIC,-fvisibility=hidden -cudart shared tests/ladder/card/peers.cu -o build/card/toolkit/$op.so"
    done
    for cccl in "$@"; do
        k=$((k + 1))
        mkdir -p "build/card/newer-$k"
        for op in $operations; do
            echo "${nvcc[*]} -DONLY_CUB -DOPERATION=$op -I$cccl/cub -I$cccl/thrust -I$cccl/libcudacxx/include -shared -Xcompiler -fPIC,-fvisibility=hidden -cudart shared tests/ladder/card/peers.cu -o build/card/newer-$k/$op.so"
        done
        echo "${nvcc[*]} -cudart shared -I$cccl/cub -I$cccl/thrust -I$cccl/libcudacxx/include -c tests/ladder/card/arrays.cu -o build/card/arrays-newer-$k.o"
    done
    echo "${nvcc[*]} -c tests/ladder/card/arrays.cu -o build/card/arrays-toolkit.o"
    echo "${nvcc[*]} -c tests/ladder/card/sweep.cu -o build/card/sweep.o"
    echo "${nvcc[*]} -c tests/ladder/card/measure_constants.cu -o build/card/constants.o"
}
mkdir -p build/card/toolkit
compile_all "$@" | xargs -P "${JOBS:-$(nproc)}" -d '\n' -n 1 bash -c 2>build/card/compile.log || say "something was not compiled"
for source in common/ladder/*.c; do
    gcc -std=c11 -O2 -fPIC -isystem "$(dirname "$(readlink -f "$(command -v nvcc)")")/../include" -c "$source" \
        -o "build/card/host-$(basename "$source" .c).o" || exit 1
done
library="build/card/host-*.o build/card/by_index-*.o build/card/reduce-*.o build/card/text.o"
"${nvcc[@]}" -cudart shared build/card/sweep.o $library -ldl -lpthread -o build/card/sweep || exit 1
"${nvcc[@]}" -cudart shared build/card/constants.o $library -lpthread -o build/card/constants || exit 1
say "built"
build/card/constants >"$out/constants.log" 2>&1 || say "the constants were not measured"
peers=(build/card/toolkit)
for folder in build/card/newer-*; do
    k=${folder##*-}
    [ -d "$folder" ] && [ "$k" -le $# ] && [ "$(ls "$folder" | wc -l)" = 7 ] && peers+=("$folder")
done
for kind in toolkit $(seq -f newer-%g 1 $#); do
    [ -e "build/card/arrays-$kind.o" ] || continue
    "${nvcc[@]}" -cudart shared "build/card/arrays-$kind.o" $library -lpthread -o "build/card/arrays-$kind" &&
        "build/card/arrays-$kind" "$out/arrays-$kind.csv" >"$out/arrays-$kind.log" 2>&1 || say "arrays-$kind failed"
done
say "arrays done"
# What makes a wrong access ends the process: then the sweep goes on with other cells.
: >"$out/cells.log"
: >"$out/sweep.log"
end=$((SECONDS + seconds))
while [ $((end - SECONDS)) -gt 5 ]; do
    build/card/sweep "$seed" $((end - SECONDS)) "$out/part.csv" "${peers[@]}" >>"$out/sweep.log" 2>>"$out/cells.log" ||
        { say "sweep $seed failed; the last cell:"; tail -n 2 "$out/cells.log"; }
    { [ -s "$out/sweep.csv" ] && sed 1d "$out/part.csv" || cat "$out/part.csv"; } >>"$out/sweep.csv"
    seed=$((seed + 1000))
done
rm -f "$out/part.csv"
say "sweep done"
cat "$out/sweep.log"
