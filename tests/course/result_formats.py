#!/usr/bin/env python3
"""result_formats.py - with FORMAT=json and FORMAT=junit a program reads what goals say, whatever happens to them.

In a copy: kernels that are right, wrong, empty, that do not compile, that print any bytes; a chapter that is left
out. Standard output is one object of common/schema/version_1.json, or one document of XML, and nothing else;
the exit status is that without FORMAT. The check of the schema has to find planted mistakes. Prints "ok ..." and
"FAIL ...", and their sum at the end.

Depends on: Makefile common/make/*.mk common/course/* common/driver/* common/judge/**/*.[ch] common/sandbox/**/*.[ch] common/tools/doctor/* chapters/**/* solutions/**/* tests/*.c tests/course/scratch.py

    tests/course/result_formats.py        from the root of the course"""
import copy
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

sys.dont_write_bytecode = True  # the folder of the tests stays as it is
sys.path.append("common/packages")
import pinned
import scratch

pinned.need("what knows schemas")
import fastjsonschema

FITS = fastjsonschema.compile(json.load(open("common/schema/version_1.json", encoding="utf-8")))
# Colors, quotes, a byte that is no UTF-8, what XML takes for its own, a control byte; half a pair of UTF-16, a code
# that is too long, one beyond the last, and U+FFFF, which no XML has.
BYTES = (r'printf("\x1b[31m \"quoted\" \\ \xff \xc3\xa9 <&> ]]> \x01 '
         r'\xed\xa0\x80 \xe0\x80\x80 \xf4\x90\x80\x80 \xef\xbf\xbf\n");')
NO_UTF_8 = "\xed\xa0\x80 \xe0\x80\x80 \xf4\x90\x80\x80"  # each byte taken for Latin-1
AS_JSON = f'\x1b[31m "quoted" \\ \xff \xe9 <&> ]]> \x01 {NO_UTF_8} \uffff'
AS_XML = f'\u241b[31m "quoted" \\ \xff \xe9 <&> ]]> \u2401 {NO_UTF_8} \ufffd'


def wrong(report):
    """What is wrong with a report, by the schema; or None."""
    try:
        FITS(report)
        return None
    except fastjsonschema.JsonSchemaException as error:
        return str(error)


# What is asked, and what comes

def ask(target, words, **settings):
    """Runs make: status, standard output as bytes, standard error as lines that are not make's."""
    done = subprocess.run(["make", "-j2", *words.split()], cwd=target, stdin=subprocess.DEVNULL,
                          env={**scratch.environment(target), **settings}, capture_output=True, check=False)
    lines = done.stderr.decode(errors="replace").splitlines()
    return done.returncode, done.stdout, lines


def report_of(target, words, **settings):
    """The object of a command, that has been compared with the schema; and whether the status is the usual one."""
    status, out, printed = ask(target, f"{words} FORMAT=json", **settings)
    usual = ask(target, words, **settings)[0]
    try:
        report = json.loads(out.decode())
        problem = wrong(report)
    except ValueError as error:
        report, problem = {"results": [], "error": None}, f"{error}: {out!r} {printed[-3:]}"
    if not problem and (status != usual or status != report["status"]):
        problem = f"the status is {status}, {report['status']} in it, and {usual} without FORMAT"
    scratch.tell(f"make {words} FORMAT=json is an object of the schema", problem)
    return report


def expect(what, found, wanted):
    scratch.tell(what, None if found == wanted else f"{found} in place of {wanted}")


def outcomes(report):
    return [(one["chapter"], one["outcome"], one["line"]) for one in report["results"]]


def plants(report):
    """Mistakes in a report: each member of each result missing, of another type, and one more."""
    for index, result in enumerate(report["results"]):
        for name in [*result, None]:
            for value in ("missing", [[]]) if name else ("more",):
                fault = copy.deepcopy(report)
                one = fault["results"][index]
                if value == "missing":
                    del one[name]
                else:
                    one[name or "more"] = value
                if name != "launches" or value != "missing":  # of make run there are none
                    yield f"{result['goal']}, {name or 'one more'}: {value}", fault


