"""browser.py - a headless Chromium for proofs of pages.

Debian's chromium and chromium-driver; the driver is spoken to in its own protocol, W3C WebDriver
and the browser's DevTools, with the standard library alone. A proof asks missing() first, and makes
its words a remark when there are some:

    if browser.missing():
        return [browser.missing()]
    with browser.Browser() as page:
        page.open("build/page.html")
        page.keys("ArrowRight")
        assert not page.errors() and not page.requests()

The browser and all that it started are gone when the block ends, however it ends: this file, run
as a program, is their parent, and ends them when the proof lets go of its standard input.
"""
import base64
import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

SECONDS = 300  # the longest that one command may take
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the name of an element in the protocol
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
# Keys that are no characters, by the names that a page sees.
KEYS = {"Backspace": "\ue003", "Tab": "\ue004", "Enter": "\ue007", "Shift": "\ue008",
        "Escape": "\ue00c", "PageUp": "\ue00e", "PageDown": "\ue00f", "End": "\ue010",
        "Home": "\ue011", "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014",
        "ArrowDown": "\ue015", "Delete": "\ue017", "Control": "\ue009", "Alt": "\ue00a"}


def missing():
    """What is not installed, as a remark, or None."""
    lacking = [package for package, there in (
        ("chromium", any(map(shutil.which, CHROMIUM))),
        ("chromium-driver", shutil.which("chromedriver"))) if not there]
    if not lacking:
        return None
    return f"not checked: pages in a browser, without {' and '.join(lacking)} of Debian"


class Failed(Exception):
    """What the browser could not do, in its words."""


