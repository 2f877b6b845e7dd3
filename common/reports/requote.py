"""requote.py - puts the figures of a new measurement in the place of the old ones, in the lessons.

    python3 common/reports/requote.py [--renamed OLD=NEW[,NEW...]]... OLD NEW PAGE...

OLD and NEW are folders with the files of docs/results before and after: OLD/docs/results/h200/x.csv,
OLD/h200/x.csv or OLD/x.csv. In each table, list and paragraph of a PAGE below a line
`<!-- from docs/results/h200/x.csv -->` a figure that stands in a cell of OLD is replaced by that cell
of NEW, rounded alike: the same measured column of the row in which all else is the same. Rows and
columns that have another name now are told with --renamed; the first that there is counts.

A figure may stand in several cells. Those are left out that the row of the table, the head of the
column, or the words of the paragraph speak against: a row of `single` is no `english`, and "chapter 6"
no other chapter. What is still not clear then stays as it is, and is listed; so is a cell that is gone.
"""
import csv
import re
import sys
from collections import namedtuple
from functools import lru_cache
from pathlib import Path

MARK = re.compile(r"<!-- from ([^ ]+.*?) -->")
FIGURE = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?![\d_]|\.\d|[A-Za-z]|-[A-Za-z])")
NO_FIGURES = re.compile(r"`[^`]*`|(?<=\])\([^)]*\)|[Cc]hapters? \d+(?:(?:, | and | to )\d+)*"
                        r"|\d+ [KMG]iB|[\d,]+ (?:bins|characters|threads|blocks|bytes)")
MEASURED = re.compile(r"_ms$|_us$|_ns$|GB|percent|ratio|times_cub|slowest_over|\.sum|\.pct|\.avg"
                      r"|^median$|_atomics$|seconds|sectors|requests|wavefronts|stripe|votes")
ASIDE = re.compile(r"(^|_)(low|high)(_|$)")  # of a measurement, which lessons do not quote
IGNORED = ("correct", "runs", "queued", "worst_kind", "why", "unit", "gpu__time_duration.sum")
FEWEST_DIGITS = 3  # of a figure in a sentence: fewer may be anything
NUMBERED = re.compile(r"(\d+)_(\w+)")
ASSUMED = "chapter {}, english, 5 bins, a byte a load"  # what is not said

# By which words a table says what a row or a column of a file is.
ALSO_WORDS = ("runs", "bytes", "lower", "smooth", "sorted", "single")  # which a sentence may have, too
READING = ("only reading", "read only", "reading alone", "reads", "reading")
COLUMNS = {"GB_per_s": ("gb/s", "gigabytes"), "median_ms": ("ms", "milliseconds", "time"),
           "percent_of_roofline": ("percent", "%", "roofline"), "ratio_to_CUB": ("cub", "ratio"),
           "times_cub": ("cub",), "worst_ms": ("ms", "milliseconds"),
           "latency_ms": ("latency", "single call")}
FILES = {"/reading.csv": ("reading",), "/sim/": ("simulated",), "/h200/": ("h200", "measured"), "/nvcc13/": ("nvcc", "sass")}

# A cell: the file and its column, the row's keys as pairs, and what stands there before and after.
Cell = namedtuple("Cell", "file column keys old new")


class Cells:
    """The cells of the files below a mark, by what they say when they are rounded."""

    def __init__(self, cells):
        self.all, self.known, self.rounded = cells, {}, {}
        for cell in cells:
            for name, value in cell.keys:
                self.known.setdefault((cell.file, name), set()).add(value)

    def that_say(self, plain):
        digits = len(plain.partition(".")[2])
        if digits not in self.rounded:
            by_text = self.rounded[digits] = {}
            for cell in self.all:
                up = cell.old + "1" * ("." in cell.old)  # a half is rounded up, or to an even digit
                for text in {f"{float(cell.old):.{digits}f}", f"{float(up):.{digits}f}"}:
                    by_text.setdefault(text, []).append(cell)
        return self.rounded[digits].get(plain, [])

    def have_changed(self):
        return any(cell.old != cell.new for cell in self.all)


