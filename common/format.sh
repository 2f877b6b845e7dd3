#!/bin/sh
# format.sh FILE... - proves that clang-format 14 would change nothing in the files.
# Prints one line "ok ...", or a line "FAIL ..." for each file; where clang-format 14 is
# not installed, a line that says so and counts as nothing.
for format in clang-format-14 clang-format; do
    "$format" --version 2>/dev/null | grep -q 'version 14' && break
    format=
done
if [ -z "$format" ]; then
    echo "not checked: the format of the code, since clang-format 14 is not installed"
    exit 0
fi
wrong=$("$format" --dry-run "$@" 2>&1 | sed -n 's/^\([^:]*\):.*clang-format-violations.*/\1/p' | sort -u)
if [ -z "$wrong" ]; then
    echo "ok $# files are formatted as .clang-format says"
else
    printf '%s\n' "$wrong" | sed "s/^\(.*\)$/FAIL \1: not formatted; run $format -i \1/"
fi
