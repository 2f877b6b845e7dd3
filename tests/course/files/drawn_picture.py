"""drawn_picture.py - pictures for the programs that read some, and what is true of one that was painted.

    drawn_picture.py draw KIND MAXVAL WIDTH HEIGHT COLORS     to standard output
    drawn_picture.py compare ORIGINAL PAINTED                 raw PPM, both

KIND is P1 to P6. The pixels are of so many different colors, in spots; with 0 colors each pixel is another one, as
in a photograph. A picture of 16 bits has the same colors as one of 8. `compare` prints whether each color of the
painted picture is the mean of the pixels that have it, how many there are, and the error as the program tells it."""
import collections
import math
import sys


def color(kind, x, y, width, colors):
    """Three samples from 0 to 255; grey and black have one."""
    if colors:
        spot = (x * 7 // width + 3 * (y // 3)) % colors
        rgb = (spot * 37 % 256, spot * 101 % 256, spot * 211 % 256)
    else:
        rgb = ((x * x + 3 * y) % 256, (5 * x + y * y) % 256, (x * y + 11 * y) % 256)
    if kind in ("P1", "P4"):
        return (255 * (rgb[0] % 2),)
    return rgb if kind in ("P3", "P6") else rgb[:1]


def draw(kind, maxval, width, height, colors):
    maxval, width, height, colors = map(int, (maxval, width, height, colors))
    samples = [sample * maxval // 255 for y in range(height) for x in range(width)
               for sample in color(kind, x, y, width, colors)]
    depth = b"" if kind in ("P1", "P4") else b"%d\n" % maxval
    out = sys.stdout.buffer
    out.write(b"%s\n# drawn\n%d %d\n%s" % (kind.encode(), width, height, depth))
    if kind == "P4":
        for y in range(height):
            bits = "".join("1" if sample == 0 else "0" for sample in samples[y * width:(y + 1) * width])
            out.write(int(bits.ljust((width + 7) // 8 * 8, "0"), 2).to_bytes((width + 7) // 8, "big"))
    elif kind in ("P1", "P2", "P3"):
        values = [1 - sample for sample in samples] if kind == "P1" else samples
        out.write(" \t\n".join(map(str, values)).encode() + b"\n")
    else:
        out.write(b"".join(sample.to_bytes(2 if maxval > 255 else 1, "big") for sample in samples))


def pixels(path):
    with open(path, "rb") as file:
        data = file.read()
    words = [word for line in data[:64].split(b"\n") if not line.startswith(b"#") for word in line.split()]
    size = int(words[1]) * int(words[2]) * 3
    raster = data[-size:]
    return [tuple(raster[i:i + 3]) for i in range(0, size, 3)]


def compare(original, painted):
    groups, squares = collections.defaultdict(list), 0
    for before, after in zip(pixels(original), pixels(painted)):
        groups[after].append(before)
        squares += sum((one - other) ** 2 for one, other in zip(before, after))
    # Half a level is the rounding; two groups of one color in print have a mean between theirs.
    wrong = [after for after, members in groups.items()
             if max(abs(sum(channel) / len(members) - value) for channel, value in zip(zip(*members), after)) > 0.5001]
    print(f"{len(groups)} colors, {len(wrong)} of them no mean, "
          f"error {math.sqrt(squares / 3 / sum(map(len, groups.values()))):.2f}")


if __name__ == "__main__":
    {"draw": draw, "compare": compare}[sys.argv[1]](*sys.argv[2:])
