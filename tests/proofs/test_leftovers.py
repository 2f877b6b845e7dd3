"""test_leftovers.py - verdicts leave nothing behind, however they end: tests/course/leftovers.py."""
import subprocess
import sys


def test_verdicts_leave_nothing():
    done = subprocess.run([sys.executable, "-B", "tests/course/leftovers.py", "6"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