def find(folder, path):
    """The file of a mark in a folder, or None."""
    parts = Path(path).parts
    return next((place for start in range(len(parts))
                 if (place := Path(folder, *parts[start:])).is_file()), None)


def rows_of(path):
    """{keys: row} of a CSV file; rows with the same keys are left out, for nobody can tell them."""
    found, twice = {}, set()
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            keys = tuple((name, value) for name, value in row.items()
                         if name and name not in IGNORED and not MEASURED.search(name))
            twice |= {keys} & set(found)
            found[keys] = row
    return {keys: row for keys, row in found.items() if keys not in twice}


def names(value, renamed):
    return [value, *renamed.get(value, ())]


def counterpart(keys, rows, renamed):
    """The row with the same keys, perhaps with another name of one, or None."""
    if keys in rows:
        return rows[keys]
    for place, (name, value) in enumerate(keys):
        for other in renamed.get(value, ()):
            changed = (*keys[:place], (name, other), *keys[place + 1:])
            if changed in rows:
                return rows[changed]
    return None


def cells_of(path, old, new, renamed):
    """The measured cells of a file, with what stands in each of them in both folders."""
    before, after = find(old, path), find(new, path)
    if not before:
        return []
    if not path.endswith(".csv"):
        return cells_of_text(path, before, after)
    later, cells = rows_of(after) if after else {}, []
    for keys, row in rows_of(before).items():
        now = counterpart(keys, later, renamed)
        for column, value in row.items():
            if not column or not MEASURED.search(column) or ASIDE.search(column):
                continue
            if column in IGNORED or not is_number(value):
                continue
            there = now and next((now[one] for one in names(column, renamed) if one in now), None)
            cells.append(Cell(path, column, keys, value, there if is_number(there) else None))
    return cells


