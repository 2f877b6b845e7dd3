"""packages.py - proves that the pages name the packages of all that the code uses.

What it uses is read from the code: headers that are included, libraries that are linked, programs that sh,
make, C and Python run. tests/bare/packages.txt says which package gives each. A new header or program
therefore asks for a line there, and its package for a word where people look: in README.md or
docs/machines.md for what students run, and also in other pages or .ci/run for what authors and lecturers do.
"""
import ast
import re
import subprocess
from fnmatch import fnmatchcase
from functools import lru_cache, partial
from pathlib import Path

import course
from proof import Proof, lines_of

TABLE = "tests/bare/packages.txt"
PAGES = ("README.md", "docs/machines.md")
MORE_PAGES = (*PAGES, "CONTRIBUTING.md", "docs/*.md", "docs/results/README.md", ".ci/run")
# Rooms whose programs none but authors and lecturers run; all else is the students'.
OF_AUTHORS = ("common/packages/", "common/proofs/", "common/reports/", "common/book/", "common/grading/",
              "common/handout/", "tests/arm64/", "tests/bare/", "tests/grading/", "tests/course/*.py", ".ci/",
              "common/bench/gpu/")
CODE = ("Makefile", "common/**/*", "chapters/**/*", "solutions/**/*", "tests/**/*", ".ci/run")
C = (".c", ".h", ".cu", ".cuh")
SHELL = re.compile(r"#!.*\b(?:ba)?sh\b")
ASSIGNED = re.compile(r"[A-Za-z_]\w*\+?=\S*$")
PROGRAM = re.compile(r"[A-Za-z_][\w.+-]*$")
# Words before a command that run it, with what of theirs comes between.
RUNNERS = {"env": 0, "exec": 0, "sudo": 0, "nice": 0, "nohup": 0, "setsid": 0, "time": 0, "xargs": 0,
           "command": 0, "timeout": 1, "flock": 2}
CALLS = re.compile(r'\b(?:popen|system|exec[lv]p?e?|run|run_filter)\(\s*"((?:\\.|[^"\\]|"\s*")*)"')
CHOSEN = re.compile(r'const char \*program =([^;]*);')
WORDS = re.compile(r'(?:\*(?:const )?words\[\] = \{|ADD\(&?words, )\s*"([\w./][\w./-]*)"')


def table(text):
    """{header <x>, library -lx, or program x: its package}, patterns in the place of names."""
    gives = {}
    for line in text.splitlines():
        package, colon, things = line.partition(": ")
        if colon and not line.startswith("#"):
            gives.update((thing, package) for thing in things.split())
    return gives


def package_of(thing, gives):
    """The package that gives a thing, or None."""
    return gives.get(thing) or next((package for pattern, package in gives.items()
                                     if fnmatchcase(thing, pattern)), None)


@lru_cache(maxsize=None)
def builtins():
    """What bash does itself, and its keywords."""
    listed = subprocess.run(["bash", "-c", "compgen -b -k"], text=True, capture_output=True, check=True)
    return frozenset(listed.stdout.split())


def closing(text, start):
    """The index of the parenthesis that closes the one before `start`; the end without one."""
    depth = 1
    for found in re.compile(r"[()]").finditer(text, start):
        depth += 1 if found.group() == "(" else -1
        if depth == 0:
            return found.start()
    return len(text)


# What is no plain word of sh: a line that goes on, a comment, a string, a command in a string, a text.
PIECES = re.compile(r"""\\\n|\\.|(?<![^\s;(|&])\#[^\n]*|'[^']*'|"|\$\((?!\()|<<-?\s*['"]?(?P<end>\w+)['"]?""",
                    re.DOTALL)


