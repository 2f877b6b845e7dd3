"""extra_texts.py - a lecturer's own texts: EXTRA=dir, with dir/*.txt, and dir/seeds if need be."""
import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from points import Wrong

MOST_BYTES = 16 << 20   # of one text: a simulated GPU counts it on four schedules
MOST_SEED = 2 ** 64 - 1


@dataclass(frozen=True)
class Extra:
    texts: tuple
    seeds: tuple
    hash: str


def extra_in(folder):
    """The Extra of a folder, None without one."""
    if not folder:
        return None
    if not os.path.isdir(folder):
        raise Wrong(f"EXTRA={folder}: there is no such folder")
    texts = sorted(path for path in Path(folder).glob("*.txt") if path.is_file())
    if not texts:
        raise Wrong(f"EXTRA={folder}: has no texts: a file NAME.txt is one")
    whole, seeds = hashlib.sha256(), seeds_in(Path(folder, "seeds"))
    for path in texts:
        if path.stat().st_size == 0:
            raise Wrong(f"{path}: is empty; that text is judged anyway")
        if path.stat().st_size > MOST_BYTES:
            raise Wrong(f"{path}: has {path.stat().st_size:,} bytes; {MOST_BYTES:,} are the "
                           "most that are counted in a short time")
        try:
            whole.update(hashlib.sha256(path.name.encode() + b"\0" + path.read_bytes()).digest())
        except OSError as error:
            raise Wrong(f"{path}: {error.strerror}")
    whole.update(repr(seeds).encode())
    return Extra(tuple(map(str, texts)), seeds, whole.hexdigest())


def seeds_in(path):
    """Whole numbers, by blanks or lines; # begins a comment."""
    try:
        words = re.sub(r"#.*", "", path.read_text()).split()
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError) as error:
        raise Wrong(f"{path}: {getattr(error, 'strerror', None) or 'is no plain text'}")
    for word in words:
        if not (word.isascii() and word.isdigit()) or int(word) > MOST_SEED:
            raise Wrong(f"{path}: '{word}' is no seed: a whole number is one")
    return tuple(words)
