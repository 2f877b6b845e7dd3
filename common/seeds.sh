#!/bin/sh
# seeds.sh NAME ROW TEXT - proves that a solution counts TEXT right, and that no check has
# anything to say of it, on the schedules of 20 seeds. Prints one line, "ok ..." or
# "FAIL ..."; the status is 0.
name=$1 row=$2 text=$3
out=$row.seeds.csv
for seed in $(seq 20); do
    said=$(SIM_CHECKS=all,leakcheck SIM_SEED=$seed "$row" "$text" 0 solution "$out" 2>&1)
    status=$?
    if [ $status -ne 0 ] || [ -n "$said" ] || ! grep -q ',yes,' "$out"; then
        echo "FAIL $name with seed $seed: status $status, $(printf '%s\n' "$said" | head -n 1)"
        exit 0
    fi
done
echo "ok $name: right with 20 seeds, and no check says a word"