def plain(text):
    """(lines of sh with an @ for each string and each $( ), the commands in these)."""
    out, inner, at, quoted, end = [], [], 0, False, None
    while (found := PIECES.search(text, at)) is not None:
        piece = found.group()
        if not quoted:
            out.append(text[at:found.start()])
        at = found.end()
        if piece == "$(":
            close = closing(text, at)
            inner.append(text[at:close])
            at = close + 1
        elif piece == '"':
            quoted = not quoted
        elif quoted:
            at = at if piece.startswith("\\") else found.start() + 1
        elif found["end"]:
            line = text.find("\n", at)
            body = re.compile(rf"\n\t*{found['end']}(?=\n|$)").search(text, line)
            text = text[:line] + text[body.end() if body else len(text):]
        out.append("" if quoted and piece != '"' else " " if piece[0] in "\\#" else "@")
    return "".join([*out, text[at:]]), inner


def programs_of_shell(text):
    """The programs that lines of sh run: what stands where a command begins. A name of which a variable
    is a part is not known."""
    text, inner = plain(text)
    text = re.sub(r"[?@*+!]\([^()]*\)", "@", text)  # of patterns
    text = re.sub(r"\$\{[^}]*\}|\$?\(\(.*?\)\)|\b\w+\+?=\(.*?\)", "@", text, flags=re.DOTALL)
    text = re.sub(r"(?m)(^|;;|\bin)\s*\(?[^\s()]+(?: *\| *[^\s()]+)*\)(?=\s|$)", r"\1;", text)  # a case
    defined = set(re.findall(r"([\w-]+)\(\)", text))
    text = re.sub(r"[0-9&]*[<>]+[&|]?\s*\S+|[\w-]+\(\)|\[\[.*?\]\]", " ", text, flags=re.DOTALL)
    found = set()
    for command in re.split(r"[;\n|&(){}`!]+|\b(?:if|then|elif|else|do|while|until)\b", text):
        found |= first_words(command.split())
    for command in inner:
        found |= programs_of_shell(command)
    return found - defined - builtins()


def first_words(words):
    """The program of a simple command, and the one that it runs when that is its work."""
    while words and ASSIGNED.match(words[0]):
        words = words[1:]
    if not words or words[0] in ("for", "case", "function", "select", "in", "export", "local"):
        return set()
    found = {words[0]} if PROGRAM.match(words[0]) else set()
    if words[0] in RUNNERS:
        rest = re.sub(r"-u \S+", "", " ".join(words[1:])).split()
        rest = [word for word in rest if not word.startswith("-")][RUNNERS[words[0]]:]
        found |= first_words(rest)
    return found


def programs_of_make(text):
    """Those of recipes and of $(shell)."""
    text = re.sub(r"(?m)^#.*|(?<=\s)#.*", "", text)
    found = set()
    for shell in re.finditer(r"\$\(shell ", text):
        found |= programs_of_shell(without_make(text[shell.end():closing(text, shell.end())]))
    joined = without_make(text.replace("\\\n", " "))
    recipes = re.findall(r"(?m)^\t[@+-]*(.*)|^[^\t#=\n]*:[^=;\n]*;(.*)", joined)
    return found | programs_of_shell("\n".join(map("".join, recipes)))


def without_make(text):
    """Shell's words of a recipe: what make replaces is not known."""
    while (found := re.search(r"(?<!\$)\$\(", text)) is not None:
        text = f"{text[:found.start()]}%{text[closing(text, found.end()) + 1:]}"
    return re.sub(r"(?<!\$)\$[^$\s]", "%", text).replace("$$", "$")


def programs_of_c(text):
    """Those that a call of popen() and its like names, those that begin a list of words, and those that a
    variable `program` begins with."""
    chosen = re.findall(r'"([\w-]+)"', " ".join(CHOSEN.findall(text)))
    found = set(map(Path, WORDS.findall(text) + chosen))
    lines = [re.sub(r'"\s*"', "", words) for words in CALLS.findall(text)]
    return {path.name for path in found}.union(*(
        programs_of_shell(bytes(line, "utf-8").decode("unicode_escape")) for line in lines))


