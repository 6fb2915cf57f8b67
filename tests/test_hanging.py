"""A test that hangs ends by itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HANGS = """
import ctypes

def test_hangs():
    ctypes.PyDLL(None).pause()  # keeps the interpreter's lock, as a kernel does

def test_follows():
    pass
"""


@pytest.mark.slow
def test_a_hanging_test_fails_and_the_next_one_runs(tmp_path: Path) -> None:
    """With the settings of the project, but for the seconds."""
    file = tmp_path / "test_hangs.py"
    file.write_text(HANGS)
    settings = ["-c", str(ROOT / "pyproject.toml"), "-o", "faulthandler_timeout=1"]
    command = [sys.executable, "-m", "pytest", *settings, "-p", "no:cacheprovider", "-n", "1"]
    ran = subprocess.run(
        [*command, str(file)], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 1
    assert "1 failed, 1 passed" in ran.stdout
    assert "::test_hangs" in ran.stdout.partition("short test summary")[2]
