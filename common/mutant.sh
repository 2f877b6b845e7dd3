#!/bin/sh
# mutant.sh NAME PATCH SOURCE SUITE ROW TEXT - proves that a planted mistake is caught by the
# right check, at the right line.
#
# SOURCE is what PATCH made of a solution, SUITE its test program, ROW its program of
# one row. caught.awk says what the head of PATCH may hold; with a line "Looks right"
# SOURCE has to count TEXT right on the default schedule while nothing is checked: only
# the checks see the mistake. Prints one line, "ok ..." or "FAIL ..."; the status is 0.
name=$1 patch=$2 source=$3 suite=$4 row=$5 text=$6
here=$(dirname "$0")
head=$(sed '/^--- /Q' "$patch")
reason=$(printf '%s\n' "$head" | sed '/^[A-Z][A-Za-z ]*[:=]/!b; s/^Reason: //; t; d' | tr -s '\n' ' ')
verdict=$("$here/judge.sh" fail "mutant $name" "${reason% }" "$suite")
case $verdict in ok*) ;; *) echo "$verdict"; exit 0 ;; esac

by=$(awk -f "$here/caught.awk" "$patch" "$source" "$suite.out")
case $by in but*) echo "FAIL mutant $name: fails, $by"; exit 0 ;; esac
if printf '%s\n' "$head" | grep -q '^Looks right'; then
    SIM_CHECKS=none SIM_SEED=1 "$row" "$text" 0 mutant "$suite.row.csv" >/dev/null 2>&1
    grep -q ',yes,' "$suite.row.csv" || {
        echo "FAIL mutant $name: without checks its bins are wrong, and should look right"
        exit 0
    }
    by="$by, though it looks right without checks"
fi
echo "ok mutant $name: ${reason% }; caught by $by"
