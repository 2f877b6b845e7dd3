#!/bin/sh
# compile_commands.sh - writes compile_commands.json: how an editor is to read each source.
#
#   compile_commands.sh FILE FOLDER...
#
# FILE     what is written, when it would be another than it is; paths in it are absolute
# FOLDER   below it every .cu and .c has an entry; run in the top folder of the course
#
# A .cu is read as clang reads CUDA C, with editor_cuda.h for the simulator: .clangd says the same
# for its folders. Status 1 when FILE cannot be written.
file=$1
shift
work=$(mktemp) || exit
trap 'rm -f "$work"' EXIT
fail() {
    echo "editor: $*" >&2
    exit 1
}
for folder; do
    [ -e "$folder" ] || fail "$folder: No such file or directory"
done

# Of the files below the folders, without what is hidden, those that the expression matches.
# shellcheck disable=SC2086 # several words
find_all() { find $folders -mindepth 1 -name '.*' -type d -prune -o "$@" -print | LC_ALL=C sort -u; }
folders=$*
# Lines "WHAT...<tab>PATH" of all that an entry depends on.
entries() {
    # Folders with headers that a .c may include by name.
    find_all -type f -name '*.h' ! -path '*common/sim/*' ! -path '*/include/*' ! -path '*/common/*' |
        sed 's,/[^/]*$,,' | LC_ALL=C sort -u | sed 's/^/header	/'
    # A tree within the tree, such as that of a test, may have contracts of its own.
    find_all -type d -path '*/common/contract' | sed 's/^/contracts	/'
    # The contracts that have an operation, and the first one that a chapter takes.
    grep -ls '^#include "operation.h"' common/contract/*.h | sed 's,.*/\(.*\)\.h$,operation	\1,'
    grep -s 'Operations:' tests/[0-9]*_*.c /dev/null |
        sed -n 's,^tests/\([^:]*\)\.c:.*Operations: *\([a-z_]*\).*,takes \2	\1,p'
    # Where mpi.h is, as mpicc says, and libbacktrace's header, which gcc keeps to itself: the last.
    for folder in $(mpicc --showme:incdirs 2>/dev/null); do echo "mpi	$folder"; done
    find /usr/lib/gcc -name backtrace.h 2>/dev/null | LC_ALL=C sort | tail -n 1 |
        sed 's,^\(.*\)/.*,gcc	\1,'
    find_all -type f '(' -name '*.cu' -o -name '*.c' ')' | sed 's/^/source	/'
}
entries | awk -F '\t' -v "top=$(pwd -P | sed 's/\\/\\\\/g')" '
# A path as a string of JSON: from the top, unless it is absolute.
function quoted(path) {
    path = path ~ /^\// ? path : top "/" path
    gsub(/["\\]/, "\\\\&", path)
    return "\"" path "\""
}
function put(option, folder) { printf ", \"%s\", %s", option, quoted(folder) }
function put_contracts_above(source,  i) {
    for (i = contracts; i > 0; i--)
        if (index(source, substr(contract[i], 1, length(contract[i]) - length("common/contract"))) == 1)
            put("-I", contract[i])
}
# An operation that the kernel takes, where its contract has one: of a file of this chapter, the folder
# 21_name on the way to it. Without a word for it each contract has one of its own.
function put_operation(source,  part, parts, i, name, first) {
    parts = split(source, part, "/")
    name = part[parts]
    sub(/\..*/, "", name)
    for (i = 2; i < parts; i++) {
        if (part[i] !~ /^[0-9].*_/)
            continue
        first = takes[part[i]] ? takes[part[i]] : "count"
        if (name in has_operation || first != "count")
            printf ", \"-DOPERATION=%s\"", first
        return
    }
}
function put_cuda(source,  i) {
    printf "\"clang++\", \"-xcuda\", \"-std=gnu++17\", \"--cuda-host-only\", \"-nocudainc\", "
    printf "\"-nocudalib\", \"-Wno-unknown-cuda-version\", \"-fsigned-char\", \"-DBINS=5\", "
    printf "\"-Wall\", \"-Wno-unused\", \"-Wno-unused-parameter\""
    put_operation(source)
    put("-isystem", "common/tools/editor/include")
    put("-isystem", "common/sim")
    put("-isystem", "common/sim/include")
    put("-isystem", "common/sim/include/extras")
    put("-I", "common/contract")
    put_contracts_above(source)
    for (i = 1; i <= mpis; i++)
        put("-isystem", mpi[i])
    if (index(source, "common/bench/") == 1) {
        put("-I", "common/bench")
        put("-I", "common/bench/gpu")
        put("-I", "common/contracts/reduce_by_index")
    }
    printf ", \"-include\", \"editor_cuda.h\""
}
function put_c(source,  i) {
    printf "\"clang\", \"-std=c11\", \"-Wall\", \"-Wextra\", \"-Wshadow\", \"-Wconversion\", "
    printf "\"-fsigned-char\", \"-DBINS=5\", \"-DSIMULATED_GPU\""
    put("-I", "common/sim")
    for (i = 1; i <= headers; i++)
        put("-I", header[i])
    put_contracts_above(source)
    put("-isystem", "common/sim/include")
    put("-isystem", "common/sim/include/extras")
    for (i = 1; i <= mpis; i++)
        put("-isystem", mpi[i])
    if (gcc)
        put("-idirafter", gcc)
}
BEGIN { print "[" }
$1 == "header" { header[++headers] = $2 }
$1 == "contracts" { contract[++contracts] = $2 }
$1 == "operation" { has_operation[$2] = 1 }
$1 ~ /^takes / && !($2 in takes) { takes[$2] = substr($1, 7) }
$1 == "mpi" { mpi[++mpis] = $2 }
$1 == "gcc" { gcc = $2 }
$1 == "source" {
    printf "%s{\"directory\": %s, \"file\": %s, \"arguments\": [", sources++ ? ",\n" : "",
        quoted(top), quoted($2)
    if ($2 ~ /\.cu$/) put_cuda($2)
    else put_c($2)
    printf ", %s]}", quoted($2)
}
END { print (sources ? "\n" : "") "]" }' >"$work"
cmp -s "$work" "$file" || log=$(cp "$work" "$file.new" 2>&1 && mv "$file.new" "$file" 2>&1) ||
    fail "$file: ${log##*: }"
printf '%s: %d sources of %s\n%s\n' "$file" "$(grep -c '"directory"' "$file")" "$(pwd -P)" \
    'docs/editors.md says how VS Code, vim, emacs and gdb are set up'
