"""What control groups grant, from files as Linux and containers have them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from equilibrist.parsing.control_groups import memory_left, memory_limit, processor_quota
from equilibrist.tree.walk import budget

GB = 1_000_000_000
LARGEST = 9_223_372_036_854_771_712
"""What version 1 writes where there is no limit."""


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


def mounted(folder: Path, text: str, files: dict[str, str]) -> tuple[Path, Path]:
    """The file of the groups of a process, and where they are mounted with these files."""
    for name, content in files.items():
        place = folder / "mounted" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)
    (folder / "groups").write_text(text)
    return folder / "groups", folder / "mounted"


@pytest.mark.parametrize(
    ("text", "files", "most", "left"),
    [
        ("0::/\n", {}, None, None),
        ("0::/\n", {"memory.max": "max\n", "memory.current": "5\n"}, None, None),
        ("0::/\n", {"memory.max": f"{2 * GB}\n"}, 2 * GB, 2 * GB),
        ("0::/\n", {"memory.max": f"{2 * GB}\n", "memory.current": f"{GB}\n"}, 2 * GB, GB),
        (
            "0::/\n",
            {
                "memory.max": f"{2 * GB}\n",
                "memory.current": f"{GB}\n",
                "memory.stat": f"anon 5\nfile 7\ninactive_file {GB // 2}\n",
            },
            2 * GB,
            3 * GB // 2,
        ),
        ("0::/\n", {"memory.max": "10\n", "memory.current": "12\n"}, 10, 0),
        (
            "0::/a/b\n",
            {
                "a/memory.max": "100\n",
                "a/memory.current": "90\n",
                "a/b/memory.max": "50\n",
                "a/b/memory.current": "20\n",
            },
            50,
            10,
        ),
        ("0::/\n", {"memory.max": "nonsense\n"}, None, None),
        (
            "4:memory:/docker/7\n3:cpu:/x\n",
            {
                "memory/memory.limit_in_bytes": f"{GB}\n",
                "memory/memory.usage_in_bytes": f"{GB // 2}\n",
                "memory/memory.stat": f"inactive_file 1\ntotal_inactive_file {GB // 4}\n",
            },
            GB,
            3 * GB // 4,
        ),
        (
            "4:memory:/job\n",
            {
                "memory/memory.limit_in_bytes": f"{LARGEST}\n",
                "memory/job/memory.limit_in_bytes": "70\n",
            },
            70,
            70,
        ),
        ("4:memory:/\n", {"memory/memory.limit_in_bytes": f"{LARGEST}\n"}, None, None),
    ],
)
def test_memory(
    tmp_path: Path, text: str, files: dict[str, str], most: int | None, left: int | None
) -> None:
    places = mounted(tmp_path, text, files)
    assert (memory_limit(*places), memory_left(*places)) == (most, left)
    assert (memory_limit(tmp_path / "none", places[1])) is None


def test_estimates_keep_within_a_container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = mounted(tmp_path, "0::/\n", {"memory.max": f"{GB // 100}\n"})
    before = budget.default_memory()
    monkeypatch.setattr(budget, "memory_limit", lambda: memory_limit(*places))
    assert budget.default_memory() == GB // 200 < before
    monkeypatch.delattr(os, "sysconf")
    assert budget.default_memory() == GB // 200
