"""warp.py - draws what one warp asks of the memory, from the simulator's own trace.

    warp.py [05_privatized_global...]        in the root of the course; without a name all that there are

Has make link picture.c with each solution, which then counts a sentence, repeated to LENGTH characters.
docs/pictures/NAME.svg shows which bytes the warp's loads touch, and its first and last requests, lane
by lane. Plain C has no warp: its picture shows the characters, their bins, and what the bins count. The text
equivalent of the picture stands in it as <desc>, and is printed, for the lesson.
"""
import os
import subprocess
import sys
import tempfile
from collections import Counter, namedtuple
from pathlib import Path

LENGTH, SECTOR, BANKS, BINS = 4096, 32, 32, 5
PROGRAMS = f"{os.environ.get('BUILD', 'build/sim-gcc')}/solutions"
STYLE = "docs/pictures/style.css"
# Its length shares no factor with 32, so lanes do not all read the same character.
SENTENCE = (b"many hands make light work, and many threads make a histogram; but "
            b"two of them must not add to one bin at the same moment. ")
ARRAYS = TEXT, BINS_ARRAY, COPIES, SHARED = range(4)
ARRAY_NAMES = "text", "bins", "private bins", "shared bins"
WIDTH, LEFT, HEAD, TOP = 540, 10, 28, 20  # narrow, so that its letters can be read on a telephone
LANE, MAP_ROW, GAP = 16, 14, 28
FIRST, LAST, REQUEST, LEFT_OUT = 5, 3, 36, 22  # requests that are drawn; heights of one, and of what stands for many

# A request: lanes has {lane: address}, array what it goes to.
Request = namedtuple("Request", "what space cost bytes variable lanes array")
Reader = namedtuple("Reader", "load lane bytes")  # what reads a byte first; load 0: nothing does


class Trace:
    """What the program told."""

    def __init__(self, program, text):
        self.text = text
        with tempfile.NamedTemporaryFile() as file:
            file.write(text)
            file.flush()
            note = subprocess.run([program, file.name], check=True, text=True,
                                  stdout=subprocess.PIPE).stdout
        lines = [line.split() for line in note.splitlines()]
        rest = {words[0]: [int(word) for word in words[1:]] for words in lines
                if words[0] != "request"}
        self.bins, self.table = rest["bins"], rest["table"] == [1]
        self.text_at, self.bins_at, self.copies_at, self.shared_at = rest["addresses"]
        self.requests = [self.request(words) for words in lines if words[0] == "request"]

    def request(self, words):
        lanes = {lane: int(word) for lane, word in enumerate(words[6:]) if word != "-"}
        first = next(iter(lanes.values()))
        array = (SHARED if words[2] == "shared" else
                 TEXT if 0 <= first - self.text_at < len(self.text) else
                 BINS_ARRAY if 0 <= first - self.bins_at < 4 * BINS else COPIES)
        return Request(words[1], words[2], int(words[3]), int(words[4]), words[5], lanes, array)

    def loads(self):
        """The requests that load the text."""
        return [request for request in self.requests if request.array == TEXT]

    def reader_of(self, at):
        for number, load in enumerate(self.loads(), 1):
            for lane, address in load.lanes.items():
                if 0 <= self.text_at + at - address < load.bytes:
                    return Reader(number, lane, load.bytes)
        return Reader(0, 0, 1)

    def map_rows(self):
        """How many sectors at the beginning of the text the map shows: up to the first two loads."""
        return max([1] + [at // SECTOR + 1 for at in range(16 * SECTOR)
                          if self.reader_of(at).load in (1, 2)])

    def is_wide(self):
        return self.reader_of(0).bytes > 1

    def has_map(self):
        """Whether the map is worth its place: not where a kernel that has more to show, copies of the bins
        or a table of them, reads as the simpler ones do, byte after byte or word after word."""
        copies = any(request.array >= COPIES for request in self.requests)
        return not copies or (not self.table if self.is_wide() else self.reader_of(1).load != 1)

    def words(self, name):
        """The picture in words."""
        note = f"{name}, on a text of {len(self.text)} characters. "
        if not self.loads():
            return note + "One loop reads the characters in order and adds one to the bin of each."
        cost, atomics = self.loads()[0].cost, [r for r in self.requests if r.what == "add"]
        return note + (
            f"The first load of the first warp is one request and touches {many(cost, 'sector')} of 32 "
            f"bytes. In all the warp makes {len(self.requests)} requests, {len(atomics)} of them "
            f"atomics; up to {max(map(on_one_address, atomics), default=0)} of its lanes want one "
            "address.")