def expect_plants_found(reports):
    fault = [one for report in reports for one in plants(report)]
    missed = [name for name, report in fault if not wrong(report)]
    goals = {one["goal"] for report in reports for one in report["results"]}
    expect("mistakes are planted in results of every goal", goals,
           {"test", "run", "profile", "score", "progress", "doctor"})
    scratch.tell("the check finds each of them", "; ".join(missed[:5]) if missed or len(fault) < 100 else None)


def kernel(target, stem):
    return next(os.path.join(target, "chapters", stem, name)
                for name in os.listdir(os.path.join(target, "chapters", stem)) if name.startswith("histogram"))


def write_kernels(target):
    """Chapter 1 is right, 2 is wrong and prints, 3 is empty, 5 is right by another technique, 6 does not compile."""
    texts = {stem: open(kernel(".", stem).replace("./chapters", "solutions"), encoding="utf-8").read()
             for stem in ("01_sequential", "02_naive_atomic", "06_shared")}
    wrong_kernel = texts["02_naive_atomic"].replace("atomicAdd(&bins[bin], 1)", "bins[bin]++")
    host = wrong_kernel.index("{", wrong_kernel.index("void histogram(")) + 1
    texts["05_privatized_global"] = texts["02_naive_atomic"]
    texts["02_naive_atomic"] = f"#include <stdio.h>\n{wrong_kernel[:host]}\n{BYTES}{wrong_kernel[host:]}"
    texts["06_shared"] = texts["06_shared"].replace("__syncthreads();", "__syncthread();")
    for stem, text in texts.items():
        with open(kernel(target, stem), "w", encoding="utf-8") as file:
            file.write(text)


def line_of(target, stem, part):
    with open(kernel(target, stem), encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if part in line)


def without(target, *programs):
    """A PATH that has not these programs."""
    folder = os.path.join(target, "bin")
    os.makedirs(folder)
    for place in reversed(os.environ["PATH"].split(os.pathsep)):
        for name in os.listdir(place) if os.path.isdir(place) else ():
            link = os.path.join(folder, name)
            if name not in programs:
                if os.path.lexists(link):
                    os.remove(link)
                os.symlink(os.path.join(place, name), link)
    return folder


def try_tests(target):
    """All that can become of a kernel. Returns the report."""
    report = report_of(target, "chapter1 chapter2 chapter3 chapter5 chapter6 test")
    expect("every outcome of a test is told, with its line", outcomes(report), [
        (1, "solved", None), (2, "wrong", line_of(target, "02_naive_atomic", " bins[bin]++;")),
        (3, "empty", line_of(target, "03_contiguous", "TODO(3.1)")), (5, "another", None),
        (6, "unbuilt", line_of(target, "06_shared", "__syncthread()"))])
    output = [test["output"] for one in report["results"][1:2] for test in one.get("tests", ())
              if test["outcome"] == "failed"]
    expect("what a kernel prints is told, whatever its bytes", [text.split("\n")[0] for text in output], [AS_JSON])
    return report


def try_broken(target):
    """A kernel that is gone, and a file with nothing in it."""
    os.remove(kernel(target, "07_register"))
    with open(kernel(target, "08_aggregation"), "w", encoding="utf-8"):
        pass
    for number, outcome, part in ((7, "failed", "no kernel there"), (8, "unbuilt", "is empty")):
        report = report_of(target, f"chapter{number} test")
        expect(f"chapter {number}: what is wrong is told with its place",
               [(one["outcome"], part in one["sentence"], one["file"].startswith("chapters/0"))
                for one in report["results"]], [(outcome, True, True)])


