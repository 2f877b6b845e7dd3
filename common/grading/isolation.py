"""isolation.py - runs programs on what strangers wrote, with limits, and sees to their end.

Under bubblewrap a program sees the system's own folders, what it is shown, and one folder to write
to: no other submission, no network, no other process. Where bubblewrap is missing or may not work,
limits alone remain: of time, memory, processes and the size of files.
"""
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from dataclasses import dataclass

MEGA = 1 << 20
MOST_OUTPUT = 256 << 10   # bytes of a program's output that are kept
FILE_BYTES = 80 * MEGA  # of a file, where a task does not say: more than a kernel may print
TASKS = 512             # processes beside those that the user has already
SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
TOOLS = ("/usr", "/opt", "/nix", "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf",
         "/etc/ld.so.conf.d", "/etc/openmpi", "/sys/devices/system")
WORDS = {"bwrap": "in isolation (bubblewrap, the kernel's process in one of its own)",
         "outside": "in isolation (bubblewrap around the judge; this machine allows none inside it)",
         "limits": "with limits of time, memory and processes alone: bubblewrap is missing here, or "
                   "not allowed, so a submission can read files"}


@dataclass(frozen=True)
class Task:
    """A program to run: a list of words, in a folder to which it may write."""
    command: list
    folder: str
    shown: tuple = ()        # files and folders that it may read
    hidden: tuple = ()       # folders that seem empty, but for what is shown in them
    settings: tuple = ()     # of its environment: (name, value)
    devices: bool = False    # /dev with more than /dev/null
    seconds: int = 60        # on the clock
    computing: int = 0       # seconds of one process, 0 for any
    memory: int = 0          # bytes of address space of one process, 0 for any
    file: int = FILE_BYTES   # bytes of a file


@dataclass(frozen=True)
class Ended:
    status: int
    output: str
    late: bool               # it was ended, for its time was over


def system_folders():
    """What bubblewrap is told of the machine."""
    words = []
    for path in SYSTEM:
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            words += ["--ro-bind", path, path]
    for path in TOOLS:
        words += ["--ro-bind-try", path, path]
    return words


def around(task, own_processes):
    """The words before a command that put bubblewrap around it.

    In a container that hides parts of /proc there can be no new one: then its own is seen, and the
    processes in it, though not what they hold.
    """
    words = ["bwrap", "--die-with-parent", "--new-session", "--unshare-user-try", "--unshare-ipc",
             "--unshare-net", "--unshare-uts", "--unshare-cgroup-try", *system_folders(),
             "--size", str(256 * MEGA), "--tmpfs", "/tmp"]
    words += ["--unshare-pid", "--proc", "/proc"] if own_processes else ["--bind", "/proc", "/proc"]
    if task.devices:  # and the rights to put bubblewrap around the kernel's process
        words += ["--dev", "/dev"]
    else:  # without /dev/zero, which a source could include
        words += ["--dev-bind", "/dev/null", "/dev/null", "--symlink", "/proc/self/fd", "/dev/fd",
                  "--cap-drop", "ALL"]
    for folder in task.hidden:
        words += ["--tmpfs", folder]
    for path in task.shown:
        words += ["--ro-bind", path, path]
    return [*words, "--bind", task.folder, task.folder, "--chdir", task.folder]


def limits_of(task):
    """The words before a command that limit it; of memory only where the task says so."""
    words = ["prlimit", "--core=0", f"--fsize={task.file}"]
    if os.getuid() != 0:  # the system does not count for root
        words += [f"--nproc={tasks_of_user() + TASKS}"]
    if task.computing:
        words += [f"--cpu={task.computing}"]
    if task.memory:
        words += [f"--as={task.memory}"]
    return words


def tasks_of_user():
    """Threads of this user that run now, which the limit counts, too."""
    count = 0
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and os.stat(f"/proc/{entry}").st_uid == os.getuid():
                count += len(os.listdir(f"/proc/{entry}/task"))
        except OSError:
            pass
    return count


class NotIsolated(OSError):
    """Bubblewrap could not do its work."""


class Isolation:
    """How programs run on this machine, and all that run at present."""

    def __init__(self, how=None):
        self.lock, self.running, self.stopped = threading.Lock(), set(), False
        self.how, self.own_processes = "limits", True
        chosen = how or os.environ.get("GRADE_SANDBOX")
        self.how = chosen if chosen in WORDS else self.find_out()

    def find_out(self):
        """Whether bubblewrap works here, and inside itself as well."""
        inside = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--unshare-pid", "--tmpfs",
                  "/proc", "/usr/bin/true"]
        if not shutil.which("bwrap"):
            return "limits"
        with tempfile.TemporaryDirectory() as folder:
            for how, command, self.own_processes in (
                    ("bwrap", inside, True), ("bwrap", inside, False),
                    ("outside", ["/usr/bin/true"], True), ("outside", ["/usr/bin/true"], False)):
                self.how = how
                if self.works(Task(command, folder, devices=True)):
                    return how
        return "limits"

    def works(self, task):
        try:
            return self.run(task).status == 0
        except NotIsolated:
            return False

    def run(self, task):
        """Runs the task to its end: an Ended. Raises KeyboardInterrupt after stop()."""
        wrapped = self.how != "limits"
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8",
                       "HOME": "/nonexistent", **dict(task.settings)}
        if not wrapped:  # what a compiler leaves behind goes with the folder
            environment["TMPDIR"] = task.folder
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as status_file:
            words = limits_of(task)
            if wrapped:
                words += [*around(task, self.own_processes), "--json-status-fd",
                          str(status_file.fileno())]
            with self.lock:
                if self.stopped:
                    raise KeyboardInterrupt
                process = subprocess.Popen([*words, *task.command], stdin=subprocess.DEVNULL,
                                           stdout=output, stderr=output, env=environment,
                                           start_new_session=True, pass_fds=(status_file.fileno(),),
                                           cwd="/" if wrapped else task.folder)
                self.running.add(process)
            late = self.wait(process, task.seconds)
            if self.stopped:
                raise KeyboardInterrupt
            output.seek(0)
            status_file.seek(0)
            text = output.read(MOST_OUTPUT).decode("utf-8", "replace")
            # It tells how a program ended when it has begun one: else the machine is at fault.
            if wrapped and process.returncode > 0 and not late and b"exit-code" not in status_file.read():
                raise NotIsolated(5, text.strip().partition("\n")[0], "bubblewrap")
        return Ended(process.returncode, text, late)

    def wait(self, process, seconds):
        """Waits for its end, or ends it. Returns whether it was late."""
        try:
            process.wait(seconds)
            return False
        except subprocess.TimeoutExpired:
            return True
        finally:
            end(process)
            with self.lock:
                self.running.discard(process)

    def stop(self):
        """Ends all that run, and lets nothing begin."""
        with self.lock:
            self.stopped = True
            for process in self.running:
                kill(process)


def kill(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def end(process):
    """Ends a process with its group, whatever is left of it."""
    kill(process)
    process.wait()
