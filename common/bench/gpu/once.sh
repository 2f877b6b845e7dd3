#!/bin/sh
# once.sh ARGUMENTS PROGRAM... - compute-sanitizer's four tools over each program, at a time.
#
# CUDA is the toolkit; ARGUMENTS, one word with blanks, are what each program gets. What a tool said is
# beside the program. Status 1 when any tool found anything.
arguments=$1
shift
failed=
for program; do
    for tool in memcheck racecheck initcheck synccheck; do
        # shellcheck disable=SC2086
        "$CUDA/bin/compute-sanitizer" --tool $tool --error-exitcode 9 "$program" $arguments \
            >"$program.$tool" 2>&1 && rm -f "$program.$tool.failed" || touch "$program.$tool.failed" &
    done
    wait
    for tool in memcheck racecheck initcheck synccheck; do
        if [ -e "$program.$tool.failed" ]; then
            echo "$tool $program: see $program.$tool"
            failed=1
        else
            echo "$tool $program: clean"
        fi
    done
done
[ -z "$failed" ]