def try_junit(target):
    status, out, _ = ask(target, "chapter1 chapter2 chapter3 chapter6 test FORMAT=junit")
    root = xml.fromstring(out)
    found = [(suite.get("name"), suite.get("failures"), suite.get("errors")) for suite in root]
    expect("several chapters are one document of JUnit", (status, root.tag, found), (2, "testsuites", [
        ("01_sequential", "0", "0"), ("02_naive_atomic", "1", "0"), ("03_contiguous", "1", "0"), ("06_shared", "0", "1")]))
    counts = [[suite.get("tests"), suite.get("failures"), suite.get("errors"), suite.get("skipped")] for suite in root]
    expect("its numbers are those of its cases", counts, [
        [str(len(suite)), *(str(len(suite.findall(f"testcase/{what}"))) for what in ("failure", "error", "skipped"))]
        for suite in root])
    failures = root.findall("testsuite/testcase/failure")
    expect("it has what a kernel prints", failures[0].text.split("\n")[0], AS_XML)
    expect("and the verdict, with its place", failures[0].get("message").startswith(
        "chapters/02_naive_atomic/histogram.cu:"), True)


def try_left_out(target):
    path = without(target, "mpirun", "mpicc")
    for words in ("chapter61 test", "chapter61 run"):
        report = report_of(target, words, PATH=path)
        expect(f"{words}: a chapter is left out without MPI", outcomes(report), [(61, "left_out", None)])
    status, out, _ = ask(target, "chapter61 test FORMAT=junit", PATH=path)
    expect("as a case that is skipped", (status, [one.tag for one in xml.fromstring(out).findall("*/testcase/*")]),
           (2, ["skipped"]))


def try_refusals(target):
    for words, part in (("chapter99 test FORMAT=json", "chapter99"), ("chapter5 test FORMAT=yaml", "FORMAT=yaml"),
                        ("chapter5 run FORMAT=junit", "FORMAT=junit"), ("chapter5 hint FORMAT=json", "FORMAT"),
                        ("doctor progress FORMAT=json", "FORMAT=json"), ("doctor FORMAT=yaml", "FORMAT=yaml")):
        status, out, printed = ask(target, words)
        lines = [line for line in printed if not re.match(r"make: \*\*\* \[", line)]
        fine = status == 2 and out == b"" and len(lines) == 1 and part in lines[0]
        scratch.tell(f"make {words} is refused in one line", None if fine else f"{status} {out!r} {printed}")


def try_mistake_in_source(target):
    """A member that has another name in the program."""
    source, member = Path(target, "common/course/verdict_result.c"), 'json_text(json, "sentence"'
    assert source.read_text().count(member) == 1
    source.write_text(source.read_text().replace(member, 'json_text(json, "said"'))
    _, out, _ = ask(target, "chapter3 test FORMAT=json")
    scratch.tell("a member with another name is found", None if wrong(json.loads(out)) else "it is not")


def main():
    target = scratch.copy(os.getcwd(), "formats")
    write_kernels(target)
    reports = [try_tests(target)]
    reports.append(report_of(target, "chapter2 chapter3 chapter5 chapter6 run SIZE=4K"))
    expect("every outcome of a run is told", [one[:2] for one in outcomes(reports[-1])], [
        (2, "wrong"), (3, "empty"), (5, "right"), (6, "unbuilt")])
    reports += [report_of(target, words) for words in (
        "chapter5 profile SIZE=4K", "chapter3 chapter5 score", "progress", "score", "doctor")]
    expect("a profile has its launches", len(reports[2]["results"][0].get("launches", ())), 1)
    expect_plants_found(reports)
    report = report_of(target, "chapter1 further")
    expect("an exercise is told of as one", [one["stem"] for one in report["results"]], ["01_sequential/further"])
    report = report_of(target, "progress score CHAPTERS=docs")
    expect("a folder without chapters is an error", bool(report["error"]), True)
    try_junit(target)
    try_broken(target)
    try_left_out(target)
    try_refusals(target)
    try_mistake_in_source(target)
    shutil.rmtree(target, ignore_errors=True)
    return scratch.end()


if __name__ == "__main__":
    sys.exit(main())
