"""test_trace_page.py - the page of a trace works, in a browser, as a reader uses it.

Debian's Chromium, which selenium drives; without it these tests are skipped. The pages are made as a student makes
them: of the solution of a chapter with texts and of one with values, and of a kernel with a race.
"""
import json
import os
import re
import shutil
from pathlib import Path

import pytest
from kernels import make, number, placed, words_of
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(not CHROMIUM or not shutil.which("chromedriver"), reason="needs chromium and chromium-driver")
STEP = "return Number(document.getElementById('bar').getAttribute('aria-valuenow'))"
MOST_BYTES = 2 * 1000 * 1000
SOLUTIONS = ["05_privatized_global", "40_shared_tree"]
RACY = "tests/mutants/05_privatized_global/non_atomic_count.patch"


@pytest.fixture(scope="module")
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in ("--headless=new", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,900",
                 *["--no-sandbox"] * (os.geteuid() == 0)):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
    yield driver
    driver.quit()


def opened(browser, *words):
    """Makes a page of a trace and opens it; returns what it tells."""
    printed = make(*words, "trace", check=False).stdout
    path = Path(re.search(r"^\S+\.html$", printed, re.MULTILINE).group())
    assert path.stat().st_size < MOST_BYTES
    browser.get_log("browser"), browser.get_log("performance")
    browser.get(path.resolve().as_uri())
    page = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'<script type="application/json" id="trace">(.*?)</script>', page, re.DOTALL)[1])


def test_each_access_has_a_line(browser):
    """Chapter 60 counts in two headers: a page that shows one of them has no line for the steps of the other."""
    trace = opened(browser, "chapter60", "solution")
    assert len(trace["files"]) == 3
    assert not [step for step in trace["steps"] if step["o"] in ("ld", "st", "red", "atom", "bar", "nccl") and step["n"] == 0]
    assert is_quiet(browser)


def press(browser, *names):
    for name in names:
        ActionChains(browser, duration=0).send_keys(getattr(Keys, name, name)).perform()


def click(browser, place):
    element = browser.find_element(By.CSS_SELECTOR, place)
    browser.execute_script("arguments[0].scrollIntoView({block: 'nearest', behavior: 'instant'})", element)
    ActionChains(browser, duration=0).move_to_element(element).click().perform()


def is_quiet(browser):
    """Nothing on the console, and no request of another host."""
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    urls = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    return not browser.get_log("browser") and not [url for url in urls if url.startswith("http")]


@pytest.mark.parametrize("stem", SOLUTIONS)
def test_solution(browser, stem):
    trace = opened(browser, f"chapter{number(stem)}", "solution")
    steps = trace["steps"]
    for key, wanted in (("ARROW_RIGHT", 2), ("ARROW_RIGHT", 3), ("ARROW_LEFT", 2), ("END", len(steps)), ("HOME", 1)):
        press(browser, key)
        assert browser.execute_script(STEP) == wanted, key
    assert trace["outcome"]["right"]
    line = browser.execute_script("return Number(document.querySelector('.line.walked').dataset.line)")
    wanted = [at + 1 for at, step in enumerate(steps) if step["n"] == line]
    click(browser, ".line.walked")
    press(browser, "ARROW_RIGHT")
    assert browser.execute_script(STEP) == wanted[min(1, len(wanted) - 1)], "a click on a line does not filter"
    click(browser, ".chip")
    press(browser, "END")
    rows = browser.execute_script("return [...document.querySelectorAll('tr[data-metric]')].map("
                                  "row => [row.dataset.metric, row.dataset.sum, row.dataset.value])")
    assert rows and all(summed == value for _, summed, value in rows), f"the steps do not sum up to what was counted: {rows}"
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False})
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 400, "does not fit a narrow screen"
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert is_quiet(browser)


def test_race(browser):
    """Both accesses of the race are marked, and the buttons lead to them."""
    race = opened(browser, *words_of(placed(RACY, "mutants")))["race"]
    for order in ("first", "second"):
        click(browser, f"[data-race={order}]")
        assert browser.execute_script(STEP) == race[order] + 1
        assert browser.execute_script("return document.querySelectorAll('.lane.racy').length")
    assert race["lost"] in browser.find_element(By.ID, "story").text and is_quiet(browser)
