"""fidelity.py - the simulator's counters beside those of Nsight Compute (ncu): make gpu fidelity.

    fidelity.py kernels PROGRAM FOLDER NCU
        counts PROGRAM, which is tests/fidelity/kernels.cu, on the GPU, twice, and on the
        simulator, and lays the numbers side by side in FOLDER
    fidelity.py chapters NCU FOLDER PROGRAM...
        counts the chapters' kernels; a PROGRAM is NN_name/BINS/cells or NN_name/OPERATION/cells
        (common/bench/programs/cells.c). FOLDER/counters.csv gets a row for each of their cells, launches.csv
        one for each launch, in order
    fidelity.py aggregates PROGRAM FOLDER NCU
        counts PROGRAM, which is tests/fidelity/aggregates.cu, on the GPU: FOLDER/aggregates.csv
    fidelity.py patterns PROGRAM FOLDER NCU
        counts PROGRAM, which is tests/fidelity/patterns.cu, on the GPU, and its last part once
        more: FOLDER/patterns.csv and patterns-again.csv have a line for each launch, with the
        places that its lanes wanted and what was counted
    fidelity.py updates PROGRAM FOLDER NCU
        the same of tests/fidelity/updates.cu, once: FOLDER/updates.csv
    fidelity.py loads PROGRAM FOLDER NCU
        the same of tests/fidelity/loads.cu, with the counters of shared loads and stores: FOLDER/loads.csv
    fidelity.py shapes PROGRAM FOLDER NCU
        the same of tests/fidelity/shapes.cu, with requests of global loads and stores: FOLDER/shapes.csv, where
        the simulator's own numbers, which tests/sim/shapes.cu expects, stand before the card's
    fidelity.py compare HARDWARE.csv AGAIN.csv SIMULATED.csv
        prints a table of every number of the simulator that is neither of the two of the hardware, whose
        two runs differ by noise, and a line of totals on standard error

Needs a GPU for all but the last, and no network.
"""
import csv
import os
import re
import shutil
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

SIMCC = "common/sim/simcc"
KERNELS = "tests/fidelity/kernels.cu"
COUNTED = "docs/results/h200/fidelity.csv"  # whose columns others have, too
IN_GLOBAL = [f"l1tex__t_requests_pipe_lsu_mem_global_op_{what}.sum" for what in ("st", "ld")]
ATOMICS = ["smsp__inst_executed_op_shared_atom.sum",
           "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
           "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
           "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
           "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
           "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
           "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
           "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
           "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"]
IN_SHARED = ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
             "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
             "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
             "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"]
MOST_SECONDS = 120  # of one program under Nsight Compute
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


