"""editor.py - proves that clangd reads every .cu file without a false error, and flags real ones.

Once with compile_commands.json, which make editor writes, and for some files with .clangd alone.
Files in which students write are checked by every clangd that is installed; the solutions, which
only add lines to these, by one of them, in turns, and of the others every third so, for each takes
half a second. Without any clangd a line says so, and counts as nothing; nor are files of MPI checked
where that is missing.
"""
import json
import re
import shutil
import subprocess
from functools import partial
from pathlib import Path

import course
from proof import Proof

VERSIONS = ("clangd-14", "clangd-19")
OF_MPI = "#include <mpi.h>"
FOLDER = f"{course.BUILD}/editor"  # as deep below the top as an exercise: .clangd knows the headers
SHARE = 6
READ_BY_ALL, IN_TURNS = "chapters/", "solutions/"
TO_GO_ON_WITH = ("common/tools/editor/**/*", "common/sim/include/**/*", "common/contract/*",
                 "common/sim/device_abi.h")
BROKEN = {  # a line that ends so has to be flagged, and no other
    "names": """
#include <cuda_runtime.h>
__global__ void count(const unsigned char *text, size_t length, unsigned int *bins)
{
    __shared__ unsigned int counters[26];
    counters[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x < lenght) // wrong
        counters[text[threadIdx.w]]++; // wrong
    atomicAdd(&bins[threadIdx.x], counters[threadIdx.x]);
}
""",
    "arguments": """
#include <cuda_runtime.h>
static int of_the_host(int x)
{
    return x;
}
__global__ void count(const unsigned char *text, unsigned int *bins)
{
    atomicAdd(&bins[text[0]]); // wrong
    atomicAdd(bins[text[1]], 1); // wrong
    atomicAdd(&bins[text[2]], "1"); // wrong
    atomicAdd(&bins[of_the_host(3)], 1); // wrong
    threadIdx.x = 1; // wrong
    __syncthreads(1); // wrong
}
void histogram(const unsigned char *text, unsigned int *bins)
{
    count<<<1, 32>>>(text, bins);
    count<<<1, 32>>>(text); // wrong
    count(text, bins); // wrong
}
""",
    "signs": """
#include <cuda_runtime.h>
__global__ void count(unsigned int *bins)
{
    extern __shared__ unsigned int counters[];
    counters[threadIdx.x] = 0 // wrong
    __syncthreads();
}
""",
}


def clangds():
    """The installed ones; a clangd of another version, when there is none of these."""
    found = [name for name in VERSIONS if shutil.which(name)]
    return found or [name for name in ("clangd",) if shutil.which(name)]


def output_of(command, path, database):
    """What clangd says is wrong in a file: [(line, words)]."""
    run = subprocess.run([command, "--check-lines=1", f"--compile-commands-dir={database}",
                          f"--check={path}"], text=True, errors="replace", capture_output=True)
    if "All checks completed" not in run.stderr:
        return [(0, f"{command} does not end its check (status {run.returncode})")]
    return [(int(line), words) for line, words in
            re.findall(r"^E\[[^]]*\] \[[a-z_]+\] Line (\d+): (.*)$", run.stderr, re.MULTILINE)]


def write_database(folder):
    """compile_commands.json of the course, in this folder."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["sh", "common/tools/editor/commands/compile_commands.sh",
                    str(folder / "compile_commands.json"), "chapters", "solutions", "tests", "common",
                    "docs"], check=True, stdout=subprocess.DEVNULL)


def databases(name):
    """A folder with compile_commands.json, and one without, for one proof."""
    full, none = Path(FOLDER, name, "full"), Path(FOLDER, name, "none")
    none.mkdir(parents=True, exist_ok=True)
    write_database(full)
    return full, none


def prove_clean(command, name, files, alone):
    full, none = databases(name)
    wrong = [(path, line, words, "") for path in files for line, words in
             output_of(command, path, full)]
    wrong += [(path, line, words, ", with .clangd alone") for path in alone for line, words in
              output_of(command, path, none)]
    return [f"FAIL {path}:{line}: {command}{how} says: {words}"
            for path, line, words, how in wrong] or [
                f"ok {command} finds no error in {len(files)} files of CUDA C ({name})"]


def prove_flagged(command):
    failures = []
    full, none = databases(f"broken-{command}")
    for name, text in BROKEN.items():
        path = Path(FOLDER, f"{name}-{command}.cu")
        path.write_text(text)
        expected = {number for number, line in enumerate(text.split("\n"), 1)
                    if line.endswith("// wrong")}
        for database in (full, none):
            lines = {line for line, _ in output_of(command, path, database)}
            if lines != expected:
                failures.append(f"FAIL {path}: {command} flags lines {sorted(lines)}, but those "
                                f"that are wrong are {sorted(expected)}")
    return failures or [f"ok {command} flags what is wrong in {len(BROKEN)} broken files"]


def prove_entries():
    """make editor has an entry for every source, with paths that are there."""
    full, _ = databases("entries")
    entries = json.loads((full / "compile_commands.json").read_text())
    top = f"{Path.cwd()}/"
    known = {entry["file"] for entry in entries}
    lacking = [path for path in sources() if top + path not in known]
    lost = [entry["file"] for entry in entries if not Path(entry["file"]).exists()]
    return [f"FAIL {path}: not in compile_commands.json, or not there" for path in lacking + lost
            ] or [f"ok compile_commands.json names all {len(entries)} sources"]


def sources():
    return [path for folder in ("chapters", "solutions", "tests", "common", "docs")
            for path in course.files(f"{folder}/**/*.cu", f"{folder}/**/*.c")]


def readable():
    """The .cu files whose headers this machine has."""
    has_mpi = shutil.which("mpicc") is not None
    return [path for path in sources() if path.endswith(".cu")
            and (has_mpi or OF_MPI not in Path(path).read_text(errors="replace"))]


def not_checked():
    return ["not checked: what clangd says of the code, for no clangd is installed: "
            "apt-get install clangd-14 clangd-19"]


def proofs():
    reads = (".clangd", *course.files(*TO_GO_ON_WITH))
    files = readable()
    first = [path for path in files if path.startswith(READ_BY_ALL)]
    in_turns = [path for path in files if path.startswith(IN_TURNS)]
    others = [path for path in files if path not in first + in_turns]
    proved = [Proof("editor", "entries", prove_entries, reads=(*sources(), reads[1]))]
    commands = clangds()
    if not commands:
        return [*proved, Proof("editor", "clangd", not_checked)]
    for number, command in enumerate(commands):
        parts = {"chapters": first, "elsewhere": others[number::SHARE],
                 "solutions": in_turns[number::len(commands)]}
        proved += [Proof("editor", f"{part}-{command}", reads=(*reads, *of_part),
                         prove=partial(prove_clean, command, f"{part}-{command}", of_part,
                                       first[::8] if of_part is first else ()),
                         guess=20)
                   for part, of_part in parts.items()]
        proved.append(Proof("editor", f"broken-{command}", partial(prove_flagged, command),
                            reads=reads))
    return proved
