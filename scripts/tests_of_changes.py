"""The tests of what changed since a commit, one path a line.

`python scripts/tests_of_changes.py main` prints each changed test, and for each changed module the
test of its name: `src/equilibrist/tree/size.py` has `tests/tree/test_size.py`. A module without
such a file has the tests that stand beside where it would be.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def changed_files(commit: str) -> list[Path]:
    """Files that differ from where this branch left `commit`, and those not yet tracked."""

    def git(*arguments: str) -> list[Path]:
        found = subprocess.run(
            ["git", *arguments, "-z"], cwd=ROOT, check=True, capture_output=True, text=True
        )
        return [Path(name) for name in found.stdout.split("\0") if name]

    tracked = git("diff", "--name-only", "--merge-base", commit)
    return [*tracked, *git("ls-files", "--others", "--exclude-standard")]


def find_tests(path: Path) -> list[Path]:
    """The test files of one changed file, none for what has no tests of its own."""
    if path.suffix != ".py":
        return []
    if path.parts[0] == "tests":
        return [path] if path.name.startswith("test_") and (ROOT / path).exists() else []
    if path.parts[:2] != ("src", "equilibrist"):
        return []
    folder = Path("tests", *path.parts[2:-1])
    named = folder / f"test_{path.name}"
    if (ROOT / named).exists():
        return [named]
    beside = sorted((ROOT / folder).glob("test_*.py"))
    return [test.relative_to(ROOT) for test in beside]


def main() -> None:
    """Print the tests of what changed since the commit that the command line names."""
    changed = changed_files(sys.argv[1] if len(sys.argv) > 1 else "main")
    for test in sorted({test for path in changed for test in find_tests(path)}):
        print(test)


if __name__ == "__main__":
    main()
