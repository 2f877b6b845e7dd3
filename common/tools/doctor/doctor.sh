#!/bin/sh
# doctor.sh - what this machine has and what the course needs: make doctor.
#
#   doctor.sh [CC [CXX]]
#
# Prints one block to paste into a question, and then what is wrong, each with what to do. Needs
# nothing but a shell: it is for machines on which nothing else works. Status 1 when something is
# missing without which no chapter can be judged.
cc=${1:-gcc} cxx=${2:-g++}
cd "$(dirname "$0")/../../.." || exit
needed='' advised='' packages=''

have() { command -v "$1" >/dev/null 2>&1; }
row() { printf '%-14s%s\n' "$1" "$2"; }
# The first line with a number that a program says of itself, or that it is not there.
version_of() { if have "$1"; then "$@" 2>&1 </dev/null | sed -n '/[0-9]/{p;q;}'; else echo 'not installed'; fi; }
need() { needed="$needed
  - $1"; }
advise() { advised="$advised
  - $1"; }
package() { packages="$packages $1"; }

# --- the block
work=$(mktemp -d "${TMPDIR:-/tmp}/doctor.XXXXXX" 2>/dev/null)
trap 'rm -rf "$work"' EXIT
echo '----- paste from here -----'
row 'course' "$(git log -1 --format='%h of %cs' 2>/dev/null || echo 'no git here')"
row 'system' "$(. /etc/os-release 2>/dev/null; echo "${PRETTY_NAME:-unknown}"), $(uname -srm)"
case $(uname -r) in *[Mm]icrosoft*) row 'WSL' yes ;; esac
row 'compiler' "$cc: $(version_of "$cc" --version)"
row '' "$cxx: $(version_of "$cxx" --version)"
row 'make' "$(version_of make --version)"
row 'shell' "bash: $(version_of bash --version)"
row 'flock' "$(version_of flock --version)"
row 'objcopy' "$(version_of objcopy --version)"
row 'git' "$(version_of git --version)"

works=no criterion=no backtrace=no kernels=no
if [ "$work" ] && have "$cc" && have "$cxx"; then
    echo 'int main(void) { return 0; }' >"$work/a.c"
    "$cc" "$work/a.c" -o "$work/a" 2>"$work/why" && "$cxx" -x c++ "$work/a.c" -o "$work/a" 2>"$work/why" && works=yes
    printf '#include <criterion/criterion.h>\nTest(a, b) {}\n' >"$work/b.c"
    "$cc" "$work/b.c" -o "$work/b" -lcriterion 2>/dev/null && criterion=yes
    folder=$(dirname "$("$cc" -print-file-name=libbacktrace.a)")
    [ -e "$folder/include/backtrace.h" ] && backtrace=yes
    "$cxx" -fsanitize=thread -fcf-protection=none -x c++ -c "$work/a.c" -o "$work/a.o" 2>/dev/null && kernels=yes
    "$work/a" 2>/dev/null; runs=$?
fi
row 'compiles' "$works, with ThreadSanitizer's calls: $kernels"
row 'libcriterion' "$criterion"
row 'libbacktrace' "$backtrace"
row 'bubblewrap' "$(version_of bwrap --version)"
sandbox='not installed'
if have bwrap; then
    if bwrap --unshare-all --ro-bind / / true 2>"${work:-/dev}/null"; then sandbox=yes; else sandbox="no: user namespaces are closed here"; fi
fi
row '  works' "$sandbox"
row 'gnuplot' "$(version_of gnuplot --version)"
row 'python3' "$(version_of python3 --version)"
for editor in clangd clangd-19 clangd-14; do
    have "$editor" && break
done
row 'clangd' "$(version_of "$editor" --version)"
row 'gdb' "$(version_of gdb --version)"
# What chapters on many GPUs need: MPI to compile and to start, NCCL on real cards alone.
mpi='not installed'
if have mpicc && have mpirun; then mpi=$(version_of mpirun --version); fi
row 'MPI' "$mpi"
nccl=''
for header in /usr/include/nccl.h /usr/local/cuda*/include/nccl.h "${NCCL_HOME:-/usr}/include/nccl.h"; do
    [ ! -e "$header" ] || nccl=$(sed -n 's,^#define NCCL_\(MAJOR\|MINOR\|PATCH\) *\([0-9]*\).*,\2,p' "$header" | paste -sd .)
done
row 'NCCL' "${nccl:-none: the simulated one is used}"
row 'nvcc' "$(PATH=$PATH:/usr/local/cuda/bin; have nvcc && nvcc --version | sed -n '/release/p' || echo 'not installed')"
gpu=$(have nvidia-smi && nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | sed 1q)
row 'GPU' "${gpu:-none: the simulated one is used}"
# The card that the simulated one is: SIM_CARD, or the first of the table.
cards=$(echo $(sed -n 's/^ *CARD(\([A-Z0-9_]*\), [0-9].*/\1/p' common/sim/base/cards.h))
card=${SIM_CARD:-${cards%% *}}
row 'simulated' "$card"
cores=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)
memory=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo 2>/dev/null)
row 'cores' "$cores"
row 'memory' "$((${memory:-0} / 1024)) MiB available"
kind=$(stat -f -c %T . 2>/dev/null)
space=$(df -Pk . 2>/dev/null | sed -n '2s/^[^ ]* *[0-9]* *[0-9]* *\([0-9]*\).*/\1/p')
row 'folder' "on ${kind:-unknown}, $((${space:-0} / 1024)) MiB free"
row 'locale' "${LC_ALL:-${LC_CTYPE:-${LANG:-C}}}"
row 'settings' "$(env | sed -n '/^SIM_SEED=/d; s/^\(BINS\|CFLAGS\|CHAPTERS\|INPUT\|SIM_[A-Z]*\|SIZE\|TEXT\|TMPDIR\)=..*/&/p' | tr '\n' ' ')"
echo '----- to here -----'

