"""check.py - proves the course: make check.

    check.py [WORD...] [OPTION...]

pytest runs the proofs (conftest.py), those of a kind and whose names have all other words: `check.py mutants 05`. A
kind is what a file in checks/ calls its proofs, or the file, which may have several. The options are pytest's:
--collect-only tells the names, --durations=10 what took longest. Status 1 when one failed, and when pytest cannot be
had; 2 when the first word is no kind, and no part of a name either, as it has no digit.
"""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # the folders of the course stay as they are
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "packages"))

import pinned  # noqa: E402


def checks_in(folder):
    """({name: its kinds of proof}, {kind: its file}); a name is that of a kind or of a file."""
    names, files = {}, {}
    for path in sorted((folder / "checks").glob("*.py")):
        given = re.findall(r'\bProof\("(\w+)"', path.read_text())
        names.update({kind: [kind] for kind in given}, **{path.stem: given})
        files.update(dict.fromkeys(given, str(path)))
    return names, files


def main(arguments):
    folder = Path(__file__).resolve().parent
    first = next((at for at, word in enumerate(arguments) if word.startswith("-")), len(arguments))
    words, options = arguments[:first], arguments[first:]
    names, files = checks_in(folder)
    checks = list(dict.fromkeys(kind for word in words for kind in names.get(word, ())))
    if words and not checks and not re.search(r"\d", words[0]):
        print(f"check.py: there is no kind of proof {words[0]}; there are {' '.join(sorted(names))}", file=sys.stderr)
        return 2
    wanted = ["(" + " or ".join(f"{kind}/" for kind in checks) + ")"] * bool(checks)
    wanted += [word for word in words if word not in names]
    try:
        pinned.use("make check")
    except pinned.Missing as reason:
        print(f"left out: all proofs, which pytest runs: {reason}\n0 passed, 1 failed")
        return 1
    import pytest
    return pytest.main([*(dict.fromkeys(files[kind] for kind in checks) or [str(folder)]), "-c", f"{folder}/pytest.ini",
                        *(["-k", " and ".join(wanted)] if wanted else []), *options])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
