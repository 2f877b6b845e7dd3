#!/bin/bash
# gradescope.sh - tries the autograder in a system laid out as Gradescope's: tests/grading/gradescope.sh [SUITE]
#
# As root, with debootstrap, bubblewrap and unzip. A bare system is made once below
# build/gradescope/SUITE (bookworm; or jammy, Ubuntu 22.04, where its archive can be reached):
# /autograder with source, submission, results. Then setup.sh runs, and run_autograder for a solution,
# for another technique, for a stub and for nothing at all; once with bubblewrap, and once as in a
# container that forbids it. Prints a line for each score, "ok ..." or "FAIL ...".
set -eu
cd "$(dirname "$0")/../.."
suite=${1:-bookworm} root=$PWD/build/gradescope/${1:-bookworm}
for tool in debootstrap bwrap unzip; do
    command -v $tool >/dev/null || { echo "gradescope.sh: needs $tool: apt-get install debootstrap bubblewrap unzip" >&2; exit 1; }
done
[ "$(id -u)" -eq 0 ] || { echo "gradescope.sh: needs root, for debootstrap" >&2; exit 1; }
mirror=http://deb.debian.org/debian components=main
case $suite in jammy | noble) mirror=http://archive.ubuntu.com/ubuntu components=main,universe ;; esac

if [ ! -e "$root/complete" ]; then
    rm -rf "$root"
    debootstrap --variant=minbase --components=$components "$suite" "$root" $mirror >"$root.log" 2>&1 ||
        { echo "gradescope.sh: debootstrap failed: $(tail -n 1 "$root.log")" >&2; exit 1; }
    touch "$root/complete"
fi
cp /etc/resolv.conf "$root/etc/resolv.conf"
rm -rf "$root/autograder"
mkdir -p "$root"/autograder/{source,submission,results}

# Programs in that system: with its network and all rights for setup.sh, as in a container otherwise.
inside() { bwrap --bind "$root" / --proc /proc --dev /dev --tmpfs /tmp --unshare-pid --clearenv \
    --setenv PATH /usr/sbin:/usr/bin:/sbin:/bin --setenv HOME /root --chdir /autograder "$@"; }

export DRAW=1
make -s chapter5 chapter6 gradescope
unzip -q -o build/gradescope/chapter5-6.zip -d "$root/autograder/source"
cp "$root/autograder/source/run_autograder" "$root/autograder/"
begun=$SECONDS
inside --cap-add ALL bash /autograder/source/setup.sh >"$root.log" 2>&1 ||
    { echo "FAIL setup.sh: $(tail -n 3 "$root.log")"; exit 1; }
echo "ok setup.sh ends well, in $((SECONDS - begun)) s: $(grep judged "$root.log" | head -n 1)"

failed=0
hand_in() { # FROM STEM: a file in the place of a chapter
    mkdir -p "$root/autograder/submission/$2" && cp "$1" "$root/autograder/submission/$2/"
}
expect() { # WHAT SCORE HOW
    local score begun=$SECONDS
    rm -f "$root"/autograder/results/*
    echo '{"id": 1}' >"$root/autograder/submission_metadata.json"
    inside --unshare-net --setenv JUDGE_SANDBOX "$3" /autograder/run_autograder \
        >"$root/autograder/results/stdout" 2>&1 || true
    score=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["score"])' \
        "$root/autograder/results/results.json" 2>&1 | tail -n 1)
    if [ "$score" = "$2" ]; then
        echo "ok $1${3:+, $3}: $score points in $((SECONDS - begun)) s, $(head -n 1 "$root/autograder/results/stdout")"
    else
        echo "FAIL $1${3:+, $3}: $score points instead of $2: $(tail -n 3 "$root/autograder/results/stdout")"
        failed=1
    fi
    rm -rf "$root"/autograder/submission/*
}
for how in bwrap filter; do
    for stem in 05_privatized_global 06_shared; do hand_in solutions/$stem/histogram.cu $stem; done
    expect "two solutions" 10 "$how"
    hand_in solutions/02_naive_atomic/histogram.cu chapters/06_shared
    expect "another technique in one" 3 "$how"
    cp -r chapters/. "$root/autograder/submission/"
    expect "stubs" 0 "$how"
    expect "nothing" 0 "$how"
done
exit $failed