def count(ncu, columns, command, out, *more, environment=None):
    """Runs a program under ncu, which prints CSV into a file. Returns rows: rows_of. Whatever is left
    of it after two minutes is ended."""
    with open(out, "w") as file, subprocess.Popen(
            [ncu, "--clock-control", "none", *more, "--csv", "--metrics", ",".join(columns[SHAPE:]),
             *command], stdout=file, stdin=subprocess.DEVNULL, start_new_session=True,
            env={**os.environ, **(environment or {})}) as session:
        try:
            status = session.wait(timeout=MOST_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(session.pid, signal.SIGKILL)
            raise
    if status != 0:
        raise subprocess.CalledProcessError(status, str(command[0]))
    with open(out, newline="") as file:
        return rows_of(file, columns)


def rows_of(lines, columns):
    """From ncu's line for each metric of a launch to one row a launch, as SIM_PROFILE has it."""
    launches = {}
    for field in csv.reader(line for line in lines if line[:1] == '"' and line[1:2].isdigit()):
        kernel = re.sub("[(<].*|^void ", "", field[4])
        shape = [part.strip("( )") for text in (field[8], field[7]) for part in text.split(",")]
        launch = launches.setdefault(field[0], ([kernel, *shape], {}))
        launch[1][field[-3]] = field[-1].replace(",", "")
    return [[*begin, *(value.get(name, "") for name in columns[SHAPE:])]
            for begin, value in launches.values()]


def write(path, columns, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([columns, *rows])


def made(folder):
    """The folder, which is there afterwards."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def kernels(program, folder, ncu):
    ncu, folder = find(ncu), made(folder)
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
SIZES_OF = {72: (300, 1000, 3000), 73: (500, 4000, 23178)}  # points whose pairs are counted; atoms
ALIGNED = (73,)  # whose arrays lie behind each other, as they have to be aligned


def cells_of(number, keyed):
    """What the program cells is asked for."""
    if not keyed:
        return [f"TEXT={text} SIZE=1M" for text in TEXTS]
    if number >= 40:
        return [f"SIZE={length} SHIFT={shift}" for length in SIZES_OF.get(number, LENGTHS)
                for shift in ((0,) if number in ALIGNED else (0, 1))]
    return [f"KEYS={keys} KEY_BINS={bins} SIZE=256K"
            for bins in NUMBERS_OF_BINS.get(number, FEW) for keys in KEYS]


class Kernel:
    """A chapter's kernel, as one program has it: what the path says, .../21_name/argmax/cells or 05_name/26/cells."""

    def __init__(self, program):
        self.program = Path(program)
        stem, variant = self.program.parts[-3:-1]
        self.number, self.name = int(stem.split("_")[0]), stem.split("_", 1)[1]
        self.keyed = not variant.isdigit()
        self.called = f"{self.number:02}-{variant}"
        self.cells = cells_of(self.number, self.keyed)
        self.environment = {"OPERATIONS": variant if self.keyed else "", "NUM_BINS": "" if self.keyed else variant}

    def command(self, out):
        """Runs all of its cells; `out` gets a line for each."""
        return [self.program, out, str(self.number), self.name, *self.cells]


def by_cell(rows):
    """The launches after each launch of `cell`, which stands before each cell of a program."""
    cells = []
    for row in rows:
        if row[0] == "cell":
            cells.append([])
        elif cells:
            cells[-1].append(row)
    return cells


def sum_of(launches, columns):
    """What was counted of a cell's launches, summed up."""
    return [str(sum(int(float(row[SHAPE + i])) for row in launches))
            for i in range(len(columns) - SHAPE)]


def chapters(ncu, folder, *programs):
    """One after the other; what one has counted is in the files before the next begins."""
    ncu, folder = find(ncu), made(folder)
    columns = columns_of(COUNTED)
    with open(folder / "counters.csv", "w") as counters, \
            open(folder / "launches.csv", "w") as launches:
        totals, singles = (csv.writer(file, lineterminator="\n") for file in (counters, launches))
        totals.writerow(["chapter", "name", "operation", "bins", "input", "length", "shift",
                         "correct", "launches", *columns[SHAPE:]])
        singles.writerow(["program", "cell", *columns])
        for program in programs:
            kernel = Kernel(program)
            cells, ran = count_kernel(ncu, folder, columns, kernel)
            totals.writerows([*row, len(one), *sum_of(one, columns)]
                             for row, one in zip(ran, cells))
            singles.writerows([kernel.called, i, *row]
                              for i, one in enumerate(cells) for row in one)
            counters.flush()
            launches.flush()


def count_kernel(ncu, folder, columns, kernel):
    """(launches of each cell, what the program says of each cell); as far as it came."""
    out, ran = folder / f"{kernel.called}.csv", []
    try:
        counted = count(ncu, columns, kernel.command(out), folder / f"{kernel.called}.ncu",
                        "--cache-control", "none", environment=kernel.environment)
        _, ran = read(out)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        print(f"{kernel.called}: {error}", file=sys.stderr, flush=True)
        return [], []
    cells = by_cell(counted)
    if not len(cells) == len(ran) == len(kernel.cells):
        print(f"{kernel.called}: {len(kernel.cells)} cells, {len(ran)} ran, {len(cells)} counted",
              file=sys.stderr, flush=True)
    return cells, ran


# Programs that list their launches themselves: for each part of one a file's name and the program's arguments, and what
# is counted.
REQUESTS = {"patterns": ((("patterns", ()), ("patterns-again", ("contended",))), ATOMICS),
            "updates": ((("updates", ()),), ATOMICS), "loads": ((("loads", ()),), IN_SHARED),
            "shapes": ((("shapes", ()),), IN_GLOBAL)}


def count_requests(parts, counters, program, folder, ncu):
    """Each line of the program's own list, with the counters of that launch behind it."""
    ncu, folder = find(ncu), made(folder)
    shape = columns_of(COUNTED)[:SHAPE]
    for name, part in parts:
        listed = folder / f"{name}.list"
        counted = count(ncu, [*shape, *counters], [program, str(listed), *part],
                        folder / f"{name}.ncu")
        columns, launches = read(listed)
        wrong = [launch for launch, row in zip(launches, counted) if launch[1] != row[0]]
        if wrong or len(launches) != len(counted):
            sys.exit(f"fidelity: {len(launches)} launches, and {len(counted)} counted")
        write(folder / f"{name}.csv", [*columns, *counters],
              [[*launch, *row[SHAPE:]] for launch, row in zip(launches, counted)])
        print(f"{len(launches)} launches are in {folder / name}.csv")


def aggregates(program, folder, ncu):
    ncu, folder = find(ncu), made(folder)
    columns = columns_of(COUNTED)
    write(folder / "aggregates.csv", columns,
          count(ncu, columns, [program], folder / "aggregates.ncu"))


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
    csv.writer(sys.stdout, lineterminator="\n").writerows([["kernel", "counter", "h200", "simulated"], *found])
    print(f"{compared} numbers compared, {compared - len(found)} equal, {len(found)} differ", file=sys.stderr)


def main(arguments):
    todo = {"kernels": kernels, "chapters": chapters, "aggregates": aggregates, "compare": compare, **{
        name: partial(count_requests, *how) for name, how in REQUESTS.items()}}.get(arguments[0] if arguments else "")
    if not todo or len(arguments) < 4:
        sys.exit(__doc__)
    try:
        todo(*arguments[1:])
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"fidelity: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
