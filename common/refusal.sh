#!/bin/sh
# refusal.sh SOURCE BINS - proves that a chapter refuses to be built with so many bins.
#
# Refusing is an #error in SOURCE whose words the compiler repeats. Prints the words;
# status 1 when there is none for that many bins.
here=$(dirname "$0")
words=$(${CXX:-g++} -E -x c++ -I"$here/contract" -I"$here/sim/include" -DBINS="$2" "$1" 2>&1 >/dev/null)
sed -n 's/^ *# *error *"\(.*\)"/\1/p' "$1" | while read -r error; do
    case $words in *"$error"*) echo "$error" ;; esac
done | grep .
