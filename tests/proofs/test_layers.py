"""test_layers.py - the simulator is a stack of layers, and the kernel's process holds nothing that knows what is right.

The object files of the simulator lie in build/sim-gcc/objects, one subfolder a layer, as common/sim/simcc leaves them.
A folder inside of a layer has a place of its own in the row, before the layer's own files or behind them. Proved are

- what a folder's objects call, by nm: each undefined symbol is defined in the folder itself, in one to its left, or
  outside of the simulator (libc, libm, libbacktrace, the compiler's runtime). What runs the other way is a function
  pointer, which no symbol shows;
- what a folder's sources include: their own headers, the public header LAYER/LAYER.h of a layer to the left, or of a
  folder of their own layer, and what is everybody's;
- that the files of a folder call each other in no circle; of those in CIRCLES they do still.
"""
import re
import subprocess
from pathlib import Path

import pytest
from kernels import BUILD, CC, LADDER, contract, is_of_mpi, make, program, solution, source, stems, taken

ROW = ["base", "machine", "report", "memory", "checks/order", "checks", "engine/waiting", "engine", "device", "device/extras", "runtime",
       "runtime/extras", "runtime/nccl"]
CIRCLES = {"checks", "runtime", "runtime/nccl"}
SIM, OBJECTS = Path("common/sim"), Path(BUILD, "objects")
# The library's face to programs and to compiled kernels, and CUDA's types and errors.
EVERYBODYS = {"sim.h", "device_abi.h", "include/cuda_runtime_api.h", "include/nccl.h", "include/sim_half_bits.h"}
REWRITE_USES = {"../../base/table.h", "../base/cards.h"}  # a program of its own
# Made by the linker: sections of the program, and where it begins and ends.
LINKER = {"_GLOBAL_OFFSET_TABLE_", "__executable_start", "etext", "edata", "end", "__start_sim_device",
          "__stop_sim_device", "__start_sim_types", "__stop_sim_types", "__tls_get_addr", "__real_dl_iterate_phdr"}
LIBRARIES = ["libc.so.6", "libm.so.6", "libc_nonshared.a", "libgcc.a", "libgcc_s.so.1", "libstdc++.so.6", "libbacktrace.a"]
# Of the rooms of the judge a kernel's program has the call, what is watched of it, and the bytes that it is given.
ROOMS = ("judge", "run", "contracts")
KERNELS_HALF = {"kernel", "operations", "letters", "l2_rounds", "text_watch", "origins", "grouped", "two_phase_calls"}


def nm(path, *options):
    """The symbols that nm prints for a file, without versions."""
    run = subprocess.run(["nm", "-P", *options, path], capture_output=True, text=True)
    return {line.split("@")[0].split()[0] for line in run.stdout.splitlines() if " " in line}


def outside():
    """All symbols that are defined outside of the simulator."""
    symbols = set(LINKER)
    for name in LIBRARIES:
        path = subprocess.run([CC, "-print-file-name=" + name], capture_output=True, text=True).stdout.strip()
        symbols |= nm(path, "--defined-only", *(["-D"] if ".so" in name else []))
    return symbols


def symbols_of(rooms):
    """({symbol: (folder, file) that defines it}, {(folder, file): symbols that it needs})."""
    defined, needed = {}, {}
    for room in rooms:
        for file in (SIM / room).glob("*.c"):
            path = OBJECTS / room / f"{file.stem}.o"
            assert path.exists(), f"{path} is not there: build the library first"
            defined.update(dict.fromkeys(nm(path, "--defined-only", "-g"), (room, file.stem)))
            needed[room, file.stem] = nm(path, "--undefined-only")
    return defined, needed


def wrong_calls(defined, needed, known_outside):
    """A sentence for each call that is none to the left."""
    for (room, file), symbols in needed.items():
        for symbol in sorted(symbols):
            there = defined.get(symbol, ("nowhere",))[0]
            if symbol not in known_outside and (there == "nowhere" or ROW.index(there) > ROW.index(room)):
                yield f"{room}/{file}.c calls {symbol}, which is defined in {there}"


def circle(defined, needed, room):
    """The files of a folder that call each other in circles, with those between; none is left when there is none."""
    calls = {file: {defined[symbol][1] for symbol in symbols if defined.get(symbol, ("",))[0] == room} - {file}
             for (its, file), symbols in needed.items() if its == room}
    while ends := {file for file, called in calls.items() if not called & set(calls)}:
        calls = {file: called for file, called in calls.items() if file not in ends}
    return sorted(calls)


def may_include(room, header):
    """Whether sources of a folder may include a header."""
    there = header.rpartition("/")[0]
    if header in EVERYBODYS or there == room:
        return True
    is_near = "/" not in there or there.split("/")[0] == room.split("/")[0]
    return (there in ROW and ROW.index(there) < ROW.index(room) and is_near
            and header == f"{there}/{there.split('/')[-1]}.h")


def included(path):
    return re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), re.MULTILINE)


def test_calls():
    make(LADDER)
    defined, needed = symbols_of(ROW)
    assert not list(wrong_calls(defined, needed, outside()))
    assert {room for room in ROW if circle(defined, needed, room)} == CIRCLES


@pytest.mark.parametrize("room", ROW)
def test_includes(room):
    wrong = [(path.name, header) for path in (SIM / room).glob("*.[ch]") for header in included(path)
             if not may_include(room, header)]
    assert not wrong, f"{room} includes what is no public header to its left"


def test_folders():
    folders = {str(path.parent.relative_to(SIM)) for path in SIM.rglob("*.c")}
    assert {room for room in folders if room.split("/")[0] not in ("include", "left_out", "rewrite")} == set(ROW)
    wrong = [(path, header) for path in (SIM / "rewrite").rglob("*.[ch]") for header in included(path)
             if header not in REWRITE_USES and (".." in header or not (path.parent / header).exists())]
    assert not wrong, "the rewriting step includes what lies below it, and of the library tables"


@pytest.mark.parametrize("stem", {contract(stem) + "-ranks" * is_of_mpi(stem): stem for stem in stems()
                                  if source("solutions", stem).endswith(".cu")}.values())
def test_kernel_knows_nothing(stem):
    """The kernel's process is linked with no object of the judge's half: it would have all its symbols."""
    has = nm(program(solution(stem), "kernel", taken(stem)[0]), "--defined-only")
    for path in sorted(path for room in ROOMS for path in Path(BUILD, "common", room).rglob("*.o")
                       if path.relative_to(BUILD).with_suffix(".c").exists()):  # others are of files that are gone
        known = nm(path, "--defined-only", "-g") - {"main"}
        assert path.stem in KERNELS_HALF or not known or not known <= has, f"has {sorted(known)} of {path.stem}"


def test_what_is_wrong_is_found():
    """Planted: a call to the right, one to nowhere, a circle, an include of a private header."""
    defined = {"low": ("base", "a"), "high": ("engine", "b"), "one": ("memory", "c"), "two": ("memory", "d")}
    needed = {("base", "a"): {"high", "gone", "memcpy"}, ("engine", "b"): {"low"}, ("memory", "c"): {"two"},
              ("memory", "d"): {"one"}}
    assert len(list(wrong_calls(defined, needed, {"memcpy"}))) == 2
    assert circle(defined, needed, "memory") == ["c", "d"] and not circle(defined, needed, "engine")
    assert may_include("engine", "memory/memory.h") and not may_include("engine", "memory/guard.h")
    assert not may_include("memory", "engine/engine.h")
