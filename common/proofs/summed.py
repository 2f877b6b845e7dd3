"""summed.py - runs a file of unittest, whose last line is "12 passed, 0 failed"."""
import sys
import unittest


def main():
    """Runs the tests of the calling script and exits, with status 1 when one failed."""
    program = unittest.main(exit=False, verbosity=0)
    result = program.result
    failed = len({id(test) for test, _ in result.failures + result.errors})
    sys.stderr.flush()
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed")
    sys.exit(1 if failed else 0)
