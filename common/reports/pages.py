"""pages.py - reads a page of docs: its sections and blocks, what is folded, its numbered questions.

Only the Markdown that the lessons use: headings, paragraphs, lists, tables, fenced code, pictures,
folded parts. A block is a Block; its `inside` are the items of a list, each a list of blocks, or
the blocks of a folded part.
"""
import html
import re
from collections import namedtuple

Block = namedtuple("Block", "kind text inside")  # kind: text list numbers code table picture fold

COUNT = re.compile(r"\s*<!-- count:")  # how an answer is counted: for `make chapterN predict`
FENCE = re.compile(r" *```")
ITEM = re.compile(r"(- |\d+\. )")
PICTURE = re.compile(r"!\[(.*?)\]\((\S+?)\)$", re.DOTALL)
FOLD = re.compile(r"<summary>(.*?)</summary>")
NUMBERED = re.compile(r"\*\*(\d+)\.\*\*\s*")


def sections(text):
    """[(heading, lines)] of a page; the first is its title, with what stands before any section."""
    found, fenced = [("", [])], False
    for line in text.split("\n"):
        fenced ^= bool(FENCE.match(line))
        if not fenced and re.match(r"##? ", line):
            found.append((line.lstrip("# ").strip(), []))
        elif not COUNT.match(line):
            found[-1][1].append(line)
    return found[1:]


def taken(lines, start, goes_on):
    """The end of the lines from `start` for which goes_on() holds."""
    end = start
    while end < len(lines) and goes_on(lines[end]):
        end += 1
    return end


def fold_end(lines, start):
    """The line after the </details> that belongs to the <details> in line `start`."""
    depth = 0
    for place in range(start, len(lines)):
        depth += lines[place].count("<details>") - lines[place].count("</details>")
        if depth == 0:
            return place + 1
    return len(lines)


def item_end(lines, start):
    """The end of a list's item: its own lines and those that are indented."""
    end = start + 1
    while end < len(lines):
        blank = not lines[end].strip()
        inside = lines[end].startswith("  ")
        ahead = next((line for line in lines[end:] if line.strip()), "")
        if ITEM.match(lines[end]) or (not blank and not inside and not lines[end - 1].strip()):
            break
        if blank and not ahead.startswith("  "):
            break
        end += 1
    return end


def blocks(lines):
    """The blocks of some lines."""
    found, place = [], 0
    while place < len(lines):
        line = lines[place]
        if not line.strip() or line.startswith("<!--"):
            place += 1
        elif FENCE.match(line):
            end = taken(lines, place + 1, lambda one: not FENCE.match(one))
            found.append(Block("code", "\n".join(dedented(lines[place + 1:end])), []))
            place = end + 1
        elif line.startswith("<details>"):
            end = fold_end(lines, place)
            inside = "\n".join(lines[place:end])
            summary = FOLD.search(inside)
            rest = inside[summary.end():] if summary else inside
            found.append(Block("fold", summary.group(1) if summary else "",
                               blocks(rest.replace("</details>", "").split("\n"))))
            place = end
        elif line.startswith("    "):
            end = taken(lines, place, lambda one: one.startswith("    ") or not one.strip())
            found.append(Block("code", "\n".join(dedented(lines[place:end])).rstrip(), []))
            place = end
        elif line.startswith("|"):
            end = taken(lines, place, lambda one: one.startswith("|"))
            found.append(Block("table", "", table(lines[place:end])))
            place = end
        elif ITEM.match(line):
            place = list_at(lines, place, found)
        else:
            end = taken(lines, place, lambda one: one.strip() and not one.startswith("<details>")
                        and not FENCE.match(one))
            text = " ".join(part.strip() for part in lines[place:end])
            picture = PICTURE.match(text)
            found.append(Block("picture", picture.group(1), [picture.group(2)]) if picture
                         else Block("text", text, []))
            place = end
    return found


def list_at(lines, place, found):
    """Appends the list that begins there; returns the line after it."""
    numbered, items = lines[place][0].isdigit(), []
    while place < len(lines) and ITEM.match(lines[place]) and lines[place][0].isdigit() == numbered:
        end = item_end(lines, place)
        mark = ITEM.match(lines[place]).group()
        indent = re.compile(rf" {{0,{len(mark)}}}")
        inside = [lines[place][len(mark):]] + [indent.sub("", line, count=1)
                                               for line in lines[place + 1:end]]
        items.append(blocks(inside))
        place = taken(lines, end, lambda one: not one.strip())
    found.append(Block("numbers" if numbered else "list", "", items))
    return place


def dedented(lines):
    least = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[least:].rstrip() for line in lines]


def table(lines):
    """The rows of a table, each a list of cells; the line of dashes is left out."""
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
            for line in lines]
    return [row for row in rows if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]


def questions(found):
    """{number: (blocks of the question, blocks of its answer)} of a section's blocks.

    Either a list of numbers with one fold of answers, or paragraphs that begin with **1.**, each
    followed by its own. A question without a number is number 1.
    """
    asked = next((block for block in found if block.kind == "numbers"), None)
    if asked and not any(block.kind == "text" and NUMBERED.match(block.text) for block in found):
        fold = next((block for block in found if block.kind == "fold"), None)
        answers = [item for block in (fold.inside if fold else []) if block.kind == "numbers"
                   for item in block.inside]
        given = [block for block in found[:found.index(asked)] if is_given(block)]
        return {i: (given + item, answers[i - 1] if i <= len(answers) else [])
                for i, item in enumerate(asked.inside, 1)}
    parted, number = {}, 1
    for block in found:
        begins = block.kind == "text" and NUMBERED.match(block.text)
        if begins:
            number, block = int(begins.group(1)), block._replace(text=block.text[begins.end():])
        question, answer = parted.setdefault(number, ([], []))
        if block.kind == "fold":
            answer.extend(block.inside)
        else:
            (answer if answer else question).append(block)
    return {number: both for number, both in parted.items() if both[1]}


def is_given(block):
    """Whether what stands before the questions says what they are about."""
    return block.kind == "text" and not block.text.startswith("Write down")


def first_sentence(text):
    return re.split(r"(?<=[.!?])\s+(?=[A-Z`*\"(\[0-9])", text, maxsplit=1)[0]


def plain(text):
    """A text without its marks, as long as it is seen."""
    text = re.sub(r"!?\[(.*?)\]\(\S*?\)", r"\1", text)
    return re.sub(r"\*\*|`|(?<!\w)\*|\*(?!\w)", "", text)


def as_html(text):
    """A text with its marks as HTML; a link is its words, since a slide leads nowhere."""
    text = re.sub(r"!?\[(.*?)\]\(\S*?\)", r"\1", text)
    code = re.findall(r"`([^`]*)`", text)
    text = html.escape(re.sub(r"`[^`]*`", "\0", text), quote=False)
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)
    text = re.sub(r"\*(\S.*?)\*", r"<i>\1</i>", text)
    for words in code:
        text = text.replace("\0", f"<code>{html.escape(words, quote=False)}</code>", 1)
    return text
