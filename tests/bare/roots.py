"""roots.py - bare systems in folders: made once by debootstrap, with packages in layers on top.

A layer is what an installation changed, as an upper folder of overlayfs; where that cannot be mounted,
it is a whole copy. What is complete is used again: delete the folder to have all made anew. Needs root,
and a namespace of mounts of its own, in which nothing has to be unmounted."""
import fcntl
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

ENTER = str(Path(__file__).with_name("enter.sh"))
MIRROR = os.environ.get("MIRROR", "http://deb.debian.org/debian")
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
# Nobody needs these files after a crash.
HASTE = "echo force-unsafe-io >/etc/dpkg/dpkg.cfg.d/haste"
USER = "student"


class NotMade(Exception):
    """A root could not be made, and why."""


def run_logged(words, log, **options):
    """Runs a command; what it says is kept in a file. Raises NotMade with its last line."""
    with open(log, "w", encoding="utf-8") as file:
        done = subprocess.run(words, stdout=file, stderr=subprocess.STDOUT, check=False, **options)
    if done.returncode != 0:
        last = Path(log).read_text(errors="replace").strip().splitlines()[-1:]
        raise NotMade(f"{' '.join(words[:2])} failed: {''.join(last)}: {log}")


def inside(root, words):
    """The words that run a command in a root, in a namespace of processes that ends with it."""
    return ["unshare", "--mount", "--pid", "--fork", "--kill-child", ENTER, str(root), *words]


class Roots:
    """The roots in a folder. A root is a list of folders, the bare system first."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.overlay = self.can_overlay()

    def can_overlay(self):
        with tempfile.TemporaryDirectory(dir=self.folder) as below:
            try:
                with self.mounted([Path(below)], Path(below, "try"), True):
                    return True
            except NotMade:
                return False

    @contextmanager
    def mounted(self, root, upper, overlay=None):
        """A folder that begins as the root; what is changed in it goes to `upper`. Its path."""
        if overlay or (overlay is None and self.overlay):
            names = [upper / name for name in ("changed", "work", "root")]
            for name in names:
                name.mkdir(parents=True, exist_ok=True)
            changed, work, whole = map(str, names)
            lower = ":".join(str(one) for one in reversed(root))
            run_logged(["mount", "-t", "overlay", "overlay", "-o",
                  f"lowerdir={lower},upperdir={changed},workdir={work}", whole],
                 str(upper) + ".log")
            try:
                yield whole
            finally:
                subprocess.run(["umount", "-l", whole], check=False)
        else:
            upper.mkdir(parents=True, exist_ok=True)
            run_logged(["cp", "-a", "--reflink=auto", f"{root[-1]}/.", f"{upper}/changed"],
                 str(upper) + ".log")
            yield str(upper / "changed")

    def kept(self, name, key, make):
        """Makes a folder unless it is complete, for this key, or another is at it; returns it."""
        folder, stamp = self.folder / name, self.folder / f"{name}.complete"
        with open(self.folder / f"{name}.lock", "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not stamp.exists() or stamp.read_text() != key:
                shutil.rmtree(folder, ignore_errors=True)
                stamp.unlink(missing_ok=True)
                make(folder)
                stamp.write_text(key)
        return folder

    def bare(self, suite):
        """The root of a suite of Debian with nothing but its minimal base and a user."""
        def make(folder):
            run_logged(["debootstrap", "--variant=minbase", suite, str(folder), MIRROR],
                 self.folder / f"{suite}.log")
            run_logged(inside(folder, ["sh", "-c", f"{HASTE}; useradd --create-home --uid 1000 {USER}"]),
                 self.folder / f"{suite}.log")
        return [self.kept(suite, f"{MIRROR} {suite}", make)]

    def with_packages(self, root, packages):
        """The root with these packages on top, installed as the README has it."""
        name = "+".join([root[0].name, *sorted(packages)])
        below = " ".join(str(one) for one in root)

        def make(folder):
            with self.mounted(root, folder) as whole:
                run_logged(inside(whole, ["env", "-i", f"PATH={PATH}", "DEBIAN_FRONTEND=noninteractive", "sh", "-c",
                                    "apt-get update -qq && apt-get install -y \"$@\" && apt-get clean",
                                    "sh", *packages]), str(folder) + ".log")
        folder = self.kept(name, f"{below} {' '.join(packages)} {self.overlay}", make)
        return [*root, folder / "changed"]

    @contextmanager
    def scratch(self, root):
        """A root that may be changed, and is gone afterwards."""
        with tempfile.TemporaryDirectory(dir=self.folder, ignore_cleanup_errors=True) as below:
            with self.mounted(root, Path(below, "scratch")) as whole:
                yield whole
