#!/bin/sh
# proofs.sh FILE... - prints the lines "ok ..." and "FAIL ..." of all proofs, the failures
# last, and adds them up: "280 passed, 0 failed". Status 1 when one failed.
lines=$(cat "$@")
printf '%s\n' "$lines" | grep -v '^FAIL '
printf '%s\n' "$lines" | grep '^FAIL '
passed=$(printf '%s\n' "$lines" | grep -c '^ok ')
failed=$(printf '%s\n' "$lines" | grep -c '^FAIL ')
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
