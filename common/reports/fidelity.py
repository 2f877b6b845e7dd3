"""fidelity.py - the simulator's counters beside those of Nsight Compute (ncu): make gpu fidelity.

    fidelity.py kernels PROGRAM FOLDER NCU
        counts PROGRAM, which is tests/fidelity/kernels.cu, on the GPU, twice, and on the
        simulator, and lays the numbers side by side in FOLDER
    fidelity.py chapters NCU COUNTERS.csv TIMES LIBRARY...
        counts the chapters' kernels; a LIBRARY is build/.../solution-5/NN_name/kernel.so, TIMES the
        program before each of them that runs it: common/bench/gpu/times.c; it counts
        1 MiB of English text. Prints CSV with the columns of COUNTERS.csv
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


def count(ncu, columns, command, out):
    """Runs a program under ncu, which prints CSV into a file. Returns rows: rows_of."""
    with open(out, "w") as file:
        subprocess.run([ncu, "--clock-control", "none", "--csv", "--metrics",
                        ",".join(columns[SHAPE:]), *command], stdout=file, check=True)
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


def chapters(ncu, counters, *pairs):
    ncu, columns = find(ncu), columns_of(counters)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(columns)
    for program, library in zip(pairs[::2], pairs[1::2]):
        folder = Path(library).parent
        number, _, name = folder.name.partition("_")
        bins = folder.parent.name.rpartition("-")[2]
        once = [program, "once", library, "--", "1M:english"]
        for row in count(ncu, columns, once, library + ".ncu"):
            out.writerow([int(number), name, bins, "english", 1048576, row[1], row[4],
                          *row[SHAPE:]])


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
            "updates": updates, "compare": compare}.get(arguments[0] if arguments else "")
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
