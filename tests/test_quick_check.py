"""Which tests the quick check runs for a change."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.tests_of_changes import ROOT, find_tests


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("src/equilibrist/errors.py", ["tests/test_errors.py"]),
        ("src/equilibrist/storage/archive.py", ["tests/storage/test_archive.py"]),
        ("tests/test_errors.py", ["tests/test_errors.py"]),
        ("tests/oracle.py", []),
        ("tests/test_that_was_removed.py", []),
        ("README.md", []),
        ("benchmarks/render_tables.py", []),
    ],
)
def test_a_file_has_the_test_of_its_name(changed: str, tests: list[str]) -> None:
    assert find_tests(Path(changed)) == [Path(test) for test in tests]


def test_a_module_without_one_has_all_that_stand_beside() -> None:
    tests = find_tests(Path("src/equilibrist/storage/no_such_module.py"))
    assert tests == sorted(t.relative_to(ROOT) for t in (ROOT / "tests/storage").glob("test_*.py"))
    assert tests
