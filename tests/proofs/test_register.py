"""test_register.py - build/register finds by how much pictures are moved.

Pictures are drawn from a seed. The second of each pair is moved by up to a quarter of its side, is inverted or not, and
has another gamma, blur, and noise of sigma 12, as of another machine.
"""
import math
import random
import re
import subprocess

import pytest

from kernels import make

SIDE, NEAR, SIGMA = 128, 0.5, 12
SHIFT = re.compile(r"shift: (\S+) pixels to the right, (\S+) down\n")


@pytest.fixture(scope="module")
def register():
    make("register")

    def shift_of(*words):
        said = subprocess.run(["build/register", *map(str, words)], check=True, capture_output=True, text=True).stdout
        return tuple(map(float, SHIFT.match(said).groups()))
    return shift_of


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


@pytest.mark.parametrize("number", range(4))
def test_a_moved_picture_is_found_within_half_a_pixel(number, tmp_path, register):
    draw, quarter = random.Random(number), SIDE // 4
    whole = scene(draw, SIDE * 3 // 2)
    right, down = draw.randint(-quarter, quarter), draw.randint(-quarter, quarter)
    cut = [[row[quarter - dx:quarter - dx + SIDE] for row in whole[quarter - dy:quarter - dy + SIDE]]
           for dx, dy in ((0, 0), (right, down))]
    write(tmp_path / "fixed.pgm", cut[0])
    write(tmp_path / "moving.pgm", seen_otherwise(cut[1], draw, number % 4 > 0))
    found = register(tmp_path / "fixed.pgm", tmp_path / "moving.pgm")
    assert max(abs(found[0] - right), abs(found[1] - down)) <= NEAR
