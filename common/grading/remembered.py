"""remembered.py - findings in a folder, a file for each, by a hash of all that they depend on."""
import fcntl
import hashlib
import json
import os
import secrets
from contextlib import contextmanager
from pathlib import Path


def write(path, text):
    """Writes a file whole, or not at all. In its text, halves of characters become question marks."""
    new = path.with_name(f".new-{os.getpid()}-{secrets.token_hex(4)}")
    try:
        new.write_bytes(text.encode("utf-8", "replace"))
        new.replace(path)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path))
    except BaseException:
        new.unlink(missing_ok=True)
        raise


class InUse(OSError):
    pass


class Remembered:
    def __init__(self, folder):
        self.folder = Path(folder)
        try:
            self.written = set(json.loads((self.folder / "written").read_text()))
        except (OSError, ValueError):
            self.written = set()

    @contextmanager
    def locked(self):
        """One run at a time in a report."""
        with open(self.folder / "lock", "w", encoding="utf-8") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InUse(11, "another run writes this report: wait for its end",
                            str(self.folder.parent))
            yield

    def draw(self):
        """The number from which inputs are drawn, the same for this report for ever."""
        path = self.folder / "draw"
        try:
            return str(int(path.read_text()))
        except (OSError, ValueError):
            drawn = str(1 + secrets.randbelow(65535))
            write(path, drawn + "\n")
            return drawn

    @staticmethod
    def key(*parts):
        whole = hashlib.sha256()
        for part in parts:
            piece = part if isinstance(part, bytes) else \
                json.dumps(part, sort_keys=True).encode()
            whole.update(hashlib.sha256(piece).digest())
        return whole.hexdigest()

    def read(self, key):
        """The finding, or None."""
        try:
            return json.loads((self.folder / f"{key}.json").read_text())
        except (OSError, ValueError):
            return None

    def write(self, key, finding):
        write(self.folder / f"{key}.json", json.dumps(finding, indent=1))

    def is_to_be_judged_anew(self, place):
        """Whether its pages were written, and somebody has removed them."""
        return place in self.written and not (self.folder.parent / place).exists()

    def note_written(self, place):
        if place not in self.written:
            self.written.add(place)
            write(self.folder / "written", json.dumps(sorted(self.written)))
