"""test_transcripts.py - what a reader sees of the goals is what tests/transcripts holds (tests/course/transcripts.py)."""
import subprocess
import sys

import pytest
from kernels import environment, files


@pytest.mark.parametrize("path", files("tests/transcripts/*/*.txt"), ids=lambda path: path[len("tests/transcripts/"):])
def test_transcript(path):
    done = subprocess.run([sys.executable, "-B", "tests/course/transcripts.py", path], text=True, capture_output=True,
                          env=environment())
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
