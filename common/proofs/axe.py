"""axe.py - the accessibility checker axe-core, for pages in a browser: its one JavaScript file, which
comes with the Python package axe-core-python."""
from importlib.resources import files

SCRIPT = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
SERIOUS = ("serious", "critical")


def violations(page, context=None):
    """What axe finds wrong in the page of a Browser: ["serious color-contrast: words (2): .lane"].

    Only what it calls serious or critical."""
    page.run(SCRIPT + "\nreturn 1")
    found = page.run_async(
        "const done = arguments[arguments.length - 1];"
        "axe.run(arguments[0] || document, {resultTypes: ['violations']})"
        ".then(r => done(r.violations.map(v => [v.impact, v.id, v.help, v.nodes.length,"
        " v.nodes.slice(0, 3).map(n => n.target.join(' ')).join('; ')])), e => done([['critical',"
        " 'axe', String(e), 0, '']]));", context)
    return [f"{impact} {name}: {words} ({count}): {where}"
            for impact, name, words, count, where in found if impact in SERIOUS]
