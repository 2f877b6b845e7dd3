"""test_transcripts.py - what a reader sees of the goals is what tests/transcripts holds; tests/course/transcripts.py
compares it, and writes it anew."""
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("path", sorted(map(str, Path("tests/transcripts").glob("*/*.txt"))))
def test_transcript(path):
    done = subprocess.run([sys.executable, "-B", "tests/course/transcripts.py", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout.replace("; ", "\n") + done.stderr
