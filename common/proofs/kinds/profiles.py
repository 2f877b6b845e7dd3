"""profiles.py - proves that what reads ncu's CSV reads that of make profile FORMAT=ncu-csv.

The reader is the course's own, which has read what ncu printed on an H200: common/reports.
"""
import csv
import subprocess
import sys
from functools import partial
from pathlib import Path

import course
from proof import Proof, Target

PROFILE = Target("solution", 5, f"{course.BUILD}/tools/ladder")
LAUNCHES = f"{course.BUILD}/profile-launches.csv"
READER = "common/reports/fidelity.py"


def counted():
    """Rows of launches as the simulator writes them, for the counters that the hardware has shown."""
    with open("docs/results/h200/fidelity-simulated.csv", newline="") as file:
        return list(csv.reader(file))[:20]


def prove():
    sys.path.insert(0, str(Path(READER).parent))
    import fidelity  # pylint: disable=import-outside-toplevel
    rows = counted()
    Path(LAUNCHES).write_text("".join(",".join(row) + "\n" for row in rows))
    said = subprocess.run([PROFILE.path, "profile", "ncu-csv", LAUNCHES], text=True, capture_output=True,
                          check=True).stdout
    read = fidelity.rows_of(said.splitlines(True), rows[0])
    wrong = [f"FAIL profile: {READER} reads {got} where {row} was counted"
             for got, row in zip(read, rows[1:]) if got != row]
    if len(read) != len(rows) - 1:
        wrong.append(f"FAIL profile: {READER} reads {len(read)} launches of {len(rows) - 1}")
    return wrong or [f"ok what reads ncu's CSV reads {len(read)} launches of FORMAT=ncu-csv"]


def proofs():
    return [Proof("profiles", "ncu-csv", partial(prove), builds=(PROFILE,),
                  reads=(READER, "docs/results/h200/fidelity-simulated.csv"))]