def many(number, what):
    return f"{number} {what}{'' if number == 1 else 'es' if what.endswith('s') else 's'}"


def on_one_address(request):
    return max(Counter(request.lanes.values()).values())


def bank(address):
    return address // 4 % BANKS


def in_one_bank(request):
    return max(Counter(map(bank, request.lanes.values())).values())


def words_at(x, y, words, kind="note"):
    return f"<text class='{kind}' x='{x}' y='{y}'>{words}</text>\n"


def cell(x, y, width, height, kind, words):
    """A cell of the picture; `kind` colors it, `words` stand in its middle."""
    drawn = f"<rect class='{kind}' x='{x}' y='{y}' width='{width}' height='{height}'/>\n"
    two_digits = words.isdigit() and len(words) > 1  # which would touch those of the next cell
    size = "tiny" if not kind else "cell tiny" if width < 16 or two_digits else "cell"
    return drawn + (words_at(x + width // 2, y + height // 2 + 4, words, size) if words else "")


def printable(character):
    """A character as it can stand in an SVG; what cannot be seen is a dot in the middle."""
    return f"&#{character if 32 < character < 127 else 183};"


def color_of(character):
    """The color of a character's bin; none when it is not counted."""
    return f"b{(character - 97) // 6}" if 97 <= character <= 122 else ""


def letters_of(number):
    return f"{97 + 6 * number:c} to {min(102 + 6 * number, 122):c}"


def draw_bins(trace, x, y):
    """The bins: color, letters, and a bar as long as the count."""
    drawn, most = words_at(x, y, "The bins, and what they count in the end"), max(1, *trace.bins)
    for number, count in enumerate(trace.bins):
        top, bar = y + 8 + number * 20, count * 110 // most
        drawn += (cell(x, top, 16, 16, f"b{number}", str(number)) +
                  words_at(x + 24, top + 12, letters_of(number)) +
                  cell(x + 70, top, bar, 16, f"b{number}", "") +
                  words_at(x + 76 + bar, top + 12, count))
    return drawn


def draw_legend(x, y):
    """The colors of the bins, in one row."""
    return "".join(cell(x + 100 * number, y, 16, 16, f"b{number}", str(number)) +
                   words_at(x + 24 + 100 * number, y + 12, letters_of(number)) for number in range(BINS))


def draw_map(trace, x, y):
    """The beginning of the text, a row for each sector."""
    width, height = 14, MAP_ROW
    drawn = words_at(x, y, "The text: a row is a sector of 32 bytes; " + (
        "which load reads it, for which lane" if trace.is_wide() else
        "a number is the load that reads it"))
    for row in range(trace.map_rows()):
        drawn += words_at(x + 30, y + 19 + row * height, row * SECTOR, "note right")
        column = 0
        while column < SECTOR:
            load, lane, size = trace.reader_of(row * SECTOR + column)
            words = f"{load}, lane {lane}" if size > 1 else f"{load}"
            drawn += cell(x + 36 + column * width, y + 8 + row * height, size * width, height,
                          {1: "first", 2: "second"}.get(load, ""), words if load else "")
            column += size
    return drawn


def draw_lane(trace, request, lane, x, y):
    """What a lane does in a request: the first character that it loads, or the bin it uses, or the bank
    where there is more in shared memory than bins."""
    kind, words, address = "idle", "", request.lanes.get(lane)
    if address is not None and request.array == TEXT:
        character = trace.text[address - trace.text_at]
        kind, words = color_of(character), printable(character)
    elif address is not None and request.array == SHARED and trace.table:
        kind, words = "second", bank(address)
    elif address is not None:
        base = {BINS_ARRAY: trace.bins_at, SHARED: trace.shared_at}.get(request.array,
                                                                        trace.copies_at)
        words = (address - base) // 4 % BINS
        kind = f"b{words}"
    return cell(x + lane * LANE, y, LANE, LANE, kind, str(words))


def draw_request(trace, number, y):
    request = trace.requests[number]
    table = request.array == SHARED and trace.table
    name = ARRAY_NAMES[request.array] if request.array != SHARED or request.variable == "-" else (
        request.variable.replace("_", " "))
    does = "add to" if request.what == "add" else request.what
    note = many(request.cost, "wavefront" if request.space == "shared" else
                "pass" if request.what == "add" else "sector")
    if request.what == "add":
        most = in_one_bank(request) if table else on_one_address(request)
        note += f", {many(most, 'lane')} in a bank" if table else f", {most} on one bin"
    lanes = "".join(draw_lane(trace, request, lane, LEFT, y + 16) for lane in range(32))
    return (words_at(LEFT, y + 12, f"{number + 1}. {does} {name}") + lanes +
            words_at(LEFT + 32 * LANE, y + 12, note, "note right"))


def first_drawn(trace):
    """How many of the first requests are drawn: three more where lanes read again, so that one sees them become fewer."""
    if len(trace.requests) <= FIRST:
        return FIRST
    read, again = trace.requests[FIRST - 1:FIRST + 1]
    are_alike = all((one.what, one.array) == ("load", SHARED) for one in (read, again))
    return FIRST + 3 if are_alike and set(again.lanes) < set(read.lanes) else FIRST


def rows_of_requests(trace):
    """What is drawn, row by row: the number of a request, or what stands for those that are left out. A
    table is zeroed in many that are alike; else the first and the last are drawn."""
    count, first = len(trace.requests), first_drawn(trace)
    zeroing = next((i for i, request in enumerate(trace.requests) if request.what != "store"), count)
    stores = zeroing - 1 if trace.table and zeroing > 2 else 0
    rows = list(range(count))
    if stores:
        rows[1:1 + stores] = [f"{stores} more like it"]
    if count - stores > first + LAST + 1:
        rows[first + (stores > 0):-LAST] = [f"{count - LAST - first - stores} more requests"]
    return rows


def draw_requests(trace, y):
    drawn = words_at(LEFT, y, "The requests of the first warp; the columns are its 32 lanes.") + words_at(
        LEFT, y + 18, f"Letters: {'the first that' if trace.is_wide() else 'what'} a lane loads, a dot for a "
        f"blank. Digits: the {'bank' if trace.table else 'bin'}.")
    top = y + 26
    for row in rows_of_requests(trace):
        is_request = isinstance(row, int)
        drawn += draw_request(trace, row, top) if is_request else words_at(LEFT, top + 14, f"... {row} ...")
        top += REQUEST if is_request else LEFT_OUT
    return drawn, top


def draw_characters(trace, x, y):
    """Without a kernel: rows of characters in the order in which the loop reads them."""
    size = 16
    return words_at(x, y, "The text, read from left to right, each character in its bin's color") + "".join(
        cell(x + i % SECTOR * size, y + 8 + i // SECTOR * (size + 2), size, size,
             color_of(character), printable(character))
        for i, character in enumerate(trace.text[:6 * SECTOR]))


def draw_text(trace):
    """What plain C does with the text, and how high that is."""
    bins_at = TOP + 6 * 18 + GAP + 8
    return draw_characters(trace, LEFT, TOP) + draw_bins(trace, LEFT, bins_at), bins_at + 8 + 20 * BINS


def draw_warp(trace):
    """What a warp asks for, and how high that is."""
    legend_at, drawn = TOP - 12, ""
    if trace.has_map():
        drawn, legend_at = draw_map(trace, LEFT, TOP), TOP + 8 + MAP_ROW * trace.map_rows() + 12
    requests, height = draw_requests(trace, legend_at + 16 + GAP)
    return drawn + draw_legend(LEFT, legend_at) + requests, height


def picture(trace, name):
    """It as SVG, with the words as its <desc>."""
    drawn, height = draw_warp(trace) if trace.requests else draw_text(trace)
    number, _, words = name.partition("_")
    title = (f"Chapter {int(number)}, {words.replace('_', ' ')}: "
             + ("the requests of one warp" if trace.requests else "the text, and its bins"))
    return (f"<svg xmlns='http://www.w3.org/2000/svg' class='ladder' role='img' "
            f"viewBox='0 {-HEAD} {WIDTH} {height + HEAD}' width='{WIDTH}' height='{height + HEAD}'>\n"
            f"<title>{title}</title>\n<desc>{trace.words(name)}</desc>\n"
            f"<style>\n{Path(STYLE).read_text()}</style>\n{words_at(LEFT, -8, title, 'title')}{drawn}</svg>\n")


def draw(name):
    """Draws the picture of the chapter's solution."""
    trace = Trace(f"{PROGRAMS}/{name}/5/picture", (SENTENCE * (LENGTH // len(SENTENCE) + 1))[:LENGTH])
    out = Path("docs/pictures", f"{name}.svg")
    out.write_text(picture(trace, name))
    print(f"{out}: {trace.words(name)}")


if __name__ == "__main__":
    drawn_before = (path.stem for path in Path("docs/pictures").glob("[01][0-9]_*.svg"))
    chapters = sys.argv[1:] or sorted(name for name in drawn_before if Path("solutions", name).is_dir())
    subprocess.run([os.environ.get("MAKE", "make"), *(f"{PROGRAMS}/{name}/5/picture" for name in chapters)], check=True)
    for chapter in chapters:
        draw(chapter)