# --- what is wrong
have "$cc" || { need "the compiler $cc is not installed"; package build-essential; }
have "$cxx" || { need "the compiler $cxx is not installed"; package build-essential; }
if have "$cc" && have "$cxx" && [ "$work" ] && [ "$works" = no ]; then
    need "$cc or $cxx makes no programs: $(sed -n '/error\|annot/{p;q;}' "$work/why")"
    package build-essential
fi
if [ "$works" = yes ]; then
    [ "$kernels" = yes ] || need "$cxx does not know -fsanitize=thread: use gcc 12 or clang 14, or later"
    [ "$criterion" = yes ] || { advise 'libcriterion-dev is missing: chapters are judged by a stand-in, and make test, the proof of the course, needs it'; package libcriterion-dev; }
    [ "$backtrace" = yes ] || advise 'libbacktrace is missing, which gcc brings: reports cannot name lines of your kernel'
    [ "$runs" = 0 ] || need "programs in ${TMPDIR:-/tmp} do not run (noexec?): set TMPDIR to a folder where they do"
fi
case " $cards " in *" $card "*) ;; *) need "SIM_CARD=$card is not one of $cards" ;; esac
[ "$work" ] || need "no file can be made in ${TMPDIR:-/tmp}: set TMPDIR to a folder that can be written"
shared=$({ head -c 1048576 /dev/zero >/dev/shm/.doctor.$$; } 2>&1) || shared=${shared:-full}
rm -f /dev/shm/.doctor.$$ 2>/dev/null
[ -z "$shared" ] || [ "$criterion" = no ] ||
    need "/dev/shm cannot be used, where Criterion's processes share memory (${shared##*: }): mount a tmpfs there (a container: --shm-size=64m)"
have make || { need 'make is not installed'; package build-essential; }
have bash || { need 'bash is not installed: simcc is a bash script'; package bash; }
have flock || { advise 'flock is missing: two makes at a time would meet in build/'; package util-linux; }
{ mkdir -p build && : >build/.doctor.$$ && rm -f build/.doctor.$$; } 2>/dev/null ||
    need 'build/ cannot be written here: copy the course to a folder of your own, and work in the copy'
if mkdir -p build 2>/dev/null && : 2>/dev/null >build/.Case.$$; then
    [ -e build/.cASE.$$ ] && advise 'this file system takes a and A for one letter: names of files may meet; a folder on Linux does not'
    printf '#!/bin/sh\n' >build/.Case.$$ && chmod +x build/.Case.$$
    build/.Case.$$ 2>/dev/null || need 'programs in this folder do not run (mounted noexec): move the course to another one'
    rm -f build/.Case.$$
fi
case $kind in
9p | v9fs | drvfs)
    case $(uname -r) in *[Mm]icrosoft*)
        advise "the course lies on Windows' disk, which is slow and keeps no permissions: keep it in your home, such as ~/histogram-ladder" ;;
    esac ;;
nfs*) advise 'the course lies on NFS: every make waits for it; a folder on a local disk is faster' ;;
esac
case $PWD in *' '*) advise 'the path of the course has a blank in it: move it if a tool of yours trips over it' ;; esac
[ "${space:-9999999}" -ge 524288 ] || need "the disk is nearly full: $((space / 1024)) MiB free, and build/ takes up to 500"
[ "${memory:-9999999}" -ge 786432 ] || advise "little memory is free, $((memory / 1024)) MiB: make -j1 takes less"
have bwrap || { advise 'bubblewrap is missing: kernels under test are not kept from your files'; package bubblewrap; }
case $sandbox in no:*) advise 'bubblewrap is here, but user namespaces are closed (a container, or a setting of the system): kernels are judged without it' ;; esac
have gnuplot || { advise 'gnuplot is missing: no plots are drawn'; package gnuplot-nox; }
[ "$mpi" != 'not installed' ] || { advise 'Open MPI is missing: the chapter on many machines is left out'; package libopenmpi-dev; package openmpi-bin; }
[ "$nccl" ] || [ -z "$gpu" ] || advise 'NCCL is missing: on the GPU the chapters on many GPUs are left out (libnccl-dev, of NVIDIA)'
have python3 || { advise 'python3 is missing: make check, slides and what is for lecturers need it'; package python3; }

if [ "$needed" ]; then echo "What is missing:$needed"; else echo 'All that a chapter needs is here.'; fi
[ -z "$advised" ] || echo "What could be better:$advised"
[ -z "$packages" ] || packages=$(printf '%s\n' $packages | sort -u | tr '\n' ' ')
[ -z "$packages" ] || echo "On Debian or Ubuntu: sudo apt-get install -y ${packages% }"
[ -z "$needed" ]
