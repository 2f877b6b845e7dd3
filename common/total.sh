#!/bin/sh
# total.sh OUTPUT... - adds up the last lines "12 passed, 0 failed" of test programs.
#
# Prints the sum as the same kind of line. A program without that line has crashed and
# counts as one failure; its last words are printed. Status 1 when anything failed.
passed=0 failed=0
for output in "$@"; do
    counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$output" | tail -n 1)
    if [ -z "$counts" ]; then
        echo "$output: ended without a result: $(tail -n 1 "$output")"
        counts="0 1"
    fi
    passed=$((passed + ${counts% *}))
    failed=$((failed + ${counts#* }))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
