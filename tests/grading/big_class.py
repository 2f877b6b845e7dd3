"""big_class.py - makes a large class, to measure how long grading takes.

    big_class.py FOLDER STUDENTS CHAPTER...      big_class.py /tmp/class 200 2 3 4 5 6

Of twenty files eleven are the solution, three a planted mistake, two somebody else's right kernel;
one is the chapter before, one the stub, one does not compile and one is not there. Each has a comment
of its own, so that no two are the same text. The same arguments give the same class.
"""
import glob
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

SUBMISSIONS = ["solution"] * 11 + ["mistake"] * 3 + ["right"] * 2 + ["before", "stub", "broken", "none"]


def stem_of(number):
    return next(path.name for path in sorted(Path("solutions").iterdir())
                if path.name.startswith(f"{number:02d}_"))


def mistakes(stem, work):
    """The texts of a chapter's planted mistakes for five bins."""
    texts, solution = [], next(Path("solutions", stem).glob("histogram.c*"))
    for patch in sorted(glob.glob(f"tests/mutants/{stem}/*.patch")):
        if "\nBINS=" not in Path(patch).read_text():
            copy = Path(work, solution.name)
            shutil.copy(solution, copy)
            subprocess.run(["patch", "-s", str(copy), patch], check=True)
            texts.append(copy.read_text())
    return texts


def texts_of(number, before, work):
    """{kind: texts} of a chapter."""
    stem = stem_of(number)
    solution, stub = (next(Path(folder, stem).glob("histogram.c*"))
                      for folder in ("solutions", "chapters"))
    others = [Path(path).read_text() for path in sorted(glob.glob(f"tests/right/{stem}/*.cu"))]
    return stem, solution.name, {
        "solution": [solution.read_text()], "stub": [stub.read_text()],
        "mistake": mistakes(stem, work), "right": others or [solution.read_text()],
        "before": [Path("solutions", stem_of(before), "histogram.cu").read_text()],
        "broken": [solution.read_text().replace(";", "", 1)]}


def main(folder, students, *numbers):
    numbers, draw = [int(number) for number in numbers], random.Random(1)
    os.makedirs(folder)
    work = Path(folder, ".work")
    work.mkdir()
    chapters = [texts_of(number, numbers[index - 1], work) for index, number in enumerate(numbers)]
    for student in range(1, int(students) + 1):
        for stem, file, texts in chapters:
            kind = draw.choice(SUBMISSIONS)
            place = Path(folder, f"student{student:03d}", stem)
            place.mkdir(parents=True)
            if kind != "none":
                (place / file).write_text(f"// student {student}\n{draw.choice(texts[kind])}")
    shutil.rmtree(work)


if __name__ == "__main__":
    main(*sys.argv[1:])
