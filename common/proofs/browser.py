"""browser.py - a headless Chromium for proofs of pages: Debian's, which selenium drives.

A proof asks missing() first, and makes its words a remark when there are some:

    if browser.missing():
        return [browser.missing()]
    with browser.Browser() as page:
        page.open("build/page.html")
        page.keys("ArrowRight")
        assert not page.errors() and not page.requests()

The browser and its folder are gone when the block ends, however it ends.
"""
import json
import os
import re
import shutil
import tempfile
from importlib.resources import files
from pathlib import Path

from selenium import webdriver
from selenium.common import WebDriverException as Failed  # noqa: F401 - what the browser could not do
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

SECONDS = 300  # the longest that one command may take
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ("--headless=new", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage",
         "--disable-breakpad", "--disable-background-networking", "--disable-component-update",
         "--force-device-scale-factor=1", "--hide-scrollbars", "--mute-audio")
# The accessibility checker axe-core: the one JavaScript file of the package axe-core-python.
AXE = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
SERIOUS = ("serious", "critical")
WCAG = {"wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"}  # axe's tags of what A and AA ask for


def missing():
    """What is not installed, as a remark, or None."""
    lacking = [package for package, there in (
        ("chromium", any(map(shutil.which, CHROMIUM))),
        ("chromium-driver", shutil.which("chromedriver"))) if not there]
    if not lacking:
        return None
    return f"not checked: pages in a browser, without {' and '.join(lacking)} of Debian"


class Browser(webdriver.Chrome):
    """One window. All paths are of files on this machine, all places CSS selectors."""

    def __init__(self, width=1280, height=900):
        self.home = tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True)
        options = webdriver.ChromeOptions()
        options.binary_location = next(filter(None, map(shutil.which, CHROMIUM)))
        options.ignore_local_proxy_environment_variables()  # the driver is on this machine
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        for flag in FLAGS + ("--no-sandbox",) * (os.geteuid() == 0):  # root may not be inside
            options.add_argument(flag)
        super().__init__(options, webdriver.ChromeService(
            shutil.which("chromedriver"), env={**os.environ, "HOME": self.home.name}))
        self.command_executor.client_config.timeout = SECONDS
        self.set_script_timeout(SECONDS)
        self.size(width, height)
        self.run = self.execute_script
        self.run_async = self.execute_async_script

    def quit(self):
        super().quit()
        self.home.cleanup()

    # The page and its window.

    def open(self, path, fragment=""):
        """Opens a file, and waits until it is loaded. What was logged before is forgotten."""
        self.get_log("browser"), self.get_log("performance")
        self.get(Path(path).resolve().as_uri() + fragment)

    def size(self, width, height):
        """Sets the size of what shows the page, in CSS pixels; narrower than a window may be."""
        self.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def emulate(self, scheme=None, media=""):
        """scheme: "light" or "dark"; media: "print"."""
        self.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "media": media,
            "features": [{"name": "prefers-color-scheme", "value": scheme or ""}]})

    def wait(self, script, seconds=120):
        """Waits until the JavaScript returns something true, and returns it."""
        return WebDriverWait(self, seconds, 0.03).until(
            lambda page: page.run(script), f"never came true in {seconds} s: {script}")

    def printed(self, tries=6):
        """The page as a PDF, in base64. The driver gives the browser 10 s for it, in which a busy machine may not
        have come to it."""
        for left in reversed(range(tries)):
            try:
                return self.print_page()
            except Failed:
                if not left:
                    raise

    def text(self, place):
        """The visible text of the first element there."""
        return self.run("return document.querySelector(arguments[0]).innerText", place)

    # What a reader does.

    def keys(self, *names):
        """Presses keys one after the other: "ArrowRight", "Control+v", or a character."""
        actions = ActionChains(self, duration=0)
        for name in names:
            pressed = [key if len(key) == 1 else
                       getattr(Keys, re.sub(r"\B(?=[A-Z])", "_", key).upper())
                       for key in ([name] if len(name) == 1 else name.split("+"))]
            for key in pressed:
                actions.key_down(key)
            for key in reversed(pressed):
                actions.key_up(key)
        actions.perform()

    def click(self, place):
        """Clicks into the middle of the first element there."""
        element = self._shown(place)
        ActionChains(self, duration=0).move_to_element(element).click().perform()

    def _shown(self, place):
        """The first element there, in the window, at once where the page would scroll smoothly."""
        element = self.find_element(By.CSS_SELECTOR, place)
        self.run("arguments[0].scrollIntoView({block: 'nearest', behavior: 'instant'})", element)
        return element

    def drag(self, place, begin, end):
        """Drags inside an element, from a point to another: (0.5, 0.5) is its middle."""
        bar = self._shown(place)
        (x, y), (right, down) = ([round((at - 0.5) * side) for at, side in zip(
            point, (bar.size["width"], bar.size["height"]))] for point in (begin, end))
        ActionChains(self, duration=0).move_to_element_with_offset(bar, x, y).click_and_hold() \
            .move_by_offset((right - x) // 2, (down - y) // 2) \
            .move_to_element_with_offset(bar, right, down).release().perform()

    # What can be seen of it.

    def errors(self):
        """Errors and warnings on the console since the last call, or since open."""
        return [entry["message"] for entry in self.get_log("browser")
                if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """Addresses asked for since the last call, or since open, but for files of this machine."""
        events = [json.loads(entry["message"])["message"] for entry in self.get_log("performance")]
        urls = [event["params"]["request"]["url"] for event in events
                if event["method"] == "Network.requestWillBeSent"]
        return [url for url in urls if not url.startswith(("file:", "data:", "blob:", "about:"))]

    def violations(self, context=None):
        """What axe finds wrong: ["serious color-contrast: words (2): .lane"]. Only what it calls serious or
        critical, and all that the levels A and AA of WCAG ask for."""
        self.run(AXE + "\nreturn 1")
        found = self.run_async(
            "const done = arguments[arguments.length - 1];"
            "axe.run(arguments[0] || document, {resultTypes: ['violations']})"
            ".then(r => done(r.violations.map(v => [v.impact, v.id, v.help, v.nodes.length, v.tags,"
            " v.nodes.slice(0, 3).map(n => n.target.join(' ')).join('; ')])), e => done([['critical',"
            " 'axe', String(e), 0, [], '']]));", context)
        return [f"{impact} {name}: {words} ({count}): {where}"
                for impact, name, words, count, tags, where in found
                if impact in SERIOUS or not WCAG.isdisjoint(tags)]
