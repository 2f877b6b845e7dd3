"""check.py - proves the course: make check.

    check.py [WORD...] [OPTION...]

pytest runs the proofs (conftest.py), those of a file in kinds/ and whose names have all other words:
`check.py mutants 05`. The options are pytest's: --collect-only tells their names, --durations=10 what
took longest. Status 1 when one failed, and when pytest cannot be had; 2 when the first word is no kind, and
no part of a name either, as it has no digit.
"""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # the folders of the course stay as they are
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "packages"))

import pinned  # noqa: E402


def main(arguments):
    folder = Path(__file__).resolve().parent
    first = next((at for at, word in enumerate(arguments) if word.startswith("-")), len(arguments))
    words, options = arguments[:first], arguments[first:]
    kinds = [f"{folder}/kinds/{word}.py" for word in words if (folder / f"kinds/{word}.py").is_file()]
    if words and not kinds and not re.search(r"\d", words[0]):
        known = " ".join(sorted(path.stem for path in (folder / "kinds").glob("*.py")))
        print(f"check.py: there is no kind of proof {words[0]}; there are {known}", file=sys.stderr)
        return 2
    words = [word for word in words if f"{folder}/kinds/{word}.py" not in kinds]
    try:
        pinned.use("make check")
    except pinned.Missing as reason:
        print(f"left out: all proofs, which pytest runs: {reason}\n0 passed, 1 failed")
        return 1
    import pytest
    return pytest.main([*(kinds or [str(folder)]), "-c", f"{folder}/pytest.ini",
                        *(["-k", " and ".join(words)] if words else []), *options])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
