#!/bin/sh
# probe.sh NVCC ARCH CXX FOLDER - is there a GPU that programs can use, and which?
#
# Prints its name, and keeps it in FOLDER/device, which stays as old as it is while the
# name is the same. Else one line says what is missing, and the status is 1.
nvcc=$1 arch=$2 cxx=$3 folder=$4
here=$(dirname "$0")
mkdir -p "$folder" || exit 1
if [ ! -x "$folder/probe" ] || [ -n "$(find "$here/probe.cu" "$here/errors.h" -newer "$folder/probe")" ]; then
    "$nvcc" "-arch=$arch" -ccbin "$cxx" "$here/probe.cu" -o "$folder/probe" >"$folder/probe.log" 2>&1 || {
        why=$(grep -m 1 -i 'error:\|error *:\|fatal' "$folder/probe.log" || tail -n 1 "$folder/probe.log")
        echo "gpu: $nvcc cannot compile for this machine (ARCH=sm_90 and the like choose another target): $why" >&2
        exit 1
    }
fi
name=$("$folder/probe") || exit 1
echo "$name" | cmp -s - "$folder/device" || echo "$name" >"$folder/device"
echo "$name"
