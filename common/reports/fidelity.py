"""fidelity.py - the simulator's counters beside those of Nsight Compute (ncu): make gpu fidelity.

    fidelity.py kernels PROGRAM FOLDER NCU
        counts PROGRAM, which is tests/fidelity/kernels.cu, on the GPU, twice, and on the
        simulator, and lays the numbers side by side in FOLDER
    fidelity.py chapters NCU FOLDER PROGRAM...
        counts the chapters' kernels; a PROGRAM is build/.../solution-5/NN_name/cells, or
        build/.../solution-keys/NN_name/OPERATION/cells (common/run/cells.c). FOLDER/counters.csv
        gets a row for each of their cells, launches.csv one for each launch, in order
    fidelity.py aggregates PROGRAM FOLDER NCU
        counts PROGRAM, which is tests/fidelity/aggregates.cu, on the GPU: FOLDER/aggregates.csv
    fidelity.py patterns PROGRAM FOLDER NCU
        counts PROGRAM, which is tests/fidelity/patterns.cu, on the GPU, and its last part once
        more: FOLDER/patterns.csv and patterns-again.csv have a line for each launch, with the
        places that its lanes wanted and what was counted
    fidelity.py updates PROGRAM FOLDER NCU
        the same of tests/fidelity/updates.cu, once: FOLDER/updates.csv
    fidelity.py compare [--csv] HARDWARE.csv AGAIN.csv SIMULATED.csv
        prints every number of the simulator that is neither of the two of the hardware, whose
        two runs differ by noise, and a line of totals; with --csv a table

Needs a GPU for all but the last, and no network.
"""
import csv
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

SIMCC = "common/sim/simcc"
KERNELS = "tests/fidelity/kernels.cu"
ATOMICS = ["smsp__inst_executed_op_shared_atom.sum",
           "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
           "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
           "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
           "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
           "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
           "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
           "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
           "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"]
SHAPE = 7  # columns before the counters: kernel, grid and block in three dimensions each


def find(ncu):
    """The command ncu, or an end with a message."""
    found = ncu if os.access(ncu, os.X_OK) else shutil.which("ncu")
    if not found:
        sys.exit("fidelity: Nsight Compute (ncu) is not installed; it comes with the CUDA Toolkit")
    return found


def columns_of(path):
    with open(path, newline="") as file:
        return next(csv.reader(file))


def count(ncu, columns, command, out, *more, check=True):
    """Runs a program under ncu, which prints CSV into a file. Returns rows: rows_of."""
    with open(out, "w") as file:
        subprocess.run([ncu, "--clock-control", "none", *more, "--csv", "--metrics",
                        ",".join(columns[SHAPE:]), *command], stdout=file, check=check)
    with open(out, newline="") as file:
        return rows_of(file, columns)


class Row(list):
    """A launch's row, which knows whose it was."""

    process = ""


def rows_of(lines, columns):
    """From ncu's line for each metric of a launch to one row a launch, as SIM_PROFILE has it."""
    launches = {}
    for field in csv.reader(line for line in lines if line[:1] == '"' and line[1:2].isdigit()):
        kernel = re.sub("[(<].*|^void ", "", field[4])
        shape = [part.strip("( )") for text in (field[8], field[7]) for part in text.split(",")]
        launch = launches.setdefault((field[1], field[0]), (field[2], [kernel, *shape], {}))
        launch[2][field[-3]] = field[-1].replace(",", "")
    rows = []
    for process, begin, value in launches.values():
        rows.append(Row([*begin, *(value.get(name, "") for name in columns[SHAPE:])]))
        rows[-1].process = process
    return rows


