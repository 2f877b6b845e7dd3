"""pages.py - reads a page of docs: its sections and blocks, what is folded, its numbered questions.

markdown-it-py parses the Markdown; what is folded is HTML in it. A block is a Block; its `inside` are the items of a list, each a list of blocks, or
the blocks of a folded part.
"""
import html
import re
from collections import namedtuple

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

Block = namedtuple("Block", "kind text inside")  # kind: text list numbers code table picture fold

COUNT = re.compile(r"\s*<!-- count:")  # how an answer is counted: for `make chapterN predict`
FENCE = re.compile(r" *```")
PICTURE = re.compile(r"!\[(.*?)\]\((\S+?)\)$", re.DOTALL)
FOLD = re.compile(r"<(/?)details>(?:\s*<summary>(.*?)</summary>)?")
MARKDOWN = MarkdownIt("commonmark").enable("table")
NUMBERED = re.compile(r"\*\*(\d+)\.\*\*\s*")


def sections(text, deepest=2):
    """[(heading, lines)] of a page, by headings down to a level; the first is its title, with what stands before any
    section."""
    found, fenced = [("", [])], False
    for line in text.split("\n"):
        fenced ^= bool(FENCE.match(line))
        if not fenced and re.match(f"#{{1,{deepest}}} ", line):
            found.append((line.lstrip("# ").strip(), []))
        elif not COUNT.match(line):
            found[-1][1].append(line)
    return found[1:]


def blocks(lines):
    """The blocks of some lines."""
    return blocks_of(SyntaxTreeNode(MARKDOWN.parse("\n".join(lines))).children)


def blocks_of(nodes):
    """The blocks of nodes that lie side by side; what is between <details> and its end is inside a fold."""
    levels = [[]]
    for node in nodes:
        if node.type == "html_block":
            for tag, summary in FOLD.findall(node.content):
                if tag == "/":
                    levels.pop()
                else:
                    levels[-1].append(Block("fold", summary, []))
                    levels.append(levels[-1][-1].inside)
        elif node.type in ("bullet_list", "ordered_list"):
            levels[-1].append(Block("list" if node.type == "bullet_list" else "numbers", "",
                                    [blocks_of(item.children) for item in node.children]))
        elif node.type in ("fence", "code_block"):
            levels[-1].append(Block("code", "\n".join(dedented(node.content.rstrip("\n").split("\n"))),
                                    []))
        elif node.type == "table":
            levels[-1].append(Block("table", "", [[text_of(cell) for cell in row.children]
                                                  for part in node.children for row in part.children]))
        else:
            text = text_of(node)
            picture = PICTURE.match(text)
            levels[-1].append(Block("picture", picture.group(1), [picture.group(2)]) if picture
                              else Block("text", text, []))
    return levels[0]


def text_of(node):
    """The text of a paragraph, a heading or a cell with its marks, on one line."""
    words = " ".join(line.strip() for child in node.children for line in child.content.split("\n"))
    return f"{node.markup} {words}" if node.type == "heading" else words


def dedented(lines):
    least = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[least:].rstrip() for line in lines]


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
        given = [block for block in map(given_of, found[:found.index(asked)]) if block.kind == "text" and block.text]
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


def given_of(block):
    """What a block before the questions says of what they are about: its text, without a request to write answers."""
    return block._replace(text=re.sub(r"\s*Write down [^.]*\.", "", block.text).strip())


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
