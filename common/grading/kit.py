"""kit.py - what make has built to judge with.

Files of lines: "simcc PATH", "compile OPTIONS", "link OPTIONS", "verdict PATH WORD", "library FOLDER", and for
each chapter "chapter STEM NUMBER BINS FILE SUITE PARTS...": the name of the file that is handed in, the
suite that judges it, and what a kernel is linked with. "extra STEM SUITE" is the one
for a lecturer's own texts. "operations STEM NAMES..." says that the kernel is compiled for each of them,
"mpi STEM OPTIONS... -- OPTIONS..." how one for the ranks of MPI is compiled and linked.
"""
import hashlib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Chapter:
    stem: str      # 06_name
    number: int
    bins: int
    file: str      # histogram.cu
    suite: str
    parts: tuple
    extra: str = ""
    operations: tuple = ()
    mpi: tuple = ((), ())  # what compiler and linker are told besides

    @property
    def of_mpi(self):
        """Whether its kernel is for the ranks of MPI."""
        return bool(self.mpi[1])

    def kernels(self):
        """For each program of it: (what the compiler is told besides, its folder)."""
        bins = f"-DBINS={self.bins}"
        return [((bins, f"-DOPERATION={name}"), name) for name in self.operations] or \
            [((bins, *self.mpi[0]), ".")]

    def settings(self):
        """What its suite has to know."""
        return {"OPERATIONS": " ".join(self.operations)} if self.operations else {}


class Kit:
    """Of several files, with the chapters of all, in their order."""

    def __init__(self, paths, root):
        self.root, self.chapters, extras, operations, mpi = Path(root), [], {}, {}, {}
        self.words = {}
        for line in "".join(Path(path).read_text() for path in paths).splitlines():
            word, *rest = line.split()
            if word == "chapter":
                stem, number, bins, file, suite, *parts = rest
                self.chapters.append((stem, int(number), int(bins), file, suite, tuple(parts)))
            elif word == "extra":
                extras[rest[0]] = self.at(rest[1])
            elif word == "operations":
                operations[rest[0]] = tuple(rest[1:])
            elif word == "mpi":
                middle = rest.index("--")
                mpi[rest[0]] = tuple(rest[1:middle]), tuple(rest[middle + 1:])
            else:
                self.words[word] = rest
        self.chapters = [Chapter(stem, number, bins, file, self.at(suite),
                                 tuple(map(self.at, parts)), extras.get(stem, ""),
                                 operations.get(stem, ()), mpi.get(stem, ((), ())))
                         for stem, number, bins, file, suite, parts in sorted(self.chapters)]
        self.verdict = (self.at(self.words["verdict"][0]), *self.words["verdict"][1:])

    def at(self, path):
        return str(self.root / path)

    def compiles(self):
        """The words that compile histogram.cu to kernel.o, but for the two names."""
        return [self.at(self.words["simcc"][0]), *self.words["compile"], "-I",
                self.at("common/contract"), "-c"]

    def links(self, chapter, folder="."):
        first, *rest = chapter.parts  # it limits the process before the submission's code begins
        return [self.at(self.words["simcc"][0]), *self.words["link"], first, f"{folder}/kernel.o",
                *rest, *chapter.mpi[1], "-o", f"{folder}/kernel", "-Wl,-z,muldefs"]

    def seen_by_the_compiler(self):
        """Of the course, and nothing else of it: no solution, no test."""
        return tuple(map(self.at, ("common/sim", "common/contract", "common/make/sim.mk",
                                   self.words["library"][0])))

    def hash_of(self, chapter):
        """Changes with anything that a verdict depends on, but for the text."""
        whole = hashlib.sha256(repr((sorted(self.words.items()), chapter)).encode())
        files = [Path(__file__).with_name("judging.py"), self.verdict[0], chapter.suite, *chapter.parts, chapter.extra]
        files += sorted(str(path) for path in self.root.glob("common/contract/**/*") if path.is_file())
        for path in filter(None, files):
            whole.update(hashlib.sha256(Path(path).read_bytes()).digest())
        return whole.hexdigest()