def cells_of_text(path, before, after):
    """Every number of another file is a cell, which stays; or which is gone, if the file has changed."""
    same = after and before.read_bytes() == after.read_bytes()
    found = sorted(set(re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)", before.read_text())))
    return [Cell(path, "", (), number, number if same else None) for number in found]


def is_number(text):
    return re.fullmatch(r"\d+(\.\d+)?", text or "") is not None


def written(value, figure):
    """A value as a figure is written: as many digits, and commas where it has them."""
    digits = len(figure.partition(".")[2])
    grouped = "," in figure or not re.match(r"\d{4}", figure)
    return f"{float(value):{',' if grouped else ''}.{digits}f}"


def says(words, text):
    """Whether one of the words stands in a text, as a whole."""
    return any(re.search(rf"(?<![\w.]){re.escape(word)}(?!\w|\.\d)", text) for word in words)


@lru_cache(maxsize=None)
def words_for(name, value):
    """By which words a text, in small letters, means this value of a column."""
    low, number = value.lower(), NUMBERED.fullmatch(value)
    if low.startswith("read only"):
        return READING
    if number:
        return (f"chapter {int(number[1])}", f"| {int(number[1])}.", number[2].replace("_", " "), number[2], low)
    if low.startswith("cub"):
        return ("cub",)
    if name == "bins":
        return (f"{value} bins", f"bins={value}", f"bins {value}")
    if name == "bytes_a_load":
        return ("a byte a load",) if value == "1" else (f"{value} bytes a load",)
    if name == "memory":
        stems = (NUMBERED.fullmatch(path.name) for path in Path("solutions").glob(f"*_*{low}*"))
        return (f"{low} memory", *(f"chapter {int(stem[1])}" for stem in stems if stem))
    if name == "input" and low.startswith("hot"):
        return (f"{low[3:]}%", low, *(("none is hot",) if low == "hot0" else ()))
    if name in ("blocks", "threads_per_block"):
        return (f"{name} {int(value):,}", f"{int(value):,} {name.partition('_')[0]}")
    if value.isdigit() and len(value) > 3:
        powers = ((30, "gib"), (20, "mib"), (10, "kib"))
        unit = next((f"{int(value) >> power} {unit}" for power, unit in powers
                     if int(value) % (1 << power) == 0 and int(value) >> power), None)
        return tuple(word for word in (f"{int(value):,}", value, unit) if word)
    if value.isdigit():
        return (f"{name} {value}",)
    return (f"`{low}`", f"| {low}") if name == "input" and low in ALSO_WORDS else (low,)


class Context:
    """The texts in which a figure stands, the nearest first, in small letters."""

    def __init__(self, chapter, texts):
        self.texts = [text.lower().replace("this chapter", f"chapter {chapter}") for text in texts]

    def fitting(self, cells, value_of, words_of):
        """The cells of which the nearest text that speaks of any of them speaks."""
        for text in self.texts:
            values = {value_of(cell): words_of(value_of(cell)) for cell in cells}
            meant = {value for value, words in values.items() if says(words, text)}
            if meant:
                return [cell for cell in cells if value_of(cell) in meant]
        return cells


def contradicted(cell, context, known, renamed):
    """Whether the nearest text names another value of one of the cell's keys, and not its own."""
    for name, value in cell.keys:
        others = known[cell.file, name] - {value}
        own = [word for one in names(value, renamed) for word in words_for(name, one)]
        if says(own, context.texts[0]):
            continue
        if any(says(words_for(name, other), context.texts[0]) for other in others):
            return True
    return False


class Page:
    """A page, with what was replaced in it, and what was not."""

    def __init__(self, path, old, new, renamed):
        self.path, self.renamed, self.lines = path, renamed, Path(path).read_text().split("\n")
        self.cells = lru_cache(maxsize=None)(lambda mark: Cells(
            [cell for file in re.split(r"[ ,]+", mark) for cell in cells_of(file, old, new, renamed)]))
        number = NUMBERED.match(Path(path).stem)
        self.chapter = int(number[1]) if number else 0
        self.replaced, self.left = [], []

    def requote(self):
        """Works through all blocks below a mark. A block ends with an empty line."""
        place, heading = 0, ""
        while place < len(self.lines):
            heading = self.lines[place] if self.lines[place].startswith("#") else heading
            mark = MARK.search(self.lines[place])
            place += 1
            if not mark:
                continue
            above = self.paragraph_above(place - 1)
            while place < len(self.lines) and not self.lines[place].strip():
                place += 1
            begin = place
            while place < len(self.lines) and self.lines[place].strip() \
                    and not MARK.search(self.lines[place]):
                place += 1
            cells = self.cells(mark.group(1))
            if cells.have_changed():
                self.requote_block(begin, place, cells,
                                   (above, heading, ASSUMED.format(self.chapter)))

    def paragraph_above(self, place):
        end = place
        while end > 0 and not re.sub(r"<!--.*-->", "", self.lines[end - 1]).strip():
            end -= 1
        begin = end
        while begin > 0 and self.lines[begin - 1].strip():
            begin -= 1
        return " ".join(self.lines[begin:end])

    def requote_block(self, begin, end, cells, around):
        block = self.lines[begin:end]
        is_table = block and block[0].lstrip().startswith("|")
        head = split_row(block[0]) if is_table else []
        for place in range(begin, end):
            if is_table and place < begin + 2:
                continue
            around_line = (" ".join(head), *around) if is_table else (*around,)
            self.requote_line(place, head, "" if is_table else " ".join(block), cells,
                              around_line)

    def requote_line(self, place, head, block, cells, around):
        line, moved = self.lines[place], 0
        names_no_figure = [match.span() for match in NO_FIGURES.finditer(line)]
        for match in list(FIGURE.finditer(line)):
            if any(start <= match.start() < end for start, end in names_no_figure):
                continue
            column = line[:match.start()].count("|") - 1 if head else 0
            if head and (column < 1 or column >= len(head) or is_key(head[column])):
                continue
            near = f"{head[column]} {key_cells(line, head)} |" if head else block
            context = Context(self.chapter, (near, *around))
            new = self.new_figure(place, match.group(), cells, context, not head)
            if new != match.group():
                shown = self.lines[place]
                self.lines[place] = (shown[:match.start() + moved] + new
                                     + shown[match.end() + moved:])
                moved += len(new) - len(match.group())

    def new_figure(self, place, figure, cells, context, in_sentence):
        """What takes the place of a figure; the figure itself when that is not clear."""
        plain = figure.replace(",", "")
        found = cells.that_say(plain)
        if not found:
            if not plain.isdigit():  # no time or speed, but a count or a size
                self.leave(place, figure, "it stands in no old file")
            return figure
        if in_sentence and plain.isdigit() and len(plain) < FEWEST_DIGITS:
            return figure
        fitting = [cell for cell in found
                   if not contradicted(cell, context, cells.known, self.renamed)]
        if in_sentence and len(plain.replace(".", "").lstrip("0")) < FEWEST_DIGITS:
            fitting = [] if any(self.text_of(cell, figure) != figure for cell in found) else found
        fitting = self.narrowed(fitting, context, figure)
        texts = {self.text_of(cell, figure) for cell in fitting}
        if len(texts) == 1 and None not in texts:
            new = texts.pop()
            if new != figure:
                self.replaced.append(f"{self.path}:{place + 1}: {figure} -> {new}"
                                     f" ({described(fitting[0])})")
            return new
        if not fitting and all(self.text_of(cell, figure) == figure for cell in found):
            return figure
        self.leave(place, figure, "; or ".join(described(cell) for cell in (fitting or found)[:3])
                   + (" ..." if len(fitting or found) > 3 else "") + (
                       ": gone" if None in texts else ": none fits" if not fitting else ""))
        return figure

    def narrowed(self, cells, context, figure):
        """Those of the cells that the texts speak of, one question after the other."""
        if not any(says(COLUMNS["latency_ms"], text) for text in context.texts):
            cells = [cell for cell in cells if not cell.column.startswith("latency")]
        questions = [(lambda cell: cell.file, file_words), (lambda cell: cell.column, column_words)]
        for name in dict.fromkeys(name for cell in cells for name, _ in cell.keys):
            questions.append((lambda cell, name=name: dict(cell.keys).get(name, ""),
                              lambda value, name=name: [
                                  word for one in names(value, self.renamed)
                                  for word in words_for(name, one)] if value else []))
        for value_of, words_of in questions:
            if len({self.text_of(cell, figure) for cell in cells}) > 1:
                cells = context.fitting(cells, value_of, words_of)
        return cells

    @staticmethod
    def text_of(cell, figure):
        return written(cell.new, figure) if cell.new is not None else None

    def leave(self, place, figure, why):
        self.left.append(f"{self.path}:{place + 1}: {figure} stays: {why}")


def file_words(path):
    return next((words for part, words in FILES.items() if part in path), ())


def column_words(column):
    return (column.lower(), *COLUMNS.get(column, ()))


def described(cell):
    keys = " ".join(value for _, value in cell.keys)
    return f"{Path(cell.file).name}: {keys}: {cell.column} {cell.old}, now {cell.new or '-'}"


def split_row(line):
    return [part.strip() for part in line.strip().strip("|").split("|")]


def is_key(head):
    """Whether a column of a table says what a row is about, by its head."""
    return head.strip("` *").lower() in ("bins", "length", "text", "blocks", "characters", "size",
                                         "threads", "chapter", "loads", "kind")


def key_cells(line, head):
    """The cells of a row that are no figures, each once more with its head: blocks 1,024."""
    parts = [part for part in zip(split_row(line), head)]
    keys = [part for place, part in enumerate(parts)
            if place == 0 or not FIGURE.search(part[0]) or is_key(part[1])]
    return " ".join(f"| {cell} | {first_word(title)} {cell}" for cell, title in keys)


def first_word(title):
    return (title.strip("` *").split() or [""])[0].rstrip(",:")


def main(arguments):
    renamed, rest = {}, []
    arguments = iter(arguments)
    for argument in arguments:
        if argument == "--renamed":
            old, _, new = next(arguments, "=").partition("=")
            renamed[old] = tuple(new.split(","))
        else:
            rest.append(argument)
    if len(rest) < 3:
        sys.exit(__doc__)
    old, new, *pages = rest
    left = []
    for path in pages:
        page = Page(path, old, new, renamed)
        page.requote()
        if page.replaced:
            Path(path).write_text("\n".join(page.lines))
        print("\n".join(page.replaced) + "\n" * bool(page.replaced), end="")
        left += page.left
    print("\nWhat is not clear, and stays:" * bool(left))
    print("\n".join(left))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