class Browser:
    """One window. All paths are of files on this machine."""

    def __init__(self, width=1280, height=900):
        self.width, self.height = width, height

    def __enter__(self):
        self.profile = tempfile.mkdtemp(prefix="browser-")
        self.keeper = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env={**os.environ, "HOME": self.profile})
        try:
            self.root = f"http://127.0.0.1:{self._port()}"
            wishes = {"capabilities": {"alwaysMatch": self._wishes()}}
            answer = self._send("POST", "/session", wishes)
            self.root += f"/session/{answer['sessionId']}"
            self.size(self.width, self.height)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        try:
            if "/session/" in getattr(self, "root", ""):
                self._send("DELETE", "", seconds=10)
        except (Failed, OSError):
            pass
        self.keeper.stdin.close()
        self.keeper.wait()
        self.keeper.stdout.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    def _port(self):
        for line in self.keeper.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                return found.group(1)
        raise Failed("chromedriver did not start")

    def _wishes(self):
        flags = ["--headless=new", f"--user-data-dir={self.profile}/data", "--no-first-run",
                 "--disable-gpu", "--disable-dev-shm-usage", "--disable-breakpad",
                 "--disable-background-networking", "--disable-component-update",
                 "--force-device-scale-factor=1", "--hide-scrollbars", "--mute-audio"]
        if os.geteuid() == 0:  # Chromium refuses to be root inside its sandbox
            flags.append("--no-sandbox")
        binary = next(path for path in map(shutil.which, CHROMIUM) if path)
        return {"browserName": "chrome", "timeouts": {"script": SECONDS * 1000},
                "goog:chromeOptions": {"args": flags, "binary": binary},
                "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}

    def _send(self, method, path, content=None, seconds=SECONDS):
        data = None if content is None else json.dumps(content).encode()
        request = urllib.request.Request(self.root + path, data, method=method,
                                         headers={"Content-Type": "application/json"})
        # Not through a proxy that the environment may name: the driver is on this machine.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=seconds) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            said = json.load(error)["value"]
            raise Failed(said["message"].split("\n")[0]) from None

    def devtools(self, command, **parameters):
        """A command of the DevTools protocol, such as Emulation.setEmulatedMedia; its answer."""
        return self._send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    # The page and its window.

    def open(self, path, fragment=""):
        """Opens a file, and waits until it is loaded. What was logged before is forgotten."""
        self._log("browser"), self._log("performance")
        self._send("POST", "/url", {"url": Path(path).resolve().as_uri() + fragment})

    def size(self, width, height):
        """Sets the size of what shows the page, in CSS pixels; narrower than a window may be."""
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height,
                      deviceScaleFactor=1, mobile=False)

    def emulate(self, scheme=None, media="", still=False):
        """scheme: "light" or "dark"; media: "print"; still: the reader wants no motion."""
        features = [{"name": "prefers-color-scheme", "value": scheme or ""},
                    {"name": "prefers-reduced-motion", "value": "reduce" if still else ""}]
        self.devtools("Emulation.setEmulatedMedia", media=media, features=features)

    def run(self, script, *arguments):
        """What the JavaScript returns; it is the body of a function."""
        return self._send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        """What the JavaScript hands to its last argument, a function."""
        return self._send("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def wait(self, script, seconds=120):
        """Waits until the JavaScript returns something true, and returns it."""
        end = time.monotonic() + seconds
        while not (value := self.run(script)):
            if time.monotonic() > end:
                raise Failed(f"never came true in {seconds} s: {script}")
            time.sleep(0.03)
        return value

    def text(self, selector):
        """The visible text of the first element that the CSS selector means."""
        return self.run("return document.querySelector(arguments[0]).innerText", selector)

    # What a reader does.

    def keys(self, *names):
        """Presses keys one after the other: "ArrowRight", "Tab", or a character."""
        actions = []
        for name in names:
            held, _, last = name.rpartition("+") if len(name) > 1 else ("", "", name)
            pressed = [KEYS.get(key, key) for key in (held, last) if key]
            actions += [{"type": "keyDown", "value": key} for key in pressed]
            actions += [{"type": "keyUp", "value": key} for key in reversed(pressed)]
        self._act({"type": "key", "id": "keys", "actions": actions})

    def click(self, selector, number=0):
        """Clicks into the middle of the element, the number-th that the CSS selector means."""
        x, y = self._point(selector, number, 0.5, 0.5)
        self._pointer((x, y), [])

    def drag(self, selector, begin, end, steps=8):
        """Drags inside an element, from a point to another: (0.5, 0.5) is its middle."""
        x0, y0 = self._point(selector, 0, *begin)
        x1, y1 = self._point(selector, 0, *end)
        way = [(x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps)
               for i in range(1, steps + 1)]
        self._pointer((x0, y0), way)

    def _point(self, selector, number, right, down):
        found = self.run(
            "const e = document.querySelectorAll(arguments[0])[arguments[1]]; if (!e) return null;"
            "e.scrollIntoView({block: 'nearest', inline: 'nearest', behavior: 'instant'});"
            "const r = e.getBoundingClientRect(); return [r.left, r.top, r.width, r.height];",
            selector, number)
        if not found:
            raise Failed(f"no element {number} of {selector}")
        left, top, width, height = found
        return left + min(width * right, width - 1), top + min(height * down, height - 1)

    def _pointer(self, begin, way):
        move = [{"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)}
                for x, y in [begin, *way]]
        self._act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
                   "actions": [move[0], {"type": "pointerDown", "button": 0}, *move[1:],
                               {"type": "pointerUp", "button": 0}]})

    def _act(self, source):
        self._send("POST", "/actions", {"actions": [source]})

    # What can be seen of it.

    def screenshot(self, path, whole=False):
        """The page as a PNG: what is in the window, or the whole of it."""
        shot = self.devtools("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        Path(path).write_bytes(base64.b64decode(shot["data"]))

    def pdf(self, path):
        """The page as it is printed, on A4."""
        made = self.devtools("Page.printToPDF", paperWidth=8.27, paperHeight=11.69,
                             printBackground=False, preferCSSPageSize=True)
        Path(path).write_bytes(base64.b64decode(made["data"]))

    def errors(self):
        """Errors and warnings on the console since the last call, or since open."""
        return [entry["message"] for entry in self._log("browser")
                if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """Addresses asked for since the last call, or since open, but for files of this machine."""
        events = [json.loads(entry["message"])["message"] for entry in self._log("performance")]
        urls = [event["params"]["request"]["url"] for event in events
                if event["method"] == "Network.requestWillBeSent"]
        return [url for url in urls if not url.startswith(("file:", "data:", "blob:", "about:"))]

    def _log(self, kind):
        return self._send("POST", "/se/log", {"type": kind})


def children():
    """The processes that are ours, since we started them or those who did are gone."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            if stat.read_text().rpartition(")")[2].split()[1] == str(os.getpid()):
                found.append(int(stat.parent.name))
        except OSError:
            pass
    return found


def keep():
    """Runs the driver until standard input ends; then ends all that is left, and buries it."""
    be_parent_of_orphans = 36  # PR_SET_CHILD_SUBREAPER
    ctypes.CDLL(None).prctl(be_parent_of_orphans, 1, 0, 0, 0)
    subprocess.Popen(["chromedriver", "--port=0"], stdin=subprocess.DEVNULL)
    sys.stdin.read()
    while left := children():
        for process in left:
            os.kill(process, signal.SIGKILL)
        for process in left:
            os.waitpid(process, 0)


if __name__ == "__main__":
    keep()
