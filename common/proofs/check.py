"""check.py - proves the course: make check.

    check.py [--times] [WORD...]

A WORD that is a kind of proof selects that kind, any other the proofs whose names contain it:
`check.py mutants 05`. Programs are built by make, then the proofs run on all cores, one more at a
time than there are, since some wait; what has been proved and has not changed since is not proved
again (proof.py). Prints a line for each result, the failures once more at the end, and last "380
passed, 0 failed". Status 1 when one failed, 2 when no proof was meant.

The proofs come from the modules in kinds/: each that has a function proofs(), which returns a list
of proof.Proof.
"""
import importlib
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True  # the folders of the course stay as they are

import build  # noqa: E402
import course  # noqa: E402
import how_far  # noqa: E402
import proof  # noqa: E402


def all_proofs():
    """The proofs of all modules in kinds/."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("kinds/*.py"))
    modules = [importlib.import_module(f"kinds.{name}") for name in names]
    return [one for module in modules if hasattr(module, "proofs") for one in module.proofs()]


def selected(proofs, words):
    """The proofs that the words mean; all without words."""
    kinds = {one.kind for one in proofs} & set(words)
    names = [word for word in words if word not in kinds]
    return [one for one in proofs
            if (not kinds or one.kind in kinds) and all(name in one.name for name in names)]


def not_built(one, broken):
    """The failure of a proof whose programs cannot be built, or None."""
    for target in one.builds:
        if target.path in broken:
            return [f"FAIL {one.kind} {one.name}: {target.path} cannot be built: "
                    f"{broken[target.path]}"]
    return None


def results(proofs, store, jobs, broken=None, far=None):
    """The results of the proofs in their order, proved side by side, the longest first.

    `far` is told of each that is done."""
    far = far or how_far.Progress(len(proofs))

    def prove(one):
        failure = not_built(one, broken or {})
        result = proof.Result(one, failure, 0, False) if failure else store.result(one)
        far.step(f"{one.kind} {one.name}")
        return result

    with ThreadPoolExecutor(jobs) as pool:
        begun = {one: pool.submit(prove, one)
                 for one in sorted(proofs, key=store.seconds, reverse=True)}
        for one in proofs:
            result = begun[one].result()
            far.clear()
            yield result


def report(all_results, times):
    """Prints the lines of the results, the failures last again, and the sum. True if none."""
    passed, failures = 0, []
    for result in all_results:
        for line in result.lines:
            print(line + (time_of(result) if times else ""), flush=True)
            passed += line.startswith("ok ")
            failures += [line] if line.startswith("FAIL ") else []
    if failures:
        print("\nWhat failed:")
    for line in failures:
        print(line)
    print(f"{passed} passed, {len(failures)} failed")
    return not failures


def time_of(result):
    return f"  [{result.seconds:.2f} s{', kept' if result.kept else ''}]"


def main(words):
    os.chdir(course.ROOT)
    times = "--times" in words
    words = [word for word in words if word != "--times"]
    everything = all_proofs()
    chosen = selected(everything, words)
    if not chosen:
        kinds = ", ".join(dict.fromkeys(one.kind for one in everything))
        print(f"check: no proof is called {' '.join(words)}; the kinds are {kinds}",
              file=sys.stderr)
        return 2
    cores = len(os.sched_getaffinity(0))
    targets = {target for one in chosen for target in one.builds}
    broken = build.make(targets, cores)
    if build.INPUT in targets and build.INPUT.path not in broken:
        build.make_text()
    store = proof.Store(f"{course.BUILD}/proofs")
    return 0 if report(results(chosen, store, cores + 1, broken), times) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
