"""catalogs.py - the catalogs of docs/locale: which parts of a translation are missing, stale or wrong.

    catalogs.py                          what is to do, catalog by catalog
    catalogs.py --update LANGUAGE NAME   makes or renews docs/locale/LANGUAGE/NAME.po

NAME is that of a lesson, 05_name, whose units `ladder lesson --units` tells (language.h), or `spoken`, the sentences
that the terminal shows: these are written as the sources have them, and --update adds those that another
language has. What has changed in English keeps its old translation, marked fuzzy: nobody is shown it before
somebody has looked at it.
"""
import json
import re
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "packages"))

import pinned  # noqa: E402

pinned.need("a catalog")
from babel import Locale  # noqa: E402
from babel.messages.catalog import Catalog  # noqa: E402
from babel.messages.pofile import read_po, write_po  # noqa: E402

LOCALE, SPOKEN, WIDTH = Path("docs/locale"), "spoken", 110
SOURCES = ("common/course/*.c", "common/judge/*.[ch]", "common/contracts/**/*.[ch]", "common/sandbox/*.c",
           "common/sim/**/*.[ch]", "tests/[0-9]*_*.c", "tests/histogram.c", "common/run/*.c")
CONVERSION = re.compile(r"%(?:(\d)\$)?[lzh]*([sudcx])")
PLURAL = re.compile(r"(?<=[a-z])%s")  # character%s: another language may do without
# What a translation has to have exactly as often: figures, code, and where links and pictures lead.
KEPT = {"figure": re.compile(r"\d(?:[\d,.]*\d)?"), "code": re.compile(r"`[^`]+`"),
        "link": re.compile(r"\]\(([^)\s]+)\)")}


def path_of(language, name):
    return LOCALE / language / f"{name}.po"


def paths():
    """All catalogs."""
    return sorted(LOCALE.glob("*/*.po"))


def read(path):
    """The catalog of a file. Raises ValueError where it is none."""
    try:
        with open(path, "rb") as file:
            return read_po(file, abort_invalid=True)
    except Exception as error:  # babel has many
        raise ValueError(f"{path}: it cannot be read: {error}") from None


def entries(catalog):
    """{English: translated} of what is translated and not fuzzy: what a reader is shown."""
    return {message.id: message.string for message in catalog
            if message.id and message.string and not message.fuzzy}


def units(name, ladder):
    """What there is to translate in a lesson, each once, in its order."""
    listed = subprocess.run([ladder, "lesson", "--units", f"docs/{name}.md"], text=True, capture_output=True,
                            check=True).stdout
    return list(dict.fromkeys(map(json.loads, listed.splitlines())))


@lru_cache(maxsize=None)
def literals():
    """What the sources say in quotation marks, one text for each file."""
    texts = []
    for path in sorted({path for pattern in SOURCES for path in Path().glob(pattern)}):
        code = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        rows = re.findall(r'"(?:\\.|[^"\\\n])*"(?:\s*"(?:\\.|[^"\\\n])*")*', code)
        texts.append("\n".join(re.sub(r'"\s*"', "", row)[1:-1].replace('\\"', '"').replace("\\n", "\n")
                               for row in rows))
    for path in sorted(Path("chapters").glob("*/*.c*")):  # the sentences of gaps
        texts.append(re.sub(r"\n\s*(?://|\*)\s*", " ", path.read_text()))
    for path in sorted(Path("docs").glob("[0-9]*_*.md")):  # what the reader predicts
        texts.append("\n".join(re.findall(r"<!-- count: (.*?) =", path.read_text())))
    return texts


def stands_in(words, text):
    """Whether a text has these words together, or in two parts that meet only when they are printed."""
    parts = words.split()
    return any(" ".join(parts[:at]) in text and " ".join(parts[at:]) in text for at in range(len(parts)))


