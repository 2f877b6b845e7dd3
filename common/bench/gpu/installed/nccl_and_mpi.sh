#!/bin/sh
# nccl_and_mpi.sh GOAL CUDA SOURCE - NCCL, and for a chapter that includes <mpi.h> MPI, as far as they are here.
#
#   compile, link   the flags for nvcc
#   there           "yes"; or status 1 and one line on standard error for what is missing
#
# CUDA is the toolkit. NCCL is looked for there, in the system's folders, and in Python's package nvidia-nccl,
# whose library has no name that -lnccl finds. Of MPI, mpicc says where it is.
goal=$1 cuda=$2 source=$3
multiarch=$(${CC:-gcc} -print-multiarch 2>/dev/null)
python=$(python3 -c 'import nvidia.nccl; print(list(nvidia.nccl.__path__)[0])' 2>/dev/null)
header='' library=''
for folder in "$cuda/include" /usr/include /usr/local/include ${python:+"$python/include"}; do
    [ -n "$header" ] || [ ! -e "$folder/nccl.h" ] || header=$folder
done
# Where the header is first: the two have to be of one version.
near=${header%/include}
for folder in "$near/lib64" "$near/lib" "$near/lib/$multiarch" "/usr/lib/$multiarch" /usr/lib64 \
    ${python:+"$python/lib"}; do
    for file in "$folder/libnccl.so" "$folder/libnccl.so.2"; do
        [ -n "$library" ] || [ ! -e "$file" ] || library=$file
    done
done
stem=$(basename "${source%/*}")
needs_mpi=$(grep -ls '^ *# *include *<mpi.h>' "$source" "solutions/$stem/many.cu" \
    "tests/stubs/$stem/many.cu")

link_mpi() {
    mpicc --showme:link | sed 's/-Wl,/-Xlinker /g; s/-pthread/-lpthread/g'
}

missing() {
    echo "gpu: ${source%/*}: left out, for it needs $1" >&2
    exit 1
}

case $goal in
compile)
    echo "-I$header"
    [ -z "$needs_mpi" ] || mpicc --showme:compile
    ;;
link)
    echo "-Xlinker --no-as-needed,$library,-rpath,${library%/*}"
    # nvcc hands to the linker what it does not know only when it is told to.
    [ -z "$needs_mpi" ] || link_mpi
    ;;
there)
    { [ -n "$header" ] && [ -n "$library" ]; } ||
        missing 'NCCL: libnccl2 and libnccl-dev of NVIDIA, or pip install nvidia-nccl-cu13'
    [ -z "$needs_mpi" ] || { mpicc --showme:link && mpirun --version; } >/dev/null 2>&1 ||
        missing 'Open MPI: libopenmpi-dev, openmpi-bin'
    echo yes
    ;;
esac
