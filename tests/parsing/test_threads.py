"""The default number of threads."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from equilibrist.errors import ConfigError
from equilibrist.parsing.threads import VARIABLE, processor_quota, thread_count, usable_processors
from tests.refusals import refuses


def groups(folder: Path, text: str, **files: str) -> tuple[Path, Path]:
    """The file of the groups of a process, and where they are mounted."""
    for name, content in files.items():
        place = folder / "mounted" / name.replace("__", "/").replace("_max", ".max")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)
    (folder / "groups").write_text(text)
    return folder / "groups", folder / "mounted"


@pytest.mark.parametrize(
    ("text", "files", "quota"),
    [
        ("0::/\n", {}, float("inf")),
        ("0::/\n", {"cpu_max": "max 100000\n"}, float("inf")),
        ("0::/\n", {"cpu_max": "250000 100000\n"}, 2.5),
        ("0::/a/b\n", {"a__b__cpu_max": "max 100000\n", "a__cpu_max": "50000 100000\n"}, 0.5),
        ("0::/a/b\n", {"a__b__cpu_max": "400000 100000\n", "a__cpu_max": "500000 100000"}, 4.0),
        ("0::/a\n", {"a__cpu_max": "nonsense\n"}, float("inf")),
        ("9:memory:/a\n0::/b\n", {"b__cpu_max": "300000 100000\n"}, 3.0),
    ],
)
def test_quota(tmp_path: Path, text: str, files: dict[str, str], quota: float) -> None:
    assert processor_quota(*groups(tmp_path, text, **files)) == quota


def test_quota_of_the_first_version(tmp_path: Path) -> None:
    file, mounted = groups(tmp_path, "4:cpu,cpuacct:/job\n1:memory:/\n")
    (mounted / "cpu" / "job").mkdir(parents=True)
    (mounted / "cpu" / "job" / "cpu.cfs_quota_us").write_text("-1\n")
    (mounted / "cpu" / "job" / "cpu.cfs_period_us").write_text("100000\n")
    assert processor_quota(file, mounted) == float("inf")
    (mounted / "cpu" / "job" / "cpu.cfs_quota_us").write_text("150000\n")
    assert processor_quota(file, mounted) == 1.5
    assert processor_quota(tmp_path / "none", mounted) == float("inf")


def test_processors() -> None:
    assert 1 <= usable_processors() <= (os.cpu_count() or 1)
    if sys.platform == "linux":
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(before)})
        try:
            assert usable_processors() == 1
        finally:
            os.sched_setaffinity(0, before)


def test_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert thread_count(None) == usable_processors()
    assert thread_count(7) == 7
    monkeypatch.setenv(VARIABLE, " 3 ")
    assert thread_count(None) == 3
    assert thread_count(7) == 7
    for wrong in ("0", "-1", "two", "1.5", "4097", "9" * 400):
        monkeypatch.setenv(VARIABLE, wrong)
        with refuses(ConfigError, option=VARIABLE, given=wrong):
            thread_count(None)
    with refuses(ConfigError, option="threads", given=0):
        thread_count(0)
