#!/bin/sh
# lesson.sh LESSON CODE-FILE... - proves that a lesson quotes code and measurements as they
# are. Prints a line "ok ...", or a line "FAIL ..." for each wrong quotation.
lesson=$1
here=$(dirname "$0")
{
    awk -f "$here/excerpts.awk" "$@"
    awk -f "$here/figures.awk" "$lesson"
} | sed 's/^/FAIL /' | grep . || {
    excerpts=$(grep -c -E '^ *``` *(c|cuda)$' "$lesson")
    figures=$(grep -c '<!-- from ' "$lesson")
    echo "ok $lesson: $excerpts excerpts stand in the code, $figures tables and paragraphs in docs/results"
}
