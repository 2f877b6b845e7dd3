#!/bin/sh
# card.sh - tries every goal of the word gpu on a card, with short inputs: some minutes on an H200 with 16 cores, most
# of them nvcc's. It prints a line for each command, with its seconds, and ends with status 1 when one failed. What a
# command said is in build/card. make gpu test and make gpu bench try all that there is.
mkdir -p build/card
failed=0 number=0

try() {
    number=$((number + 1)) begun=$(date +%s) answer=ok
    log=build/card/$number.log
    timeout -k 5 240 "$@" >"$log" 2>&1 </dev/null || { answer="FAILED, see $log" failed=1; }
    echo "$(($(date +%s) - begun)) s, $answer: $*"
    [ "$answer" = ok ] || tail -n 5 "$log"
}

try make chapter1 chapter5 chapter12 solution gpu test BINS=26
try make chapter21 chapter42 solution gpu test OPERATION=float_sum
try make chapter70 chapter73 solution gpu test
try make chapter60 solution gpu test BINS=5
try make chapter5 chapter10 solution gpu run
try make chapter20 chapter29 chapter31 solution gpu run OPERATION=count
try make chapter46 chapter47 solution gpu run OPERATION=float_sum SIZE=16M
try make chapter70 chapter72 solution gpu run
try make chapter60 solution gpu run SIZE=1G HOST_SIZE=1G
try make chapter5 chapter10 solution gpu bench BINS=5 TEXT=english SIZE=16M
try make chapter29 solution gpu bench OPERATION=count CELLS=505:zipf@1000000
try make chapter6 solution gpu sanitize
try make chapter21 solution gpu sanitize OPERATION=float_sum
try make chapter5 chapter21 solution gpu fidelity OPERATION=count BINS=5
try make gpu micro
try make gpu kmeans register
try make gpu count
exit $failed
