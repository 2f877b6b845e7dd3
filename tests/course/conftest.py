"""conftest.py - what the tests of the course's Python begin with: they run in its folder, and find its modules."""
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
os.chdir(ROOT)
sys.dont_write_bytecode = True  # the folder of the tests stays as it is
sys.path[:0] = [*(f"common/{folder}" for folder in ("packages", "proofs", "reports", "book", "grading")), "tests/bare"]
