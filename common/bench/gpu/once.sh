#!/bin/sh
# once.sh ARGUMENTS PROGRAM... - compute-sanitizer's four tools over each program, at a time.
#
# CUDA is the toolkit; ARGUMENTS, one word with blanks, are what each program gets. TOOLS names other
# tools than all four, MEMCHECK is what memcheck gets besides, PATIENCE how many seconds a tool has; ON
# is said of the programs, and their files are then kept apart. What a tool said is beside the program,
# and its first line is printed. Status 1 when any tool found anything.
arguments=$1
shift
failed=
for program; do
    for tool in ${TOOLS:=memcheck racecheck initcheck synccheck}; do
        said=$program.$tool${ON:+-all} more=
        [ "$tool" != memcheck ] || more=$MEMCHECK
        # shellcheck disable=SC2086
        ${PATIENCE:+timeout -k 5 "$PATIENCE"} "$CUDA/bin/compute-sanitizer" --tool $tool $more \
            --error-exitcode 9 "$program" $arguments >"$said" 2>&1 && rm -f "$said.failed" ||
            touch "$said.failed" &
    done
    wait
    for tool in $TOOLS; do
        said=$program.$tool${ON:+-all}
        if [ -e "$said.failed" ]; then
            first=$(sed -n '/^========= COMPUTE-SANITIZER/d; s/^========= *\(.\)/: \1/p' "$said" |
                head -n 1)
            echo "$tool $program$ON: see $said$first"
            failed=1
        else
            echo "$tool $program$ON: clean"
        fi
    done
done
[ -z "$failed" ]
