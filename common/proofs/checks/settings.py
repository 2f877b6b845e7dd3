"""settings.py - proves the settings that docs/editors.md gives for vim and emacs, and those of VS Code in .vscode.

In a copy of the course each editor opens a chapter's file and judges it as the page says. It has to stand in the
line that the verdict's first sentence names, with that line underlined, and with none when the verdict is right. vim
and emacs are run; of VS Code the matchers of tasks.json are applied to what make says. An editor that is not installed
is left out in one line.
"""
import json
import re
import shutil
import subprocess
from functools import partial
from pathlib import Path

import build
import course
import scratch
from checks import programs
from proof import Proof

PAGE, TASKS = "docs/editors.md", ".vscode/tasks.json"
MUTANT = "not_zeroed"  # a planted mistake that a check reports
RIGHT = "a right kernel"

# What an editor tells in the end: [the file and the line it stands in, the line that is underlined], a 0 for none.
VIM_TELLS = r"""
let line = substitute(get(matcharg(1), 1, ''), '^\\%\(\d*\)l.*', '\1', '') + 0
let style = execute('highlight Verdict') =~# 'underline'
call writefile([json_encode([expand('%:p'), line('.'), style ? line : 0])], $TOLD)
qall!
"""
EMACS_TELLS = r"""
(progn
  (compile compile-command)
  (while compilation-in-progress (accept-process-output nil 0.1))
  (set-buffer (window-buffer (selected-window)))
  (let ((file "") (at 0) (under 0))
    (dolist (one (buffer-list))
      (with-current-buffer one
        (dolist (line (overlays-in (point-min) (point-max)))
          (when (eq (overlay-get line 'face) 'underline)
            (setq file buffer-file-name at (line-number-at-pos) under (line-number-at-pos (overlay-start line)))))))
    (with-temp-file (getenv "TOLD") (insert (json-encode (list file at under))))))
"""


def settings(heading):
    """The lines of code below a heading of the page, up to the first other ones."""
    text = Path(PAGE).read_text().partition(f"\n## {heading}")[2]
    return re.sub(r"^    ", "", re.search(r"(?:^    .*\n)+", text, re.MULTILINE).group(), flags=re.MULTILINE)


def printed_by(command, copy):
    """What an editor tells that runs in the copy, or its last words. What an emacs with a window starts has TERM=dumb."""
    out = Path(copy, "told")
    out.unlink(missing_ok=True)
    done = subprocess.run(command, cwd=copy, text=True, errors="replace", capture_output=True, timeout=600,
                          stdin=subprocess.DEVNULL, env={**scratch.environment(), "TOLD": str(out), "TERM": "dumb",
                                                         "HOME": copy})
    return json.loads(out.read_text()) if out.exists() else (done.stdout + done.stderr)[-300:]


def with_vim(copy, name):
    Path(copy, "vimrc").write_text(settings("vim and neovim"))
    Path(copy, "tells.vim").write_text(VIM_TELLS)
    return printed_by(["vim", "-N", "-n", "-i", "NONE", "-u", "vimrc", "-es", name, "-c", "make", "-S", "tells.vim"], copy)


def with_emacs(copy, name):
    Path(copy, "settings.el").write_text(settings("emacs"))
    return printed_by(["emacs", "-Q", "--batch", "-l", "settings.el", "-l", "json", name, "--eval", EMACS_TELLS], copy)


def with_vs_code(copy, name):
    """The first place among the problems, which VS Code underlines where they are errors or warnings."""
    task = json.loads(Path(TASKS).read_text())["tasks"][0]
    number = course.number(Path(name).parent.name)
    for line in scratch.make(copy, f"chapter{number} {task['args'][1]}")[1].splitlines():
        for matcher in task["problemMatcher"]:
            pattern = matcher["pattern"]
            found = re.search(pattern["regexp"], line)
            if found and ("severity" in matcher or "severity" in pattern):
                file, line_of = found.group(pattern["file"]), int(found.group(pattern["line"]))
                return [str(Path(copy, file)), line_of, line_of]
    return [str(Path(copy, name)), 0, 0]


EDITORS = {"vim": with_vim, "emacs": with_emacs, "VS Code": with_vs_code}


def has_quickfix():
    """Whether vim is more than Debian's vim-tiny."""
    return "+quickfix" in subprocess.run(["vim", "--version"], text=True, capture_output=True).stdout


def lacking(editor):
    """Why an editor is left out, or None."""
    if editor == "VS Code":
        return None
    if not shutil.which(editor) or (editor == "vim" and not has_quickfix()):
        package = {"vim": "vim", "emacs": "emacs-nox"}[editor]
        return f"not checked: the settings for {editor}, which is not installed: apt-get install {package}"
    return None


def kernels(stem):
    """{what it is: the text of a kernel}."""
    solution = Path(course.source("solutions", stem)).read_text()
    mutant = build.kernel(f"tests/mutants/{stem}/{MUTANT}.patch", "mutant").source
    return {"a stub": Path(course.source("chapters", stem)).read_text(),
            "a planted mistake": Path(mutant).read_text(),
            "a line that does not compile": solution.replace("{\n", "{\n    wrong;\n", 1),
            RIGHT: solution}


def line_named(copy, name):
    """The line of the file that the verdict's first sentence names; 0 for none."""
    output = scratch.make(copy, f"chapter{course.number(Path(name).parent.name)} test")[1]
    found = re.search(rf"^{re.escape(name)}:(\d+):", output, re.MULTILINE)
    return int(found.group(1)) if found else 0


def prove(editor, stem):
    if lacking(editor):
        return [lacking(editor)]
    copy, name = scratch.copy(str(course.ROOT), f"settings-{editor.replace(' ', '-')}"), course.source("chapters", stem)
    lines = []
    for what, text in kernels(stem).items():
        Path(copy, name).write_text(text)
        line, found = line_named(copy, name), EDITORS[editor](copy, name)
        if what == RIGHT:
            right = line == 0 and isinstance(found, list) and found[2] == 0
        else:
            right = line > 0 and found == [str(Path(copy, name)), line, line]
        lines.append(f"ok settings {editor}: {what}: {f'line {line}' if line else 'no line'} is underlined" if right else
                     f"FAIL settings {editor}: {what}: line {line} is named, but it stands in and underlines {found}")
    return lines


def proofs():
    stem = next(stem for stem in course.text_stems("chapters") if Path("tests/mutants", stem, f"{MUTANT}.patch").exists())
    return [Proof("settings", editor, partial(prove, editor, stem), reads=(PAGE, TASKS, *course.files(*programs.COURSE)),
                  knows=f"{course.CC} {lacking(editor)}", guess=60) for editor in EDITORS]
