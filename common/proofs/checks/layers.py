"""layers.py - proves that the simulator is a stack of layers.

The object files of its library lie in build/sim-gcc/objects, one subfolder a layer, as
common/make/sim.mk leaves them. A folder inside of a layer has a place of its own in the row,
before the layer's own files or behind them. Proved are three things:

- what a folder's objects call, by nm: each undefined symbol is defined in the folder
  itself, in one to its left, or outside of the simulator (libc, libm, libbacktrace, the
  compiler's runtime). What runs the other way is a function pointer, which no symbol shows;
- what a folder's sources include: their own headers, the public header LAYER/LAYER.h of a
  layer to the left, or of a folder of their own layer, and what is everybody's;
- that the files of a folder call each other in no circle; of those in CIRCLES they do still.

tests/course/test_proofs.py plants wrong calls, a circle and wrong includes.
"""
import os
import re
import shlex
import subprocess
from pathlib import Path

import course
from proof import Proof, Target, lines_of

ROW = ["base", "machine", "report", "memory", "checks/order", "checks", "engine/waiting", "engine",
       "device", "runtime", "runtime/collectives"]
CIRCLES = {"checks", "runtime", "runtime/collectives"}
SIM = Path("common/sim")
OBJECTS = f"{course.BUILD}/objects"

# The library's face to programs and to compiled kernels, and CUDA's types and errors.
EVERYBODYS = {"sim.h", "device_abi.h", "include/cuda_runtime_api.h", "include/nccl.h",
              "include/sim_half_bits.h"}
# The rewriting step is a program of its own. Of the library it uses this.
REWRITE_USES = {"../../base/table.h", "../base/cards.h"}

# Made by the linker: sections of the program, and where it begins and ends.
LINKER = {"_GLOBAL_OFFSET_TABLE_", "__executable_start", "etext", "edata", "end",
          "__start_sim_device", "__stop_sim_device", "__start_sim_types", "__stop_sim_types", "__tls_get_addr",
          "__real_dl_iterate_phdr"}  # by --wrap, in simcc
LIBRARIES = ["libc.so.6", "libm.so.6", "libc_nonshared.a", "libgcc.a", "libgcc_s.so.1",
             "libstdc++.so.6", "libbacktrace.a"]


def nm(path, *options):
    """The symbols that nm prints for a file, without versions; none when it cannot read it."""
    run = subprocess.run(["nm", "-P", *options, str(path)], capture_output=True, text=True)
    lines = [line.split() for line in run.stdout.splitlines()]
    return {words[0].split("@")[0] for words in lines if len(words) > 1}


def outside():
    """All symbols that are defined outside of the simulator."""
    symbols = set(LINKER)
    for name in LIBRARIES:
        path = subprocess.run([*shlex.split(course.CC), "-print-file-name=" + name],
                              capture_output=True, text=True).stdout.strip()
        if os.path.exists(path):
            symbols |= nm(path, "--defined-only", *(["-D"] if ".so" in name else []))
    return symbols


def objects_of(folder):
    return {room: sorted((Path(folder) / room).glob("*.o")) for room in ROW}


def without_left_overs(objects, folder):
    """The objects whose source still exists."""
    return {room: [file for file in files
                   if (SIM / file.relative_to(folder)).with_suffix(".c").exists()]
            for room, files in objects.items()}


def symbols_of(objects):
    """({symbol: (folder, object) that defines it}, {(folder, object): symbols that it needs})."""
    defined, needed = {}, {}
    for room, files in objects.items():
        for file in files:
            defined.update(dict.fromkeys(nm(file, "--defined-only", "-g"), (room, file.stem)))
            needed[room, file.stem] = nm(file, "--undefined-only")
    return defined, needed


def wrong_calls(defined, needed, known_outside):
    """(folder, file, symbol, where it is defined) for each call that is none to the left."""
    wrong = []
    for (room, file), symbols in needed.items():
        for symbol in sorted(symbols):
            there = defined[symbol][0] if symbol in defined else None
            if there is None and symbol in known_outside:
                continue
            if there is None or ROW.index(there) > ROW.index(room):
                wrong.append((room, file, symbol, there or "nowhere"))
    return wrong


