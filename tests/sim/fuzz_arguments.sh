#!/bin/bash
# fuzz_arguments.sh - runs simcc with arguments that make no sense.
#
#     tests/sim/fuzz_arguments.sh [COUNT [SEED]]
#
# Each of COUNT (200) command lines has up to six words, good and bad ones. simcc may
# compile something or refuse with a message; it may not hang, nor stumble over its
# own text. Prints each command line that makes it do so; the status is 1 then.
simcc=$(cd "$(dirname "$0")/../../common/sim" && pwd)/simcc
"$simcc" --library >/dev/null || exit
folder=$(mktemp -d) && cd "$folder" || exit
trap 'rm -rf "$folder"' EXIT
echo '__global__ void k() {} int main() { k<<<1, 1>>>(); }' >a.cu
echo 'int f(void) { return 1; }' >b.c
mkdir sub
words=(-o -c -S -E -x cu c '' ' ' '*' '$(x)' -I. -I -D -DX=1 -std= -std=c++20 --std -L. -l -lm
    -Xcompiler , -Xcompiler= -Wall -Xlinker -MMD -MF -MT -MD --help -h -gencode a.cu a.cu b.c
    nofile sub -rdc=true -arch=sm_90 -arch - -- --output-file out -O9 -fsomething -dlink -W
    '"' "'" '-D"' -isystem -include /dev/null . .. -ccbin '`' ';' '\' '-o=' -Wl, '{' '<<<')
RANDOM=${2:-1} failures=0
for ((n = 0; n < ${1:-200}; n++)); do
    arguments=()
    for ((k = RANDOM % 6; k >= 0; k--)); do
        arguments+=("${words[RANDOM % ${#words[@]}]}")
    done
    log=$(timeout 120 "$simcc" "${arguments[@]}" 2>&1 >/dev/null </dev/null)
    status=$?
    if ((status >= 124)) || grep -q 'simcc: line\|unbound variable\|syntax error' <<<"$log"; then
        printf 'simcc%s\n' "$(printf ' %q' "${arguments[@]}"): status $status: ${log:0:300}"
        failures=1
    fi
done
exit $failures
