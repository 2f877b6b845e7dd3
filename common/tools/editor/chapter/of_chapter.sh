#!/bin/sh
# of_chapter.sh - make for the chapter of a file: what VS Code, vim and emacs call.
#
#   of_chapter.sh FILE GOAL [SETTING...]
#
# FILE is a chapter's: its stub or solution, an exercise in further/, its lesson or suite.
top=$(cd "$(dirname "$0")/../../../.." && pwd) || exit
file=$1
[ $# -ge 2 ] || { echo "usage: $0 FILE GOAL [SETTING...]" >&2; exit 2; }
shift
# The number of the last part of the path that begins with one, as 05_name and 05_name.md do.
number=$(printf '%s\n' "$file" | tr / '\n' | sed -n 's/^0*\([0-9][0-9]*\)_.*/\1/p' | tail -n 1)
[ "$number" ] || {
    echo "$file: is of no chapter: open a file such as chapters/NN_name/histogram.cu" >&2
    exit 2
}
case $file in
solutions/* | */solutions/*) set -- solution "$@" ;;
esac
case $file in
*/further/*) [ "$1" = hint ] || set -- further "$@" ;;
esac
exec make -C "$top" --no-print-directory "chapter$number" "$@"
