#!/bin/sh
# cross.sh N M SUITE - proves that the solution of chapter M fails the suite of chapter N,
# or passes where tests/exceptions.txt has a line "N M reason" (two digits each).
here=$(dirname "$0")
name="solution of $2 in the place of $1"
reason=$(sed -n "s/^${1%%_*} ${2%%_*} *//p" tests/exceptions.txt)
if [ -n "$reason" ]; then
    exec "$here/judge.sh" pass "$name" "$reason" "$3"
fi
exec "$here/judge.sh" fail "$name" "another technique" "$3"
