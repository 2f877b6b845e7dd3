#!/usr/bin/env python3
"""layers.py OBJECTS - proves that the simulator is a stack of layers.

OBJECTS holds the object files of its library, one subfolder a layer, as
common/make/sim.mk leaves them: build/sim-gcc/objects. Proved are two things:

- what a layer's objects call, by nm: each undefined symbol is defined in the layer
  itself, in one to its left, or outside of the simulator (libc, libm, libbacktrace, the
  compiler's runtime). What runs the other way is a function pointer, which no symbol shows;
- what a layer's sources include: their own headers, the public header LAYER/LAYER.h of a
  layer to the left, and what is everybody's.

Prints lines "ok ..." and "FAIL ...", then "N passed, M failed"; the status is 1 when
something failed. At the end it plants a wrong call and a wrong include, and sees to it
that they are found.
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

LAYERS = ["base", "machine", "report", "memory", "checks", "engine", "device", "runtime"]
SIM = Path(__file__).resolve().parent.parent / "sim"

# The library's face to programs and to compiled kernels, and CUDA's types and errors.
EVERYBODYS = {"sim.h", "device_abi.h", "include/cuda_runtime_api.h", "include/nccl.h",
              "include/sim_half_bits.h"}
# The rewriting step is a program of its own. Of the library it uses this.
REWRITE_USES = {"../../base/table.h"}

# Made by the linker: sections of the program, and where it begins and ends.
LINKER = {"_GLOBAL_OFFSET_TABLE_", "__executable_start", "etext", "edata", "end",
          "__start_sim_device", "__stop_sim_device", "__tls_get_addr"}
LIBRARIES = ["libc.so.6", "libm.so.6", "libc_nonshared.a", "libgcc.a", "libgcc_s.so.1",
             "libstdc++.so.6", "libbacktrace.a"]


def compiler():
    return shlex.split(os.environ.get("CC", "gcc"))


def nm(path, *options):
    """The symbols that nm prints for a file, without versions; none when it cannot read it."""
    run = subprocess.run(["nm", "-P", *options, str(path)], capture_output=True, text=True)
    lines = [line.split() for line in run.stdout.splitlines()]
    return {words[0].split("@")[0] for words in lines if len(words) > 1}


def outside():
    """All symbols that are defined outside of the simulator."""
    symbols = set(LINKER)
    for name in LIBRARIES:
        path = subprocess.run([*compiler(), "-print-file-name=" + name],
                              capture_output=True, text=True).stdout.strip()
        if os.path.exists(path):
            symbols |= nm(path, "--defined-only", *(["-D"] if ".so" in name else []))
    return symbols


def objects_of(folder):
    return {layer: sorted((Path(folder) / layer).rglob("*.o")) for layer in LAYERS}


def without_left_overs(objects, folder):
    """The objects whose source still exists."""
    return {layer: [file for file in files
                    if (SIM / file.relative_to(folder)).with_suffix(".c").exists()]
            for layer, files in objects.items()}


def wrong_calls(objects, known_outside):
    """(layer, object, symbol, where it is defined) for each call that is none to the left."""
    defined = {}
    for layer, files in objects.items():
        for file in files:
            for symbol in nm(file, "--defined-only", "-g"):
                defined[symbol] = layer
    wrong = []
    for layer, files in objects.items():
        for file in files:
            for symbol in sorted(nm(file, "--undefined-only")):
                there = defined.get(symbol)
                if there is None and symbol in known_outside:
                    continue
                if there is None or LAYERS.index(there) > LAYERS.index(layer):
                    wrong.append((layer, file.name, symbol, there or "nowhere"))
    return wrong


def included(text):
    return re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, re.MULTILINE)


def may_include(layer, header):
    folder = header.split("/")[0]
    if header in EVERYBODYS or folder == layer:
        return True
    return (folder in LAYERS and LAYERS.index(folder) < LAYERS.index(layer)
            and header == f"{folder}/{folder}.h")


def wrong_includes(layer, sources):
    """(source, header) for each include that `layer` may not make, of (name, text) pairs."""
    return [(name, header) for name, text in sources for header in included(text)
            if not may_include(layer, header)]


def sources_of(folder):
    return [(file.name, file.read_text()) for file in sorted(folder.rglob("*.[ch]"))]


def is_part_of(folder, header):
    return (folder / header).exists() or (folder / "text" / header).exists()


def planted_call():
    """Whether a call from machine to engine would be found."""
    with tempfile.TemporaryDirectory() as folder:
        for layer, text in [("machine", "void late(void); void early(void) { late(); }"),
                            ("engine", "void late(void) {}")]:
            (Path(folder) / layer).mkdir()
            subprocess.run([*compiler(), "-xc", "-c", "-", "-o", f"{folder}/{layer}/planted.o"],
                           input=text, text=True, check=True)
        found = wrong_calls(objects_of(folder), outside())
    return found == [("machine", "planted.o", "late", "engine")]


class Tally:
    passed = failed = 0

    def add(self, right, text, wrong=()):
        if right:
            self.passed += 1
            print("ok " + text)
        for line in wrong:
            print("FAIL " + line)
            self.failed += 1


def main(folder):
    tally = Tally()
    objects = without_left_overs(objects_of(folder), folder)
    calls = wrong_calls(objects, outside())
    for layer in LAYERS:
        wrong = [f"{layer}/{file} calls {symbol}, which is defined {'in ' * (there in LAYERS)}{there}"
                 for its, file, symbol, there in calls if its == layer]
        if not objects[layer]:
            wrong = [f"there are no objects in {folder}/{layer}: build the library first"]
        tally.add(not wrong, f"{layer} calls nothing to its right", wrong)
        wrong = [f"common/sim/{layer}/{name} includes {header}"
                 for name, header in wrong_includes(layer, sources_of(SIM / layer))]
        tally.add(not wrong, f"{layer} includes nothing but public headers to its left", wrong)
    wrong = [f"common/sim/rewrite/{name} includes {header}"
             for name, text in sources_of(SIM / "rewrite") for header in included(text)
             if not is_part_of(SIM / "rewrite", header) and header not in REWRITE_USES]
    tally.add(not wrong, "the rewriting step includes nothing of the library but a table", wrong)
    folders = {path.name for path in SIM.iterdir() if path.is_dir()} - {"include", "left_out", "rewrite"}
    tally.add(folders == set(LAYERS), "common/sim has these layers and no others",
              [f"common/sim/{name} is no layer" for name in sorted(folders ^ set(LAYERS))])
    found = planted_call()
    tally.add(found, "a planted call to the right is found",
              [] if found else ["a planted call from machine to engine is not found"])
    planted = wrong_includes("machine", [("planted.c", '#include "engine/engine.h"\n'),
                                         ("private.c", '#include "base/table.h"\n')])
    tally.add(len(planted) == 2, "planted includes, to the right and of a private header, are found",
              [] if len(planted) == 2 else ["a planted include is not found"])
    print(f"{tally.passed} passed, {tally.failed} failed")
    return tally.failed != 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