def write(path, columns, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([columns, *rows])


def kernels(program, folder, ncu):
    ncu = find(ncu)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    simulated, program_there = folder / "simulated.csv", folder / "simulated"
    subprocess.run([SIMCC, KERNELS, "-o", program_there], check=True)
    subprocess.run([program_there], check=True,
                   env={**os.environ, "SIM_CHECKS": "none", "SIM_PROFILE": str(simulated)})
    columns = columns_of(simulated)
    for run in ("hardware", "again"):
        write(folder / f"{run}.csv", columns, count(ncu, columns, [program], folder / f"{run}.ncu"))
    compare(folder / "hardware.csv", folder / "again.csv", simulated)


# The cells of a chapter: texts by their kind; elements by keys and number of bins; arrays by length
# and by how many values they begin after a multiple of 256 bytes.
TEXTS = ("english", "uniform")
KEYS = ("uniform", "zipf")
FEW, MANY, IN_A_ROW = (31, 505, 12281), (505, 12281, 196607), (31, 127, 505)
NUMBERS_OF_BINS = {24: MANY, 25: MANY, 26: MANY, 29: (31, 12281, 196607), 30: MANY, 31: IN_A_ROW}
LENGTHS = (1000, 65537, 1 << 20)


def cells_of(number, keyed):
    """What the program cells is asked for."""
    if not keyed:
        return [f"TEXT={text} SIZE=1M" for text in TEXTS]
    if number >= 40:
        return [f"SIZE={length} SHIFT={shift}" for length in LENGTHS for shift in (0, 1)]
    return [f"KEYS={keys} KEY_BINS={bins} SIZE=256K"
            for bins in NUMBERS_OF_BINS.get(number, FEW) for keys in KEYS]


class Kernel:
    """A chapter's kernel, as one program has it: what the path says."""

    def __init__(self, program):
        self.program = Path(program)
        parts = self.program.parent.parts
        self.variant = next(part for part in parts if part.startswith("solution-"))[9:]
        stem, *self.operation = parts[parts.index(f"solution-{self.variant}") + 1:]
        self.number, self.name = int(stem.split("_")[0]), stem.split("_", 1)[1]
        self.keyed = self.variant == "keys"
        # Nsight Compute tells programs apart by their name alone, which Linux cuts after 15 characters.
        self.called = f"{self.number:02}-{''.join(self.operation) or self.variant}"
        self.cells = cells_of(self.number, self.keyed)

    def line(self, folder):
        """For the shell: runs it, for a minute at most."""
        settings = f"NUM_BINS={'' if self.keyed else self.variant} " \
                   f"OPERATIONS={''.join(self.operation)}"
        words = " ".join(f"'{cell}'" for cell in self.cells)
        return f"{settings} timeout 60 {folder}/{self.called} {folder}/{self.called}.csv " \
               f"{self.number} {self.name} {words} || echo '{self.called}: status '$?\n"


def by_cell(rows):
    """The launches of a program after each launch of `cell`, which stands before each of its cells."""
    cells = []
    for row in rows:
        if row[0] == "cell":
            cells.append([])
        elif cells:
            cells[-1].append(row)
    return cells


def sum_of(launches, columns):
    """Of a cell's launches the shape of the last one, and the sums of what was counted."""
    return [str(sum(int(float(row[SHAPE + i])) for row in launches))
            for i in range(len(columns) - SHAPE)]


def chapters(ncu, folder, *programs):
    ncu, folder = find(ncu), Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    columns = columns_of("docs/results/h200/fidelity.csv")
    kernels_of = {}
    for program in programs:
        kernel = Kernel(program)
        shutil.copy(program, folder / kernel.called)
        kernels_of.setdefault((not kernel.keyed, kernel.number), []).append(kernel)
    with open(folder / "counters.csv", "w") as counters, \
            open(folder / "launches.csv", "w") as launches:
        totals, singles = (csv.writer(file, lineterminator="\n") for file in (counters, launches))
        totals.writerow(["chapter", "name", "operation", "bins", "input", "length", "shift",
                         "correct", "launches", *columns[SHAPE:]])
        singles.writerow(["program", "cell", *columns])
        for _, together in sorted(kernels_of.items()):
            count_together(ncu, folder, columns, together, totals, singles)
            counters.flush()
            launches.flush()


def count_together(ncu, folder, columns, kernels_there, totals, singles):
    """Several programs in one session of Nsight Compute, which takes a second to begin."""
    script = folder / "session.sh"
    script.write_text("".join(kernel.line(folder) for kernel in kernels_there))
    found = count(ncu, columns, ["sh", str(script)], folder / f"{kernels_there[0].called}.ncu",
                  "--target-processes", "all", "--cache-control", "none", check=False)
    for kernel in kernels_there:
        cells = by_cell([row for row in found if row.process == kernel.called])
        for i, one in enumerate(cells):
            singles.writerows([kernel.called, i, *row] for row in one)
        try:
            _, ran = read(folder / f"{kernel.called}.csv")
        except (OSError, ValueError):
            ran = []
        if len(cells) != len(kernel.cells) or len(ran) != len(cells):
            print(f"{kernel.called}: {len(kernel.cells)} cells, {len(ran)} ran, "
                  f"{len(cells)} counted", file=sys.stderr)
        totals.writerows([*row, len(one), *sum_of(one, columns)] for row, one in zip(ran, cells))


def count_requests(program, folder, ncu, parts):
    """Each line of the program's own list, with the counters of that launch behind it."""
    ncu, folder = find(ncu), Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    shape = columns_of("docs/results/h200/fidelity.csv")[:SHAPE]
    for name, part in parts:
        listed = folder / f"{name}.list"
        counted = count(ncu, [*shape, *ATOMICS], [program, str(listed), *part],
                        folder / f"{name}.ncu")
        columns, launches = read(listed)
        wrong = [launch for launch, row in zip(launches, counted) if launch[1] != row[0]]
        if wrong or len(launches) != len(counted):
            sys.exit(f"fidelity: {len(launches)} launches, and {len(counted)} counted")
        write(folder / f"{name}.csv", [*columns, *ATOMICS],
              [[*launch, *row[SHAPE:]] for launch, row in zip(launches, counted)])
        print(f"{len(launches)} launches are in {folder / name}.csv")


def patterns(program, folder, ncu):
    count_requests(program, folder, ncu, (("patterns", ()), ("patterns-again", ("contended",))))


def aggregates(program, folder, ncu):
    ncu, folder = find(ncu), Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    columns = columns_of("docs/results/h200/fidelity.csv")
    write(folder / "aggregates.csv", columns,
          count(ncu, columns, [program], folder / "aggregates.ncu"))


def updates(program, folder, ncu):
    count_requests(program, folder, ncu, (("updates", ()),))


def read(path):
    """The columns of a file, and its rows."""
    with open(path, newline="") as file:
        columns, *rows = csv.reader(file)
    return columns, rows


def differences(hardware, again, simulated):
    """(number of comparisons, [kernel, counter, hardware's, simulator's] of each difference)."""
    (_, first), (_, second), (columns, own) = read(hardware), read(again), read(simulated)
    compared, found = 0, []
    for row, *cards in zip(own, first, second):
        for place in range(1, len(row)):
            compared += 1
            known = [float(card[place]) for card in cards]
            if float(row[place]) not in known:
                found.append([row[0], columns[place], cards[0][place], row[place]])
    return compared, found


def compare(*files):
    compared, found = differences(*files)
    for kernel, counter, card, own in ([*row[:2], *map(float, row[2:])] for row in found):
        percent = 100 * (own - card) / card if card else 100
        print(f"{kernel:<28} {counter:<62} {card:10.0f} hardware {own:10.0f} simulated "
              f"{percent:+7.2f}%")
    print(f"{compared} numbers compared, {compared - len(found)} equal, {len(found)} differ")


def compare_as_table(*files):
    write("/dev/stdout", ["kernel", "counter", "h200", "simulated"], differences(*files)[1])


def main(arguments):
    todo = {"kernels": kernels, "chapters": chapters, "patterns": patterns,
            "updates": updates, "aggregates": aggregates, "compare": compare}.get(arguments[0] if arguments else "")
    if not todo or len(arguments) < 4:
        sys.exit(__doc__)
    if arguments[1] == "--csv":
        todo = compare_as_table
        arguments = arguments[1:]
    try:
        todo(*arguments[1:])
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"fidelity: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
