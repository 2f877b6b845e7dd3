"""at_terminal.py - starts a program at a terminal, and does there what a script says: for
tests/transcripts/programs/watch.txt.

    at_terminal.py [--input FILE] PROGRAM WORD... <SCRIPT

With --input there is no terminal: the program reads FILE, and prints into a pipe. A line of the script is a verb
and its words, in which \\n, \\33 and so on are one character:

    await WORDS             they are printed, after what was awaited before; in a minute, for machines are busy
    times NUMBER WORDS      they were printed so often so far
    save FILE CONTENT       of one word and the others; COMMAND by sh, which has to end well:
    run COMMAND
    type KEYS
    size LINES COLUMNS      of the terminal from here on
    nap SECONDS
    signal NAME             to the program
    mode own, mode before   the terminal is, soon, in the program's own mode, or as it was before
    idle SECONDS PERCENT    in so many it computes less than that
    ends well, ends badly   by itself, soon; the terminal is as it was before

Prints "it went so", or the first line that was not so, with all that the program printed."""
import fcntl
import os
import select
import signal
import struct
import subprocess
import sys
import termios
import time

PATIENCE = 60  # seconds


class Session:
    def __init__(self, words, given):
        self.output, self.seen = "", 0
        self.here, there = os.pipe() if given else os.openpty()
        self.terminal = None if given else there
        self.size("24", "80")
        self.before = self.current_mode()
        self.program = subprocess.Popen(
            words, stdin=os.open(given, os.O_RDWR) if given else there, stdout=there, stderr=there,
            start_new_session=True, env={**os.environ, "TERM": "xterm"},
            preexec_fn=None if given else lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        if given:
            os.close(there)

    def current_mode(self):
        return self.terminal and termios.tcgetattr(self.terminal)

    def hear(self, seconds):
        if select.select([self.here], [], [], seconds)[0]:
            self.output += os.read(self.here, 1 << 16).decode(errors="replace").replace("\r\n", "\n")

    def soon(self, is_so):
        """Whether it comes to be so; meanwhile what is printed is heard."""
        end = time.monotonic() + PATIENCE
        while not is_so() and time.monotonic() < end:
            self.hear(0.05)
        return is_so()

    def awaits(self, words):
        found = self.soon(lambda: words in self.output[self.seen:])
        self.seen = self.output.find(words, self.seen) + len(words)
        return found

    def times(self, number, words):
        return self.output.count(words) == int(number)

    def save(self, file, content):
        with open(file, "w", encoding="utf-8") as to:
            return to.write(content) == len(content)

    def run(self, command):
        return subprocess.run(["sh", "-c", command], check=False).returncode == 0

    def type(self, keys):
        return os.write(self.here, keys.encode()) > 0

    def size(self, lines, columns):
        if self.terminal:
            fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", int(lines), int(columns), 0, 0))
        return True

    def nap(self, seconds):
        time.sleep(float(seconds))
        return True

    def signal(self, name):
        self.program.send_signal(signal.Signals[f"SIG{name}"])
        return True

    def mode(self, whose):
        return self.soon(lambda: (self.current_mode() == self.before) == (whose == "before"))

    def computed(self):
        with open(f"/proc/{self.program.pid}/stat", encoding="ascii") as file:
            return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")

    def idle(self, seconds, percent):
        begun, computed = time.monotonic(), self.computed()
        time.sleep(float(seconds))
        return 100 * (self.computed() - computed) < float(percent) * (time.monotonic() - begun)

    def ends(self, how):
        ended = self.soon(lambda: self.program.poll() is not None)
        return ended and (self.program.returncode == 0) == (how == "well") and self.current_mode() == self.before


# A verb, and how many words it takes: the last has what is left of the line.
VERBS = {"await": (Session.awaits, 1), "times": (Session.times, 2), "save": (Session.save, 2), "run": (Session.run, 1),
         "type": (Session.type, 1), "size": (Session.size, 2), "nap": (Session.nap, 1), "signal": (Session.signal, 1),
         "mode": (Session.mode, 1), "idle": (Session.idle, 2), "ends": (Session.ends, 1)}


def main(words):
    given = words[1] if words[0] == "--input" else None
    session = Session(words[2:] if given else words, given)
    try:
        for line in sys.stdin.read().splitlines():
            verb, *rest = line.encode().decode("unicode_escape").split(" ", 1)
            do, count = VERBS[verb]
            if not do(session, *rest[0].split(" ", count - 1)):
                return f"not so: {line}\nit said:\n{session.output}"
        return "it went so"
    finally:
        if session.program.poll() is None:
            session.program.kill()


if __name__ == "__main__":
    print(main(sys.argv[1:]))
