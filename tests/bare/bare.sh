#!/bin/bash
# bare.sh - what README and docs/README.md tell to type, on bare systems: make bare, as root.
#
#   tests/bare/bare.sh [bookworm] [trixie]
#
# debootstrap makes a minimal Debian, in ROOTS (/var/tmp/bare-roots), once. In a copy of it root installs what the
# README's first command names, and nothing else; a user types the README's commands in what `git archive HEAD`
# holds, so what is not committed is not tried. On the first system that is make test, too, and what a lecturer
# types, with the packages that docs/README.md names; on others the folder has a blank in its name. The last line is
# "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 1
[ $# -gt 0 ] || set -- bookworm trixie
roots=${ROOTS:-/var/tmp/bare-roots} logs=$PWD/build/bare
passed=0 failed=0
mkdir -p "$roots" "$logs"
course=$(mktemp) && git archive HEAD >"$course" || exit
[ "$(id -u)" = 0 ] || { echo "bare: needs root, for it makes systems by debootstrap" >&2; exit 1; }
first=$(sed -n 's/^ *sudo apt-get install -y \(.*\) && make$/\1/p' README.md)
teaching=$(sed -n 's/.*sudo apt-get install -y \(python3[a-z0-9 -]*\).*/\1/p' docs/README.md | head -n 1)
[ "$first" ] && [ "$teaching" ] || { echo "bare: README or docs/README.md names no packages" >&2; exit 1; }

# What runs a command in a root, with a /proc and a /dev, as a machine has them; in namespaces of its own, so that
# nothing is left. Who the machine says how to reach PyPI, says it there, too.
in_root() {
    unshare --mount --pid --fork --kill-child sh -c 'cd "$0" && mount --bind . . && cd "$PWD" &&
        mount -t proc proc proc && mount --rbind /dev dev && mount -t tmpfs -o mode=1777 tmpfs dev/shm &&
        mount --rbind /sys sys && mount -t tmpfs -o mode=1777 tmpfs tmp && cat /etc/resolv.conf >etc/resolv.conf &&
        pivot_root . mnt && umount -l /mnt && cd / && "$@"; exit' "$@"
}
as_root() { in_root "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive sh -c "$1"; }
as_user() {
    in_root "$root" setpriv --reuid=student --regid=student --init-groups env -i -C "$home" \
        HOME=/home/student PATH=/usr/bin:/bin LANG=C.UTF-8 ${PIP_CERT:+PIP_CERT=/etc/pip.crt} \
        ${PIP_INDEX_URL:+"PIP_INDEX_URL=$PIP_INDEX_URL"} sh -c "$1"
}

# step STATUS WORDS COMMAND...: the command ends with this status, and says the words.
step() {
    local status=$1 words=$2 log=$logs/$suite-$((passed + failed)).log begun=$SECONDS
    shift 2
    "$@" >"$log" 2>&1
    if [ $? = "$status" ] && { [ -z "$words" ] || grep -q -- "$words" "$log"; }; then
        passed=$((passed + 1))
        echo "$suite: ${*: -1} ($((SECONDS - begun)) s)"
    else
        failed=$((failed + 1))
        echo "$suite: ${*: -1}: failed; it said:"
        tail -n 20 "$log"
    fi
}

make_system() {
    [ -e "$roots/$suite.complete" ] && return
    rm -rf "${roots:?}/$suite"
    debootstrap --variant=minbase "$suite" "$roots/$suite" >"$logs/$suite.log" 2>&1 &&
        chroot "$roots/$suite" useradd --create-home --uid 1000 student && touch "$roots/$suite.complete"
}

for suite; do
    home='/home/student/my course'
    [ "$suite" != "$1" ] || home=/home/student/course # the course's own tests put up with no blank
    step 0 '' make_system
    root=$(mktemp -d "$roots/$suite.XXXXXX")
    cp -a --reflink=auto "$roots/$suite/." "$root" && mkdir "$root$home" &&
        tar -x -C "$root$home" -f "$course" && chown -R 1000:1000 "$root/home/student"
    [ -z "${PIP_CERT-}" ] || cp "$PIP_CERT" "$root/etc/pip.crt"
    step 0 '' as_root "apt-get update && apt-get install -y $first"
    step 0 'Now type make next' as_user make
    step 0 'type    make chapter' as_user 'make next'
    step 1 'not done yet: TODO(2.1)' as_user 'make chapter2 test'
    for chapter in 5 21 41 60 70; do
        step 0 "^chapter $chapter: right on" as_user "make chapter$chapter solution test"
    done
    step 2 'needs Open MPI' as_user 'make chapter61 test'
    if [ "$suite" = "$1" ]; then
        step 0 ' passed, 0 failed' as_user 'make test'
        step 0 '' as_root "apt-get install -y $teaching"
        step 0 '' as_user 'make exam CHAPTERS=1-9 SEED=7 POINTS=60'
        step 0 '' as_user 'make slides'
        step 0 '' as_user 'make site'
    fi
    rm -rf "$root"
done
rm -f "$course"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
