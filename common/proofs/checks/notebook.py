"""notebook.py - proves that docs/notebook.ipynb runs from top to bottom, in a copy of the course on the simulated GPU.

nbclient runs it three times: as it is, with the solution in the cell of the kernel, and with cells that make no sense.
Where its packages cannot be had, one line says so.
"""
import json
import subprocess
from pathlib import Path

import course
import pinned
import scratch
from checks import programs
from proof import Proof

PAGE, MAGIC = "docs/notebook.ipynb", "common/tools/notebook/chapter_magic.py"
LIST = course.ROOT / "common/packages/notebook.txt"
RED, GREEN, END = "\x1b[31m", "\x1b[32m", "\x1b[0m"
RUN = """
import sys, nbclient, nbformat
notebook = nbformat.read(sys.argv[1], 4)
nbformat.validate(notebook)
nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": sys.argv[2]}}).execute()
nbformat.write(notebook, sys.argv[1])
"""


def cells(texts):
    """The cells of PAGE, with these texts in place of some: {id: text}."""
    notebook = json.loads(Path(PAGE).read_text())
    for cell in notebook["cells"]:
        cell["source"] = texts.get(cell["id"], cell["source"])
    return notebook


def run(python, copy, **texts):
    """Runs the notebook in the docs of a copy: {id of a cell: what it printed}; a failure is that of "failed"."""
    path = Path(copy, "docs", "run.ipynb")
    path.write_text(json.dumps(cells(texts)))
    done = subprocess.run([python, "-B", "-c", RUN, path, path.parent], text=True, capture_output=True,
                          env=scratch.environment())
    if done.returncode != 0:
        return {"failed": (done.stderr.strip().splitlines() or ["without a word"])[-1]}
    return {cell["id"]: "".join("".join(one.get("text", "")) for one in cell.get("outputs", ()))
            for cell in json.loads(path.read_text())["cells"]}


def first_line(outputs):
    return outputs.get("failed") or outputs["kernel"].partition("\n")[0]


def stem_named():
    """The chapter that the cell of a kernel names."""
    text = next("".join(cell["source"]) for cell in cells({})["cells"] if cell["id"] == "kernel")
    return next(stem for stem in course.stems("chapters") if course.number(stem) == int(text.removeprefix("%verdict ")))


def prove_runs(python, copy):
    """[(what is right, whether, what was said instead)]."""
    stem = stem_named()
    name, number = course.source("chapters", stem), course.number(stem)
    file, copies = Path(copy, name), lambda: sorted(file.parent.glob("*.cu.[0-9]*"))
    stub, solution = file.read_text(), Path(course.source("solutions", stem)).read_text()
    outputs = run(python, copy)
    yield ("as it is it says in red what is to be done", RED + f"{name}:" in first_line(outputs)
           and END in first_line(outputs) and f"TODO({number}.1)" in first_line(outputs), outputs)
    yield "and it leaves the file as it was", (file.read_text(), copies()) == (stub, []), copies()
    yield "and it goes on without a GPU", "needs a GPU and nvcc" in outputs.get("gpu", "") or not outputs.get("gpu"), outputs
    outputs = run(python, copy, kernel=f"%%chapter {number}\n{solution}")
    yield ("a solution is right, in green, and what was there is kept",
           first_line(outputs) == f"{name}: what was there is in {file.name}.1"
           and f"\n{GREEN}chapter {number}: right on" in outputs["kernel"] and file.read_text() == solution
           and [one.read_text() for one in copies()] == [stub], outputs)
    outputs = run(python, copy, kernel=f"%%chapter {number} BINS=26\n#error no", gpu=f"""try:
    get_ipython().run_line_magic("chapter", "{number}")
    text = get_ipython().payload_manager.read_payload()[-1]["text"]
    print(text == "%%chapter {number}\\n" + open("{file}").read())
    get_ipython().run_cell_magic("chapter", "none", "x")
except Exception as wrong:
    print(type(wrong).__name__, wrong)""")
    yield ("words go on to make, and what does not compile is red",
           f"\n{RED}{name}:1:" in outputs.get("kernel", "") and "error" in outputs["kernel"], outputs)
    yield "a second copy has the next number", len(copies()) == 2 and copies()[1].read_text() == solution, copies()
    yield ("a chapter that is not there is told in one line",
           outputs.get("gpu", "").partition("\n")[2].startswith("UsageError chapter: 'none' is no number")
           and outputs["gpu"].count("\n") == 2, outputs)
    yield "the file comes into the next cell", outputs.get("gpu", "").startswith("True\n"), outputs


def prove():
    try:
        python = pinned.python("the notebook", course.ROOT / "build/notebook", LIST)
    except pinned.Missing as reason:
        return [f"not checked: the notebook: {reason}"]
    return [f"ok {PAGE}: {right}" if holds else f"FAIL {PAGE}: not so: {right}: {outputs}"
            for right, holds, outputs in prove_runs(python, scratch.copy(str(course.ROOT), "notebook"))]


def proofs():
    return [Proof("notebook", PAGE, prove, knows=course.CC, guess=120,
                  reads=(PAGE, MAGIC, str(LIST.relative_to(course.ROOT)), *course.files(*programs.COURSE)))]
