#!/bin/sh
# update.sh PROGRAM - make update: fetches a newer version of the course, and lets PROGRAM take it.
#
# COURSE says where it is: a folder, an archive (.tar.gz, .tar.xz, .zip), or the address of one or of
# a git repository. Without it the course is a clone, and is told by `git pull` where it came from.
#
# What was installed before is known from the record .course, or from git: the last commit of the
# course that the clone has. In a clone a version that git knows becomes its history, too: HEAD moves
# on, or gets a merge when the student has made commits. The working tree is PROGRAM's alone.
case $1 in /*) program=$1 ;; *) program=./$1 ;; esac
course=${COURSE:-}
work=build/update

fail() {
    echo "update: $*" >&2
    rm -rf "$work/base" "$work/new"
    exit 1
}
# The last line that a program has said about its failure.
last_line() { grep -v '^$' "$work/log" | tail -n 1 | sed 's/^fatal: //'; }
quietly() { "$@" >"$work/log" 2>&1 </dev/null; }

# git in this folder, if the course is the top of a clone; without questions.
export GIT_TERMINAL_PROMPT=0
mygit() { git -c user.name="${USER:-student}" -c user.email=student@localhost "$@"; }
is_clone() { [ -e .git ] && git rev-parse --git-dir >/dev/null 2>&1; }

# unpack_commit COMMIT FOLDER
unpack_commit() {
    mkdir -p "$2" && git archive --format=tar "$1" >"$work/commit.tar" 2>"$work/log" &&
        tar -xf "$work/commit.tar" -C "$2" 2>"$work/log" && rm "$work/commit.tar"
}

# Where the clone came from: sets `new` to its newest commit.
fetch_origin() {
    is_clone || fail "from where? make update COURSE=, followed by a folder, an archive or an address"
    [ ! -e "$(git rev-parse --git-path MERGE_HEAD)" ] || fail "a merge is under way: finish it first," \
        "with git commit, or leave it with git merge --abort"
    git rev-parse -q --verify 'HEAD^{commit}' >/dev/null || fail "this clone has no commit yet"
    remote=$(git config "branch.$(git symbolic-ref -q --short HEAD).remote" || git remote | head -n 1)
    [ -n "$remote" ] || fail "this repository has no origin: make update COURSE= and a folder," \
        "an archive or an address"
    echo "fetching from $(git config "remote.$remote.url" || echo "$remote")"
    quietly git fetch "$remote" || fail "cannot fetch from $remote: $(last_line)"
    new=$(git rev-parse -q --verify '@{upstream}^{commit}' 2>/dev/null) || {
        quietly git fetch "$remote" HEAD || fail "cannot fetch from $remote: $(last_line)"
        new=$(git rev-parse FETCH_HEAD)
    }
}

# The last commit of the course that this clone has; fails when there is none.
base_commit() { is_clone && git merge-base HEAD "${1:-@{upstream\}}" 2>/dev/null; }

download() {
    if command -v curl >/dev/null; then
        quietly curl -fsSL --max-time 600 -o "$2" "$1"
    elif command -v wget >/dev/null; then
        quietly wget -nv -T 60 -O "$2" "$1"
    else
        fail "to fetch $1 curl or wget is needed, or download it yourself: COURSE=file"
    fi || fail "cannot fetch $1: $(last_line)"
}

unpack() {
    [ -s "$1" ] || fail "$1: is empty"
    case $2 in
    *.zip)
        command -v unzip >/dev/null || fail "$2: to unpack it install unzip, or unpack it yourself:" \
            "COURSE=folder"
        quietly unzip -q "$1" -d "$work/new"
        ;;
    *) mkdir "$work/new" && quietly tar -xf "$1" -C "$work/new" ;;
    esac || fail "$2: is no archive that can be unpacked: $(last_line)"
}

# Leaves the version that COURSE means in a folder, and its name in `folder`.
fetch_course() {
    folder=$work/new
    case $course in "~/"*) course=$HOME/${course#??} ;; esac
    if [ -d "$course" ]; then
        [ "$(cd "$course" && pwd -P)" != "$(pwd -P)" ] || fail "$course: is this course itself"
        if [ -e "$course/.git" ] && command -v git >/dev/null; then
            mkdir -p "$work/new"
            { git -c safe.directory='*' -C "$course" archive HEAD >"$work/commit.tar" &&
                tar -xf "$work/commit.tar" -C "$work/new"; } 2>"$work/log" ||
                fail "$course: cannot be read: $(last_line)"
        else
            folder=$course
        fi
    elif [ -f "$course" ]; then
        unpack "$course" "$course"
    else
        case $course in
        http://*.zip | https://*.zip | http://*.tar.* | https://*.tar.* | http://*.tgz | https://*.tgz)
            download "$course" "$work/archive"
            unpack "$work/archive" "$course"
            ;;
        *://* | *@*:*)
            command -v git >/dev/null || fail "$course: to fetch it install git"
            echo "fetching from $course"
            quietly git clone -q --depth 1 "$course" "$work/new" ||
                fail "cannot fetch from $course: $(last_line)"
            ;;
        *) fail "$course: there is no such folder or archive" ;;
        esac
    fi
    for below in "$folder" "$folder"/*/; do # an archive may have everything in one folder
        [ ! -e "$below/common/make/variant.mk" ] || { folder=${below%/} && return; }
    done
    fail "$course: is no copy of the course: it has no common/make/variant.mk"
}

