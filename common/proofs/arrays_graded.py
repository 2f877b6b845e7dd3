"""arrays_graded.py - a class that hands in a chapter which reduces an array, for the proofs of grading."""
import tempfile
from functools import partial

import course
import handed_in
from handed_in import FULL, NOTHING, Student
from proof import Proof

STEM, OTHER = (next(stem for stem in course.stems("solutions") if stem.endswith(name))
               for name in ("_atomic_result", "_two_pass"))


def students():
    """One of each kind: the points are those of a histogram."""
    solution = handed_in.kernel_of(STEM)
    host = solution.index("{", solution.index("\nvoid reduce(")) + 1
    return [
        Student("solved", solution, "solved", FULL),
        Student("stub", handed_in.kernel_of(STEM, "chapters"), "unfinished", NOTHING),
        Student("no atomics", handed_in.kernel_of(OTHER), "technique", (2, 1, 0)),
        Student("drops the last", solution.replace("i < length;", "i + 1 < length;"), "wrong", (0, 1, 0)),
        Student("does nothing", solution[:host] + " return;" + solution[host:], "wrong", NOTHING)]


def prove(class_in, prove_points):
    """The lines of a class that is graded; kinds/grading.py has what makes one, and compares points."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        graded = class_in(folder, [STEM], "keys")
        graded.handed_in.mkdir(parents=True)
        handed_in.hand_in(students(), graded.handed_in, "reduce.cu")
        prove_points(STEM, students(), graded, lines)
    return lines


def proof(class_in, prove_points):
    reads = course.files(*(f"*/{stem}/*.cu" for stem in (STEM, OTHER)), "common/grading/*",
                         "common/make/*", "common/contracts/reduce/*", "common/proofs/*.py")
    return Proof("grading", "arrays", partial(prove, class_in, prove_points), reads=tuple(reads))
