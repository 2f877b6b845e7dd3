"""conftest.py - how pytest runs the course's Python tests: in its root, and with --share=K/N a share of them."""
import os
import sys
import zlib
from pathlib import Path

sys.dont_write_bytecode = True
os.chdir(Path(__file__).resolve().parents[1])
sys.path[:0] = ["tests/proofs", "common/teach"]


def pytest_addoption(parser):
    parser.addoption("--share", metavar="K/N", default="0/1", help="only those whose names fall into share K of N")


def pytest_collection_modifyitems(config, items):
    turn, shares = map(int, config.getoption("share").split("/"))
    items[:] = [item for item in items if zlib.crc32(item.nodeid.encode()) % shares == turn]


def pytest_terminal_summary(terminalreporter):
    """The last line is one that .ci/run adds up."""
    count = {word: len(terminalreporter.stats.get(word, ())) for word in ("passed", "failed", "error")}
    terminalreporter.write_line(f"{count['passed']} passed, {count['failed'] + count['error']} failed")
