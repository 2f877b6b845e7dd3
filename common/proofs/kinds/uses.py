"""uses.py - proves who may use whom in common/: contract nobody; judge, sandbox and contracts each other
and the simulator, and no tools.

Of contracts this holds for what judges a kernel and what calls it. Its programs, which have a main(), and
what tells `make trace` of a contract (traced) are tools' as well. Once for the headers that a file
includes, and once for what its object calls: nm says which symbols it needs and which objects have them.
"""
import re
import subprocess
from collections import defaultdict
from functools import partial
from pathlib import Path

import course
from proof import Proof, Target

# The rooms whose headers and functions a room may use.
OF_KERNELS = {"contract", "contracts", "judge", "sandbox", "sim"}
ALLOWED = {"contract": {"contract"}, **dict.fromkeys(("contracts", "judge", "sandbox"), OF_KERNELS)}
OF_ALL_BINS = ("judge/", "sandbox/", "contracts/operation/")  # are compiled once for all variants


def room(path):
    """contracts of common/contracts/texts/text.c."""
    return Path(path).parts[1]


def is_bound(path):
    """Whether a file keeps the rule."""
    return not (room(path) == "contracts" and (Path(path).stem.endswith("traced") or
                re.search(r"^int main\(", Path(path).read_text(), re.MULTILINE)))


def headers_used(files, headers):
    """Headers that a file includes and that lie in a room that is none of its business. Of several of
    one name (common/tools has a cooperative_groups/reduce.h) it may mean that of a room of its own."""
    homes = defaultdict(set)
    for path in headers:
        homes[Path(path).name].add(room(path))
    wrong = []
    for path in files:
        text = Path(path).read_text()
        for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.MULTILINE):
            places = homes[Path(name).name]
            if places and not places & ALLOWED[room(path)]:
                wrong.append(f"{path}: includes {name}, which is of {' and '.join(sorted(places))}")
    return wrong


def symbols(objects):
    """({symbol: objects that need it}, {symbol: objects that have it}), of the global ones."""
    needed, had = defaultdict(set), defaultdict(set)
    said = subprocess.run(["nm", "-A", "-g", "-P", *objects], text=True, capture_output=True,
                          check=True).stdout
    for line in said.splitlines():
        path, name, kind = re.match(r"(\S+): (\S+) (\S)", line).groups()
        (needed if kind in "Uwv" else had)[name].add(path)
    return needed, had


def calls(objects):
    """Calls from one room into another that it may not use; {room: its objects}."""
    needs = {name: symbols(files) for name, files in objects.items() if files}
    wrong = []
    for caller in sorted(set(needs) & set(ALLOWED)):
        open_to = {name for place in ALLOWED[caller] & set(needs) for name in needs[place][1]}
        for place in sorted(set(needs) - ALLOWED[caller]):
            for name in sorted(set(needs[caller][0]) & set(needs[place][1]) - open_to - {"main"}):
                by = ", ".join(sorted(Path(path).name for path in needs[caller][0][name]))
                wrong.append(f"{by} of {caller} calls {name}, which only {place} has")
    return wrong


def prove(right, find, *arguments):
    return [f"FAIL {sentence}" for sentence in find(*arguments)] or [f"ok {right}"]


def object_of(path):
    """The object of a source, for 5 bins, which make builds."""
    path = Path(path).relative_to("common").with_suffix(".o")
    variant = "common" if str(path).startswith(OF_ALL_BINS) else "common-5"
    return f"{course.BUILD}/{variant}/{path}"


def proofs():
    headers = course.files("common/**/*.h")
    files = [path for name in ALLOWED for path in course.files(f"common/{name}/**/*.[ch]*")
             if is_bound(path)]
    objects = {name: [object_of(path) for path in course.files(f"common/{name}/**/*.c")
                      if name == "tools" or is_bound(path) and "/rank" not in path]
               for name in ("contracts", "judge", "sandbox", "tools")}
    built = tuple(Target("solution", 5, path) for paths in objects.values() for path in paths)
    return [Proof("uses", "headers", partial(prove, "contract includes no header of others; judge, "
                  "sandbox and contracts none of tools", headers_used, files, headers),
                  reads=tuple({*files, *headers})),
            Proof("uses", "calls", partial(prove, "no object of judge, sandbox and contracts calls one "
                                           "of tools", calls, objects), builds=built)]