def is_printed(sentence):
    """Whether the quotation marks of one file have what a sentence of the terminal says between its conversions
    and signs."""
    parts = re.split(r"[^\w' ]+", CONVERSION.sub("|", sentence))
    words = [part.strip() for part in parts if re.search("[A-Za-z]", part)]
    return any(all(stands_in(part, text) for part in words) for text in literals())


def conversions(text):
    """[("1", "s"), ...]: the conversions of a sentence by their number, in order."""
    return sorted((number or str(place), letter)
                  for place, (number, letter) in enumerate(CONVERSION.findall(text), 1))


def wrong(english, translated, spoken):
    """What a translation has changed that has to stay, as sentences."""
    findings = []
    if spoken:
        optional = [str(CONVERSION.sub("\0", english[:found.start()]).count("\0") + 1)
                    for found in PLURAL.finditer(english)]
        wanted, has = conversions(english), conversions(translated)
        if [one for one in wanted if one in has or one[0] not in optional] != has:
            findings.append(f"its conversions are {has}, and not {wanted}")
        english, translated = CONVERSION.sub("", english), CONVERSION.sub("", translated)
    for what, pattern in KEPT.items():
        one, other = (sorted(pattern.findall(text)) for text in (english, translated))
        changed = [f"{word} is missing" for word in one if one.count(word) > other.count(word)]
        changed += [f"{word} is new" for word in other if other.count(word) > one.count(word)]
        if changed:
            findings.append(f"{what}: {', '.join(changed)}")
    return findings


def wanted(name, ladder):
    """The English of a catalog: the units of a lesson, or of the terminal's sentences those that any language has."""
    if name != SPOKEN:
        return units(name, ladder)
    return list(dict.fromkeys(message.id for path in LOCALE.glob(f"*/{SPOKEN}.po") for message in read(path)
                              if message.id))


def compared(path, ladder):
    """A catalog beside the English: (translated, missing, stale), each a list."""
    shown, english = entries(read(path)), wanted(path.stem, ladder)
    stale = [unit for unit in shown if unit not in english or (path.stem == SPOKEN and not is_printed(unit))]
    return ([unit for unit in english if unit in shown and unit not in stale],
            [unit for unit in english if unit not in shown], stale)


def update(language, name, ladder):
    """Writes the catalog anew; what has changed in English becomes fuzzy."""
    path, template = path_of(language, name), Catalog(fuzzy=False)
    for unit in wanted(name, ladder):
        template.add(unit)
    catalog = read(path) if path.is_file() else Catalog(locale=language, fuzzy=False)
    catalog.update(template)
    catalog.obsolete.clear()
    for message in catalog:
        message.flags.discard("python-format")  # a guess of babel's
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as file:
        called = Locale.parse(language).get_display_name("en")
        file.write(f"# {name} in {called}; CONTRIBUTING.md tells how it is renewed.\n"
                   'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'.encode())
        write_po(file, catalog, width=WIDTH, omit_header=True)


def status(ladder):
    """Lines about all catalogs."""
    for path in paths():
        translated, missing, stale = compared(path, ladder)
        yield f"{path}: {len(translated)} translated, {len(missing)} missing, {len(stale)} stale"
        yield from (f"  missing: {unit}" for unit in missing)
        yield from (f"  stale: {unit}" for unit in stale)
        yield from (f"  wrong: {english}: {sentence}" for english, words in entries(read(path)).items()
                    for sentence in wrong(english, words, path.stem == SPOKEN))


def main(arguments):
    ladder = "build/sim-gcc/tools/ladder"
    if not Path(ladder).exists():
        sys.exit(f"catalogs: {ladder}, which reads the lessons, is not built: make lesson builds it")
    if len(arguments) == 3 and arguments[0] == "--update":
        update(*arguments[1:], ladder)
    elif arguments:
        sys.exit(__doc__)
    print("\n".join(status(ladder)))


if __name__ == "__main__":
    main(sys.argv[1:])
