"""edit_to_verdict.py - how long a student waits: from a saved kernel to its verdict.

    edit_to_verdict.py OUT.csv

Each chapter's solution is put into a folder of its own, edited (a comment is added at its end), and
judged by `make chapterN test`, with everything but the kernel built before: three edits for each number
of bins. Prints the median in seconds, with the fastest and the slowest, and writes all of them to
OUT.csv. A chapter that refuses a number of bins has a dash.
"""
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

EDITS = 3
BINS = (5, 26, 256)
EDITED = Path("build/edited")


def is_judged_right(chapter, bins):
    """Runs the command as a student would, outside of the make that started this program."""
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    command = ["make", f"chapter{chapter}", "test", f"BINS={bins}", f"CHAPTERS={EDITED}"]
    return subprocess.run(command, env=environment, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def seconds_of_edits(kernel, chapter, bins):
    """Fastest, median and slowest; None when the chapter is not judged right."""
    seconds = []
    if not is_judged_right(chapter, bins):  # the first builds what all need
        return None
    for edit in range(EDITS):
        with open(kernel, "a") as file:
            file.write(f"// {bins} bins, edit {edit + 1}\n")
        begun = time.monotonic()
        if not is_judged_right(chapter, bins):
            return None
        seconds.append(time.monotonic() - begun)
    return sorted(seconds)


def main(out):
    with open(out, "w") as csv:
        csv.write("chapter,bins,edits,median_s,fastest_s,slowest_s\n")
        print(f"\nSeconds from a saved kernel to its verdict, median of {EDITS} (fastest, slowest)\n")
        print(f"{'':24}" + "".join(f"{bins:>18} bins" for bins in BINS))
        for solution in sorted(Path("solutions").glob("[0-9]*_*/*.c*")):
            stem, kernel = solution.parent.name, EDITED / solution.relative_to("solutions")
            kernel.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(solution, kernel)
            print(f"{stem:<24}", end="")
            for bins in BINS:
                seconds = seconds_of_edits(kernel, int(stem.partition("_")[0]), bins)
                if seconds:
                    fastest, median, slowest = seconds
                    csv.write(f"{stem},{bins},{EDITS},{median:.2f},{fastest:.2f},{slowest:.2f}\n")
                print(f"   {median:5.2f} ({fastest:5.2f}, {slowest:5.2f})" if seconds else f" {'-':>23}",
                      end="", flush=True)
            print()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: edit_to_verdict.py OUT.csv, which must be writable")
    main(sys.argv[1])
