"""how_far.py - how far long work is: "[ 37/1050] mutants 05_shared/not_zeroed, 12 a minute".

On a terminal it is one line on standard error, written anew and gone at the end; elsewhere a line
now and then, so that a log shows what is slow.
"""
import sys
import threading
import time

SECONDS = 30  # between two lines of a log


class Progress:
    """Counts what is done of so many, from any thread."""

    def __init__(self, total, out=None, clock=time.monotonic):
        self.total, self.done = total, 0
        self.out, self.clock = out or sys.stderr, clock
        self.begun = self.told = clock()
        self.lock = threading.Lock()

    def step(self, name):
        """One more is done, called `name`."""
        with self.lock:
            self.done += 1
            self.tell(name)

    def reach(self, done, name):
        """So many are done, of which one is called `name`."""
        with self.lock:
            self.done = done
            self.tell(name)

    def tell(self, name):
        """Shows it: at once on a terminal, and elsewhere when it is time."""
        if self.out.isatty():
            self.out.write(f"\r\033[K{self.line(name)[:100]}")
            self.out.flush()
        elif self.clock() - self.told >= SECONDS:
            self.told = self.clock()
            print(self.line(name), file=self.out, flush=True)

    def line(self, name):
        seconds = self.clock() - self.begun
        rate = f", {self.done * 60 / seconds:.0f} a minute" if seconds >= 1 else ""
        width = len(str(self.total))
        return f"[{self.done:{width}}/{self.total}] {name}{rate}"

    def clear(self):
        """Takes the line away before something else is printed; a log keeps its lines."""
        if self.out.isatty():
            with self.lock:
                self.out.write("\r\033[K")
                self.out.flush()