def programs_of_python(text):
    """First words of lists that are given to subprocess, and what shutil.which() looks for."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called, given = ast.unparse(node.func), node.args[0]
        if called.startswith("subprocess.") and isinstance(given, ast.List) and given.elts:
            given = given.elts[0]
        elif called != "shutil.which":
            continue
        if isinstance(given, ast.Constant) and isinstance(given.value, str):
            found.add(Path(given.value).name)
    return found


def used(path, own):
    """All that a file uses: headers, libraries, programs, without what is the course's `own`."""
    text = Path(path).read_text(errors="replace")
    suffix = Path(path).suffix
    things = set()
    if suffix in C:
        headers = re.findall(r"^[ \t]*#[ \t]*include[ \t]*<([^>]+)>", text, re.MULTILINE)
        things |= {f"<{header}>" for header in headers}
        things |= programs_of_c(text)
    elif suffix == ".mk" or Path(path).name == "Makefile":
        things |= programs_of_make(text)
    elif suffix == ".py":
        things |= programs_of_python(text)
    elif SHELL.match(text):
        things |= programs_of_shell(text)
    if suffix in (".mk", ".sh", "") and suffix not in C:
        code = re.sub(r"(?m)(?<!\S)#.*", "", text)
        things |= set(re.findall(r"(?:(?<=[\s,'\"])|(?<=CRITERION\)))-l[a-z][a-z0-9+_]*(?=[\s,;'\")]|$)",
                                 code)) - {"-ls", "-lt"}
    return things - own


def of_the_course():
    """Its programs, its headers by all names by which they may be included, and the functions of scripts,
    which others may read in."""
    names = {Path(path).stem for path in course.files("common/course/*.c", "common/driver/*.c", "common/course/*/*.c",
                                                       "common/trace/*.c", "common/count/*.c", "common/tools/**/*.c",
                                                       "common/programs/**/*.c",
                                                      "common/bench/**/*.c")} | {"ladder"}
    for path in course.files("common/**/*.sh"):
        names |= set(re.findall(r"(?m)^([\w-]+)\(\)", Path(path).read_text()))
    for path in map(Path, course.files("common/**/*.h", "common/**/*.cuh", "common/sim/include/**/*")):
        parts = path.parts
        names |= {f"<{'/'.join(parts[i:])}>" for i in range(1, len(parts))}
    return names


def of_authors(path):
    return any(fnmatchcase(path, pattern) or path.startswith(pattern) for pattern in OF_AUTHORS)


def wrong(files, gives, pages, more_pages):
    """A line for each thing that no package of the table gives, and for each package that has no word in
    the text of the pages where it has to have one."""
    own, lines, lacking = of_the_course() - set(gives), [], {}
    for path in files:
        for thing in sorted(used(path, own)):
            package = package_of(thing, gives)
            if package is None:
                lines.append(f"{path}: uses {thing}: {TABLE} has no package that gives it")
            elif package != "base":
                text = more_pages if of_authors(path) else pages
                if not re.search(rf"(?<![\w-]){re.escape(package)}(?![\w-])", text):
                    lacking.setdefault((package, of_authors(path)), f"{path}: uses {thing}")
    return lines + [f"{use}, of {package}: " + ("no page names that, nor .ci/run" if authors else
                    f"{' and '.join(PAGES)} do not name that")
                    for (package, authors), use in sorted(lacking.items())]


def unused(files, gives):
    """Lines of the table that nothing uses: the dependency is gone. What is on every machine is none."""
    own = of_the_course() - set(gives)
    all_used = set().union(*(used(path, own) for path in files))
    return [f"{TABLE}: {package}: nothing uses {pattern}" for pattern, package in gives.items()
            if package != "base" and not any(fnmatchcase(thing, pattern) for thing in all_used)]


def text_of(pages):
    return "\n".join(Path(path).read_text() for path in course.files(*pages))


def prove(files):
    gives = table(Path(TABLE).read_text())
    found = wrong(files, gives, text_of(PAGES), text_of(MORE_PAGES)) + unused(files, gives)
    return lines_of(f"the pages name those of all {len(gives)} headers, libraries and programs", found, "packages: ")


def proofs():
    files = [path for path in course.files(*CODE) if not path.startswith(("tests/mutants/", "docs/"))]
    pages = course.files(*MORE_PAGES)
    return [Proof("packages", "named", partial(prove, files), reads=(TABLE, *files, *pages))]
