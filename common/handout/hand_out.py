"""hand_out.py - make handout: a copy of the course for students.

    CHAPTERS=1-5 ANSWERS=1-3 TO=folder hand_out.py        in the root of the course

CHAPTERS   those that the copy has: 5, 1-5 or 1,2,5-7
ANSWERS    those of them with solution, planted mistakes and the whole lesson; none without it
TO         the folder; build/handout-1-5 without it. It is new or empty, or an earlier copy in
           which nobody has changed a file, which then becomes the new one; its .git stays.

Before anything is written, all files are searched for lines that fill the gaps of chapters
without answers (telling.py). A stub that builds on an earlier gap shows lines of it, and is
named; any other such line is a mistake of the course, and nothing is written. Prints what was
made; a problem is one line, and status 1.
"""
import os
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import belongs  # noqa: E402
import shortened  # noqa: E402
import telling  # noqa: E402

RECORD = ".course"
RECORD_HEAD = "# what was installed here; make update compares your files with it\n"
MAKING = ".making"  # ends the name of a file that is being written
OURS = (".git", "build", RECORD)  # at the top of a copy: no files of the course


class Refused(Exception):
    """One line for the lecturer."""


def number(stem):
    return int(stem[:2])


def chosen(words, stems, what):
    """The chapters that 1,3-5 means."""
    here = {number(stem): stem for stem in stems}
    those = f"{what}: there are the chapters {min(here)} to {max(here)}"
    if not re.fullmatch(r"\d{1,4}(-\d{1,4})?(,\d{1,4}(-\d{1,4})?)*", words):
        raise Refused(f"{those}; say {what}=1-5, for instance, or 1,2,5, and not '{words}'")
    numbers = set()
    for part in words.split(","):
        first, _, last = part.partition("-")
        if int(last or first) < int(first):
            raise Refused(f"{what}={words}: {part} runs backwards: {last}-{first}?")
        for end in {int(first), int(last or first)} - set(here):
            raise Refused(f"{those}, and no {end}")
        numbers |= set(range(int(first), int(last or first) + 1)) & set(here)
    return [here[one] for one in sorted(numbers)]


def source(folder, stem):
    """The kernel's file of a chapter in chapters or solutions, or None."""
    found = [path for path in sorted(Path(folder, stem).glob("*.c*")) if path.is_file()]
    return str(found[0]) if found else None


def read(folder, stem):
    """The text of a chapter's kernel; none where there is none."""
    path = source(folder, stem)
    return Path(path).read_text(errors="replace") if path else ""


def check_stubs(released):
    """A lecturer's own solution is no stub."""
    for stem in released:
        stub = source("chapters", stem)
        if not stub:
            raise Refused(f"chapters/{stem}: there is no stub in it")
        filled = [gap.name for gap in telling.course.gaps(stub) if gap.filled]
        if filled:
            raise Refused(f"{stub}: the gap {filled[0]} is filled, so this is no stub: make "
                          f"chapter{number(stem)} reset keeps your file, and puts the stub there")


def page_for(name, text, released, answered, secret):
    """A page as the copy has it."""
    stem = belongs.stem_of(name)
    if stem in released and stem not in answered:
        text = shortened.without_answers(text)
    return shortened.without_code(shortened.without_lecturers(text), secret)


def pages_of(names, released, answered, secret):
    """{page: text}, with the pages that are made for the copy."""
    pages = {name: page_for(name, Path(name).read_text(), released, answered, secret)
             for name in names if name.endswith(".md") and name != "README.md"}
    titles = {stem: Path(f"docs/{stem}.md").read_text().partition("\n")[0].partition(". ")[2]
              for stem in released if Path(f"docs/{stem}.md").exists()}
    at = next((stem for stem in released if stem not in answered), released[-1])
    pages["README.md"] = shortened.readme(released, answered, titles, source("chapters", at))
    return pages


def stubs_to_go_back_to(released, answered):
    """{file: (bytes, mode)} for make reset, which in the whole course asks the solutions."""
    kernels = [Path(source("chapters", stem)) for stem in released if stem not in answered]
    return {f"tests/stubs/{path.parent.name}/{path.name}": (path.read_bytes(), 0o644)
            for path in kernels}


def copy_of(released, answered, secret):
    """{file: (bytes, mode)} of the copy."""
    names = [name for name in belongs.course_files() if belongs.is_handed_out(name, released, answered)]
    pages = pages_of(names, released, answered, secret)
    shown = set().union(*(shortened.images(page, text) for page, text in pages.items()))
    names = sorted({*names, *(name for name in shown if Path(name).is_file())} - set(pages))
    folders = {str(parent) for name in (*names, *pages) for parent in Path(name).parents}

    def there(path):
        return path in pages or path in names or path in folders
    copy = {name: (Path(name).read_bytes(), Path(name).stat().st_mode & 0o777) for name in names}
    copy.update(stubs_to_go_back_to(released, answered))
    for name in names:
        page = f"docs/{Path(name).stem}.md"
        if name.startswith("docs/locale/") and page in pages:
            copy[name] = (shortened.without_entries(Path(name).read_text(), pages[page]).encode(), copy[name][1])
    for page, text in pages.items():
        copy[page] = (shortened.without_links(page, text, there).encode(), 0o644)
    return copy


def places_that_tell(copy, secret):
    """All places of secret lines in the copy."""
    return [place for name, (content, _) in sorted(copy.items())
            for place in telling.places(name, content.decode(errors="replace"), secret)]


def held_back(copy, secret):
    """The answers that tell something of a later chapter, such as an exercise that goes further:
    places. They are taken out of the copy."""
    early = [place for place in places_that_tell(copy, secret) if place.file.startswith(belongs.WITH_ANSWERS)]
    for file in {place.file for place in early}:
        del copy[file]
    return early


