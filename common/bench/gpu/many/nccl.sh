#!/bin/sh
# nccl.sh GOAL CUDA - where the NCCL of this machine is, for nvcc.
#
#   compile, link   the flags
#   there           nothing; status 1 and one line on standard error when there is none
#
# CUDA is the toolkit. It is looked for there, in the system's folders, and in Python's package nvidia-nccl,
# whose library has no name that -lnccl finds.
cuda=$2
multiarch=$(${CC:-gcc} -print-multiarch 2>/dev/null)
python=$(python3 -c 'import nvidia.nccl; print(list(nvidia.nccl.__path__)[0])' 2>/dev/null)
header= library=
for folder in "$cuda/include" /usr/include /usr/local/include ${python:+"$python/include"}; do
    [ -n "$header" ] || [ ! -e "$folder/nccl.h" ] || header=$folder
done
# Of the folder of the header first: the two have to be of one version.
for folder in "${header%/include}/lib64" "${header%/include}/lib" "/usr/lib/$multiarch" "$cuda/lib64" \
    /usr/lib64 /usr/local/lib ${python:+"$python/lib"}; do
    for file in "$folder/libnccl.so" "$folder/libnccl.so.2"; do
        [ -n "$library" ] || [ ! -e "$file" ] || library=$file
    done
done
case $1 in
compile) echo "-I$header" ;;
link) echo "-Xlinker --no-as-needed,$library,-rpath,${library%/*}" ;;
there)
    [ -z "$header" ] || [ -z "$library" ] || exit 0
    echo 'gpu: chapters on several GPUs need NCCL, and nccl.h or libnccl.so.2 is not here:' \
        'install libnccl2 and libnccl-dev from NVIDIA, or: pip install nvidia-nccl-cu13' >&2
    exit 1
    ;;
esac