# The commit becomes HEAD, or a parent of it when the student has made commits. What is staged is kept
# as a commit of its own; the working tree is left alone.
move_head() {
    git diff --cached --quiet || {
        staged=$(mygit stash create) && git update-ref refs/before-update "$staged" &&
            echo "what you had staged is kept: git show refs/before-update^2"
    }
    if [ "$base" = "$(git rev-parse HEAD)" ]; then
        head=$new
    else
        GIT_INDEX_FILE=$work/index
        export GIT_INDEX_FILE
        git read-tree HEAD
        while IFS= read -r path; do
            entry=$(git --literal-pathspecs ls-tree "$new" -- "$path")
            printf '%s\n' "${entry:-0 0000000000000000000000000000000000000000	$path}"
        done <"$work/taken" | git update-index --index-info
        tree=$(git write-tree)
        unset GIT_INDEX_FILE
        head=$(mygit commit-tree "$tree" -p HEAD -p "$new" -m "Take the newer version of the course")
    fi
    [ -n "$head" ] && git update-ref -m "make update" HEAD "$head" && quietly git reset -q --mixed
}

# What was compiled of a source that is gone would only stand in the way: make asks for the source.
forget_objects() {
    while IFS= read -r path; do
        [ -e "$path" ] || grep -rlF --include='*.d' -e "$path" build
    done <"$work/taken" 2>/dev/null | while IFS= read -r depends; do
        rm -f "$depends" "${depends%.d}.o"
    done
}

rm -rf "$work"
mkdir -p "$work" || exit 1
base=
if [ -z "$course" ]; then
    fetch_origin
    base=$(base_commit "$new")
    [ "$base" != "$new" ] || { echo "nothing is new" && exit 0; }
    unpack_commit "$new" "$work/new" || fail "git archive: $(last_line)"
    folder=$work/new
else
    new=
    fetch_course
fi
if [ -z "$new" ] && [ -s .course ]; then
    known=.course
elif base=${base:-$(base_commit)} && [ -n "$base" ] && unpack_commit "$base" "$work/base"; then
    known=$work/base
else
    known=-
fi
"$program" "$known" "$folder" "$work/taken" || exit 1
forget_objects
if [ -n "$new" ]; then
    if [ -e "$folder/.course" ]; then
        cp "$folder/.course" .course && echo .course >>"$work/taken"
    fi
    move_head || fail "the files are there; git could not follow: $(last_line)"
    git ls-files --error-unmatch .course >/dev/null 2>&1 || rm -f .course
fi
rm -rf "$work/base" "$work/new" "$work/commit.tar" "$work/archive"
