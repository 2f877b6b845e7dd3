"""for_students.py - the README of a copy for students."""
from pathlib import Path

TEXT = """# Histogram Ladder

A course on GPU programming that climbs one ladder: the parallel histogram, from a sequential loop
to the speed of the memory, in small chapters of C and CUDA C. It runs on the laptop in front of
you, without a GPU: every `.cu` file runs unchanged on a simulated GPU that is part of the course.

## Install

On Debian 12, Debian 13 or Ubuntu 24.04:

    sudo apt-get install -y build-essential libcriterion-dev gnuplot-nox

{needs}Windows, a Mac, a machine without root: [docs/machines.md](docs/machines.md).

## The chapters that you have

| | chapter | lesson | |
|---|---|---|---|
{rows}

Later ones come with `make update COURSE=`, followed by the folder, the archive or the address that
you are told. It leaves what you wrote as it is.

## How to work through it

1. Read the lesson as far as "Do it", and write down your predictions.
2. Fill in the gaps between `TODO({first}.1)` and `end of TODO({first}.1)` in
   `{stub}`. When you are stuck, `make chapter{first} hint`.
3. Type `make chapter{first} test`. An untouched stub is told what is missing and where. A wrong kernel is
   told which input, which bins and the likeliest cause.

`make help` lists all commands. What is about the solutions - plain `make`, and `solution`
between two words - works for the chapters whose answers are here.

License: [MIT](LICENSE).
"""


def listed(stems):
    """1 to 5, or 1, 2 and 5: the numbers of chapters."""
    numbers = [int(stem[:2]) for stem in stems]
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    words = [str(number) for number in numbers]
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def readme(released, answered, titles, stub):
    """The page; `titles` are those of the lessons, `stub` is the file to begin with."""
    rows = [f"| {int(stem[:2])} | {stem[3:]} | [{titles.get(stem, 'lesson')}](docs/{stem}.md) | "
            f"{'with its answers' if stem in answered else ''} |" for stem in released]
    mpi = [stem for stem in released if any("#include <mpi.h>" in source.read_text()
                                            for source in Path("chapters", stem).glob("*.cu"))]
    needs = (f"Chapter {listed(mpi)} needs Open MPI as well: `sudo apt-get install -y libopenmpi-dev "
             "openmpi-bin`.\n\n" if mpi else "")
    return TEXT.format(needs=needs, rows="\n".join(rows), stub=stub, first=int(stub.split("/")[1][:2]))