def is_in_a_later_stub(place):
    """A stub that builds on the gap of an earlier chapter has lines of it, and so has its copy for
    make reset."""
    stem = belongs.stem_of(place.file)
    return (place.file.startswith(("chapters/", "tests/stubs/"))
            and number(stem) > int(place.gap.partition(".")[0]))


# The file .course: what was handed out, so that what a student changed is known. A line for each file: the FNV-1a hash of
# its content, 64 bits in 16 hexadecimal digits, and its path. make update reads it, too (common/course/update).

def digest(content):
    """FNV-1a with 64 bits."""
    value = 0xcbf29ce484222325
    for byte in content:
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return f"{value:016x}"


def noted(folder):
    """{path: hash} of what was handed out in this folder; empty when nothing was."""
    try:
        lines = Path(folder, RECORD).read_text().splitlines()
    except OSError:
        return {}
    return {line[17:]: line[:16] for line in lines if line and not line.startswith("#")}


def note(folder, copy):
    """Notes the files of a copy: {path: (bytes, mode)}."""
    lines = [f"{digest(content)} {name}\n" for name, (content, _) in sorted(copy.items())]
    new = Path(folder, RECORD + MAKING)
    new.write_text(RECORD_HEAD + "".join(lines))
    new.replace(Path(folder, RECORD))


def changed_in(folder, copy):
    """The files in a folder that are neither as they were handed out, nor as in a copy, nor half
    made."""
    before = noted(folder)
    here = [str(path.relative_to(folder)) for path in sorted(Path(folder).rglob("*"))
            if path.is_file() and path.relative_to(folder).parts[0] not in OURS]
    return [name for name in here if not name.endswith(MAKING) and digest(
        Path(folder, name).read_bytes()) not in (before.get(name), digest(copy[name][0]) if name in copy else None)]


def check_place(to, copy):
    """Whether the folder may be made, or made anew, or completed."""
    if to.is_symlink() or (to.exists() and not to.is_dir()):
        raise Refused(f"{to}: is there, and is no folder")
    changed = changed_in(to, copy)
    if changed and not noted(to):
        raise Refused(f"{to}: is not empty, and no earlier copy for students; name another with TO=")
    if changed:
        raise Refused(f"{to}: {changed[0]} is not as it was handed out; name another folder with TO=")


def write(copy, to):
    """Makes the folder the copy: each file by renaming; what is no longer in it goes; the record of
    it comes last. When it is cut off, the next time completes it."""
    for name, (content, mode) in copy.items():
        path = to / name
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(path.name + MAKING)
        new.write_bytes(content)
        new.chmod(mode)
        new.replace(path)
    for name in set(noted(to)) - set(copy):
        (to / name).unlink(missing_ok=True)
        for parent in (to / name).parents:
            if parent == to or not parent.exists() or any(parent.iterdir()):
                break
            parent.rmdir()
    note(to, copy)


def by_file(places):
    """[(file, its gaps in words, how many different lines)]."""
    files = {}
    for place in places:
        files.setdefault(place.file, []).append(place)
    return [(file, " and ".join(sorted({place.gap for place in found}, key=float)),
             len({place.text for place in found})) for file, found in files.items()]


def summary(to, copy, released, answered, secret, in_stubs, early):
    """What was made, in lines."""
    here = f"chapters {shortened.listed(released)}"
    with_answers = f"the answers of {shortened.listed(answered)}" if answered else "no answers"
    yield f"{to}: {here}, with {with_answers}; {len(copy)} files"
    for file, gaps, _ in by_file(early):
        yield f"left out: {file}, which shows how {gaps} is filled"
    yield (f"none of the {len(secret)} lines that fill gaps without an answer is in it"
           + (", but for these:" if in_stubs else ""))
    for file, gaps, lines in by_file(one for one in in_stubs if one.file.startswith("chapters/")):
        yield (f"  {file} builds on {gaps}, and has {lines} line{'s' * (lines > 1)} of what is "
               "filled in there: release it when that is handed in")


def main():
    stems = sorted({path.name for path in Path("chapters").glob("[0-9][0-9]_*") if path.is_dir()})
    words = os.environ.get("CHAPTERS") or ""
    released = chosen("" if words == "chapters" else words, stems, "CHAPTERS")
    answered = chosen(os.environ["ANSWERS"], released, "ANSWERS") \
        if os.environ.get("ANSWERS") else []
    to = Path(os.environ.get("TO") or f"build/handout-{words}")
    missing = [stem for stem in stems if not source("solutions", stem)]
    if missing:
        raise Refused(f"solutions/{missing[0]}: is not here; a handout is made of a whole course")
    check_stubs(released)
    secret = telling.secrets([(source("solutions", stem), source("chapters", stem))
                              for stem in stems if stem not in answered],
                             [*(read("solutions", stem) for stem in answered),
                              *(Path(name).read_text() for name in belongs.given(released))])
    copy = copy_of(released, answered, secret)
    early = held_back(copy, secret)
    found = places_that_tell(copy, secret)
    in_stubs = [place for place in found if is_in_a_later_stub(place)]
    for place in found:
        if place not in in_stubs:
            raise Refused(f"{place.file}:{place.line}: fills the gap {place.gap}, and may not be "
                          f"handed out: {place.text}")
    check_place(to, copy)
    write(copy, to)
    print(*summary(to, copy, released, answered, secret, in_stubs, early), sep="\n")


if __name__ == "__main__":
    try:
        main()
    except Refused as refused:
        sys.exit(f"handout: {refused}")
    except OSError as error:
        sys.exit(f"handout: {error.filename or 'what it says'}: {error.strerror}")