def circle(defined, needed, room):
    """Files of a folder each of which is called by the one before, and the first by the last; or
    none."""
    calls = {file: {defined[symbol][1] for symbol in symbols
                    if symbol in defined and defined[symbol][0] == room} - {file}
             for (its, file), symbols in needed.items() if its == room}
    while calls:
        ends = {file for file, called in calls.items() if not called & set(calls)}
        if not ends:
            break
        calls = {file: called for file, called in calls.items() if file not in ends}
    way = sorted(calls)[:1]
    while way and way[-1] not in way[:-1]:
        way.append(min(calls[way[-1]] & set(calls)))
    return way[way.index(way[-1]):] if way else []


def included(text):
    return re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, re.MULTILINE)


def may_include(room, header):
    """Whether sources of a folder may include a header."""
    there = header.rpartition("/")[0]
    if header in EVERYBODYS or there == room:
        return True
    is_near = "/" not in there or there.split("/")[0] == room.split("/")[0]
    return (there in ROW and ROW.index(there) < ROW.index(room) and is_near
            and header == f"{there}/{there.split('/')[-1]}.h")


def wrong_includes(room, sources):
    """(source, header) for each include that a folder may not make, of (name, text) pairs."""
    return [(name, header) for name, text in sources for header in included(text)
            if not may_include(room, header)]


def sources_of(folder):
    return [(file.name, file.read_text()) for file in sorted(folder.glob("*.[ch]"))]


def is_below(file, header):
    """Whether a file includes a header of its own folder, or of one inside: text knows no pass."""
    return ".." not in header and (file.parent / header).exists()


def folders_of_simulator():
    """Folders with sources of the library."""
    inside = {str(file.parent.relative_to(SIM)) for file in SIM.rglob("*.c")}
    return {room for room in inside if room.split("/")[0] not in ("include", "left_out", "rewrite")}


def prove_folder(room, objects, defined, needed, calls):
    wrong = [f"{room}/{file}.c calls {symbol}, which is defined {'in ' * (there in ROW)}{there}"
             for its, file, symbol, there in calls if its == room]
    if not objects[room]:
        wrong = [f"there are no objects in {OBJECTS}/{room}: build the library first"]
    lines = lines_of(f"{room} calls nothing to its right", wrong)
    lines += lines_of(f"{room} includes nothing but public headers to its left",
                      [f"common/sim/{room}/{name} includes {header}"
                       for name, header in wrong_includes(room, sources_of(SIM / room))])
    around = circle(defined, needed, room)
    if room not in CIRCLES:
        return lines + lines_of(f"the files of {room} call each other in no circle",
                                [f"{room}: a circle of calls: {' -> '.join(around)}"] if around else [])
    return lines + ([] if around else [f"FAIL {room} has no circle: take it out of CIRCLES"])


def prove():
    objects = without_left_overs(objects_of(OBJECTS), OBJECTS)
    defined, needed = symbols_of(objects)
    calls = wrong_calls(defined, needed, outside())
    lines = [line for room in ROW for line in prove_folder(room, objects, defined, needed, calls)]
    lines += lines_of("the rewriting step includes what lies below, and of the library tables",
                      [f"{file} includes {header}" for file in sorted((SIM / "rewrite").rglob("*.[ch]"))
                       for header in included(file.read_text())
                       if not is_below(file, header) and header not in REWRITE_USES])
    lines += lines_of("common/sim has these folders and no others",
                      [f"common/sim/{name} is not in the row"
                       for name in sorted(folders_of_simulator() ^ set(ROW))])
    return lines


def proofs():
    return [Proof("layers", "simulator", prove, reads=tuple(course.files("common/sim/**/*")),
                  builds=(Target("solution", 5, f"{course.BUILD}/libsim.a"),))]
