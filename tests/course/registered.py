#!/usr/bin/env python3
"""registered.py - build/register finds by how much a picture is moved.

Twenty pictures are drawn from a seed. The second of each pair is moved by up to a quarter of its side, and inverted,
with another gamma, blurred, and with noise of sigma 12. At least 19 have to be found within half a pixel, each in ten
seconds of computing at most. A second marginal that is summed by the first one's parts is planted, and shows in
the bits. Other kinds of files, and what is refused, are in tests/transcripts/programs/register.txt.

Depends on: common/programs/*.c common/programs/register/* common/pictures/* common/make/program.mk common/course/util.c solutions/71_joint_histogram/*
"""
import ctypes
import math
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

SIDE, CASES, FOUND, NEAR, SECONDS, SIGMA = 256, 20, 19, 0.5, 10, 12
PROGRAM = "build/register"
SHIFT = re.compile(r"shift: (\S+) pixels to the right, (\S+) down\n"
                   r"mutual information: (\S+) bits before, (\S+) after; \d+ trials\n")


def scene(draw, side):
    """Spots with soft and with sharp edges, as rows of numbers from 0 to 1."""
    rows = [[0.0] * side for _ in range(side)]
    for _ in range(60):
        x, y, radius = draw.random() * side, draw.random() * side, side * (0.01 + 0.06 * draw.random())
        height, sharp = draw.random() * 2 - 0.6, draw.random() < 0.4
        reach = radius if sharp else 3 * radius
        for v in range(max(0, int(y - reach)), min(side, int(y + reach) + 1)):
            row = rows[v]
            for u in range(max(0, int(x - reach)), min(side, int(x + reach) + 1)):
                square = ((u - x) ** 2 + (v - y) ** 2) / radius ** 2
                if sharp and square < 1:
                    row[u] = 0.3 * row[u] + 0.7 * height
                elif not sharp and square < 9:
                    row[u] += height * math.exp(-square / 2)
    least, most = min(map(min, rows)), max(map(max, rows))
    return [[(value - least) / (most - least) for value in row] for row in rows]


def seen_otherwise(rows, draw, inverted):
    """As another machine sees it: another gamma, blurred, noisy."""
    gamma, side = 0.5 + 1.5 * draw.random(), len(rows)
    bent = [[(1 - value if inverted else value) ** gamma for value in row] for row in rows]
    wide = [[(row[max(x - 1, 0)] + row[x] + row[min(x + 1, side - 1)]) / 3 for x in range(side)] for row in bent]
    blurred = [[(a + b + c) / 3 for a, b, c in zip(wide[max(y - 1, 0)], wide[y], wide[min(y + 1, side - 1)])]
               for y in range(side)]
    return [[min(1, max(0, value + draw.gauss(0, SIGMA) / 255)) for value in row] for row in blurred]


def write(path, rows):
    path.write_bytes(f"P5\n{len(rows[0])} {len(rows)}\n255\n".encode() +
                     bytes(round(value * 255) for row in rows for value in row))


def register(*words):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, errors="replace")


def shift_of(*words):
    """(right, down, bits before, bits after), or None."""
    found = SHIFT.fullmatch(register(*words).stdout)
    return tuple(map(float, found.groups())) if found else None


def draw_case(number, folder):
    """Two files, and the shift that is right."""
    draw = random.Random(number)
    whole, quarter = scene(draw, SIDE * 3 // 2), SIDE // 4
    right, down = draw.randint(-quarter, quarter), draw.randint(-quarter, quarter)
    cut = [[row[quarter - dx:quarter - dx + SIDE] for row in whole[quarter - dy:quarter - dy + SIDE]]
           for dx, dy in ((0, 0), (right, down))]
    write(folder / "fixed.pgm", cut[0])
    write(folder / "moving.pgm", seen_otherwise(cut[1], draw, number % 4 > 0))
    return right, down


def computed():
    """Seconds that programs have computed: a busy machine does not change them, and `register` has one thread."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def check_cases(folder):
    found, slowest, missed = 0, 0, []
    for number in range(CASES):
        right, down = draw_case(number, folder)
        begun = computed()
        output = shift_of(folder / "fixed.pgm", folder / "moving.pgm")
        slowest = max(slowest, computed() - begun)
        if output and max(abs(output[0] - right), abs(output[1] - down)) <= NEAR:
            found += 1
        else:
            missed.append(f"({right}, {down}) as {output}")
    yield found >= FOUND, f"{found} of {CASES} shifts are found within half a pixel {' '.join(missed)}"
    yield slowest <= SECONDS, f"{SIDE} x {SIDE} pixels take {SECONDS} seconds at most, and took {slowest:.1f}"


def bits_of(source, folder):
    """mutual_information() of a text of align.c, for bins that are independent, and for two values that tell all."""
    (folder / "align.c").write_text(source)
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-Icommon/programs/register", "-Icommon/kernel", "-o",
                    folder / "align.so", folder / "align.c", "-lm"], check=True)
    library = ctypes.CDLL(str(folder / "align.so"))
    library.mutual_information.restype = ctypes.c_double
    return [library.mutual_information((ctypes.c_float * 4)(*bins), ctypes.c_size_t(2), ctypes.c_size_t(2))
            for bins in ((1, 3, 3, 9), (1, 3, 1, 3), (4, 0, 0, 4))]


def check_bits(folder):
    """The planted mistake of a published program: the second marginal is summed by the first one's parts."""
    source = Path("common/programs/register/align.c").read_text()
    right, wrong = "rows[i / x_bins] +=", "rows[i % x_bins] +="
    for text, fits in ((source, True), (source.replace(right, wrong), False)):
        (folder / str(fits)).mkdir()
        bits = bits_of(text, folder / str(fits))
        near = all(abs(one - other) < 1e-6 for one, other in zip(bits, (0, 0, 1)))
        yield near == fits and right in source, f"bins tell 0, 0 and 1 bits: {bits if fits else 'not the planted ones'}"


def check_aligned(folder):
    draw_case(1, folder)
    fixed, moving, aligned = folder / "fixed.pgm", folder / "moving.pgm", folder / "aligned.pgm"
    values = moving.read_bytes()[-SIDE * SIDE:]
    write(folder / "two.pgm", [[float(values[y * SIDE + x] > 127) for x in range(SIDE)] for y in range(SIDE)])
    bits = shift_of(fixed, folder / "two.pgm")
    yield bits and 0 < bits[3] <= 1, f"a picture of two values tells one bit at most: {bits and bits[3]}"
    register("-o", aligned, fixed, moving)
    again = shift_of(fixed, aligned)
    yield again and max(abs(again[0]), abs(again[1])) <= 2 * NEAR, f"the aligned picture is moved by nothing: {again}"


def main():
    subprocess.run(["make", "register"], check=True, stdout=subprocess.DEVNULL)
    failed = False
    for check in (check_bits, check_cases, check_aligned):
        with tempfile.TemporaryDirectory() as folder:
            for fine, what in check(Path(folder)):
                failed |= not fine
                print("ok" if fine else "FAIL", f"register: {what}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
