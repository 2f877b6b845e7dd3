"""memory.py - a group of processes that may have so many bytes of memory, all together.

By the memory controller of control groups, version 2 or 1: what is reserved and never touched does not
count, as it does for a limit of addresses. Needs root."""
import os
from contextlib import contextmanager, suppress
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")
LIMITS = ("memory.max", "memory.limit_in_bytes")
OF_SWAP = (("memory.swap.max", False), ("memory.memsw.limit_in_bytes", True))


class NoMemory(Exception):
    """Why there can be no such group here."""


@contextmanager
def limited(size):
    """The words before a command that put it into such a group; none when the size is 0."""
    group = made(size) if size else None
    try:
        yield ["sh", "-c", 'echo $$ >"$0" && exec "$@"', str(group / "cgroup.procs")] if group else []
    finally:
        if group:
            with suppress(OSError):  # somebody in it is still at his end
                group.rmdir()


def made(size):
    """A new group of so many bytes, of memory and swap together."""
    for parent in (GROUPS, GROUPS / "memory"):
        group = parent / f"bare-{os.getpid()}"
        try:
            group.mkdir()
        except OSError:
            continue
        limit = next((group / name for name in LIMITS if (group / name).exists()), None)
        if limit:
            limit.write_text(str(size))
            for name, with_memory in OF_SWAP:
                if (group / name).exists():
                    (group / name).write_text(str(size if with_memory else 0))
            return group
        group.rmdir()
    raise NoMemory("no control group limits memory here")
