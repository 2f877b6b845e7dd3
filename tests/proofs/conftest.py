"""conftest.py - how pytest runs the proofs: in the root of the course, and with --share=K/N a share of them."""
import os
import sys
import zlib
from pathlib import Path

sys.dont_write_bytecode = True
os.chdir(Path(__file__).resolve().parents[2])
sys.path.insert(0, "common/teach")


def pytest_addoption(parser):
    parser.addoption("--share", metavar="K/N", default="0/1", help="only those whose names fall into share K of N")


def pytest_collection_modifyitems(config, items):
    turn, shares = map(int, config.getoption("share").split("/"))
    items[:] = [item for item in items if zlib.crc32(item.nodeid.encode()) % shares == turn]
