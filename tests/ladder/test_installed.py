"""What make install installs, and make uninstall takes away: the example of docs/library.md by pkg-config's file and by
CMake, the symbols, and no file that stays."""
import fcntl
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "common/ladder/examples/example.c"
SAYS = "The work is in the stream. 3\n"
CMAKE = """cmake_minimum_required(VERSION 3.16)
project(example C)
find_package(ladder REQUIRED)
add_executable(example %s)
target_link_libraries(example PRIVATE ladder::ladder)
"""


def make(*words):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "MFLAGS"}
    with open(ROOT / "build/installed.lock", "w") as lock:  # another worker may install, too
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(["make", *words], cwd=ROOT, env=kept, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def output_of(*command, **environment):
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """A prefix that has the library, below the folder that DESTDIR names."""
    staged = tmp_path_factory.mktemp("staged")
    make("install", "LADDER_ON=sim", "PREFIX=/opt/of_course", f"DESTDIR={staged}")
    return staged / "opt/of_course"


def test_the_example_by_what_pkg_config_reads(prefix, tmp_path):
    words = dict(re.findall(r"^(Cflags|Libs): (.*)$", (prefix / "lib/pkgconfig/ladder.pc").read_text(), re.MULTILINE))
    flags = " ".join(words.values()).replace("${prefix}", str(prefix)).split()
    output_of("cc", EXAMPLE, *flags, "-o", tmp_path / "example")
    assert output_of(tmp_path / "example", LD_LIBRARY_PATH=str(prefix / "lib")) == SAYS


@pytest.mark.skipif(not shutil.which("cmake"), reason="there is no cmake here")
def test_the_example_by_cmake(prefix, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(CMAKE % EXAMPLE)
    output_of("cmake", "-S", tmp_path, "-B", tmp_path / "built", f"-DCMAKE_PREFIX_PATH={prefix}",
              "-DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON")
    output_of("cmake", "--build", tmp_path / "built")
    assert output_of(tmp_path / "built/example") == SAYS


@pytest.mark.parametrize("library, how", [("libladder.so.1", "-D"), ("libladder.a", "-g")])
def test_all_symbols_begin_with_ladder(prefix, library, how):
    names = re.findall(r"^\w+ [A-Z] (\S+)$", output_of("nm", how, "--defined-only", prefix / "lib" / library), re.MULTILINE)
    assert names and all(name.startswith("ladder_") for name in names), names


def test_nothing_stays(prefix):
    make("uninstall", "PREFIX=/opt/of_course", f"DESTDIR={prefix.parents[1]}")
    assert [path for path in prefix.rglob("*") if path.is_file() or path.is_symlink()] == []
