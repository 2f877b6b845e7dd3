#!/bin/sh
# driver.sh COMPILER - makes build/driver when a source of it is newer. Prints one line when it cannot.
compiler=$1 shared=common/course
sources="common/driver/*.c $shared/chapter.c $shared/util.c $shared/json.c $shared/results.c
    common/sandbox/reaper.c"
headers="common/driver/*.h common/sim/base/cards.h $shared/chapter.h $shared/util.h $shared/json.h
    $shared/results.h common/sandbox/reaper.h"
# shellcheck disable=SC2086 # lists of files; a compiler may have options
is_old() { [ -n "$(find $sources $headers -newer build/driver 2>&1)" ]; }
# What a compiler that is killed leaves behind stays in build.
# shellcheck disable=SC2086
build() {
    TMPDIR=build $compiler -Icommon/course -Icommon/sandbox $sources -o build/driver.$$ &&
        mv build/driver.$$ build/driver
}

if ! mkdir -p build 2>/dev/null || [ -n "$(find build -maxdepth 1 -type d ! -writable)" ]; then
    echo 'cannot write build/ here: copy the course, and run make in the copy'
elif ! command -v "${compiler%% *}" >/dev/null; then
    echo "the compiler $compiler is not installed: sudo apt-get install build-essential;" \
        'make doctor says what else is missing'
elif is_old && ! build; then
    echo "$compiler makes no programs here: make doctor says more"
fi
