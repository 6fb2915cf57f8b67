"""`cache`: where the kernels are; clearing touches nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from equilibrist._jit import kernel_cache_dir
from equilibrist.solvers.averages import TAKEN_APART
from equilibrist.solvers.samplers import SAMPLERS
from tests.cli.command import Shell, spawn


@pytest.fixture
def kernels(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own, with kernels of two versions and a stranger's files."""
    root = folder / "cache"
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(root))
    for name in (kernel_cache_dir().name, "kernels-0123456789abcdef", "kernels-mine", "other"):
        (root / name).mkdir(parents=True)
        (root / name / "cfr.run-cfr.py311.nbi").write_bytes(bytes(1500))
    (root / "kernels-fedcba9876543210").symlink_to(root / "other", target_is_directory=True)
    (root / "note.txt").write_text("keep me")
    return root


def test_info(shell: Shell, kernels: Path) -> None:
    document = shell("cache info --json").ok().json
    assert document["folder"] == str(kernels)
    assert document["current"] == str(kernel_cache_dir())
    assert document["warm"] is True
    assert (document["files"], document["bytes"]) == (2, 3000)
    assert document["current_bytes"] == 1500
    assert document["old_versions"] == 1
    file = kernel_cache_dir() / "cfr.run-cfr.py311.nbi"
    file.rename(file.with_name("build.link-build.py311.nbi"))
    assert shell("cache info --json").ok().json["warm"] is False  # walking compiles those
    out = shell("cache info").ok().out
    assert str(kernels) in out
    assert "3.0 kB in 2 files, 1 other versions" in out


def test_clear_removes_our_folders_only(shell: Shell, kernels: Path) -> None:
    ran = shell("cache clear").ok()
    assert "removed 2 folders, 3.0 kB" in ran.out
    assert sorted(p.name for p in kernels.iterdir()) == [
        "kernels-fedcba9876543210", "kernels-mine", "note.txt", "other"
    ]  # fmt: skip
    assert (kernels / "other" / "cfr.run-cfr.py311.nbi").exists()
    assert "not compiled yet" in shell("cache info").ok().out
    assert "removed 0 folders" in shell("cache clear").ok().out


def test_no_cache_yet(shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(folder / "nowhere"))
    assert shell("cache info --json").ok().json["files"] == 0
    shell("cache clear").ok()
    assert not (folder / "nowhere").exists()


OUTCOME_AVERAGES = (*SAMPLERS["outcome"].averagings, *TAKEN_APART)
EXTRAS = ("apcfr+", "hedge", "omd", "xfp", "cfr-br")
THREE = "'kuhn(players=3)'"
HOLDEM = """
from importlib import import_module
from equilibrist.cli.cache import compile_all_kernels
from equilibrist.poker import Solution, Spot, equity
from equilibrist.poker.evaluator import combo_strengths

NAMES = ("passes", "all_boards", "drawn_boards", "strengths", "combo_strengths", "pack_rows")
FILES = ("postflop", "equity", "equity", *["hand_strength"] * 3)

def compiled():
    files = [import_module(f"equilibrist.kernels.{file}") for file in FILES]
    return [len(getattr(*place).signatures) for place in zip(files, NAMES)]

compile_all_kernels()
before = compiled()
assert all(before), before
for storage in ("float32", "int16"):
    for board in ("Ts3h2h5c", "Ts3h2h5c9s"):
        for run in ({}, {"threads": 2}, {"variant": "pcfr+"}):
            spot = Spot(board=board, oop="AA", ip="KsKh", pot=20, stack=20, bets="a", rake=0.05)
            locked = spot.replace(locks=["X: X 1"])
            locked.solve(iterations=2, storage=storage, **run).at("A-F")
    spot.replace(board="Ts3h2h5c").solve("9%", storage=storage).save("a", "first-street")
    Solution.load("a").at("X-X|Ac")
equity("AA", "KK", samples=200, threads=2, dead="2c")
equity("AA", "KK", "Ts3h2h")
combo_strengths((0, 1, 2, 3))
assert compiled() == before, (before, compiled())
"""


def test_warm_kernels_are_all_kernels(folder: Path) -> None:
    """After `cache warm`, no command compiles anything more, and hold'em nothing either."""
    environment = {"EQUILIBRIST_CACHE_DIR": str(folder / "kernels")}
    assert spawn("cache warm", env=environment).code == 0
    files = sorted((folder / "kernels").rglob("*"))
    assert any(path.suffix == ".nbi" for path in files)
    script = "import sys, shlex; from equilibrist.cli.main import run\n" + "\n".join(
        f"if run(shlex.split({line!r})): sys.exit({line!r})"
        for line in (
            "solve 'kuhn(players=3)' -n 5 --simultaneous --output last",
            "solve leduc -n 5 --checkpoint run.ckpt",
            "solve leduc -n 9 --resume run.ckpt",
            "solve kuhn -a lp",
            "evaluate leduc-dcfr.safetensors --best-response a.csv --player 0",
            *(f"solve kuhn -n 5 -s {name}" for name in SAMPLERS),
            *(f"solve kuhn -n 5 -s outcome --averaging {name}" for name in OUTCOME_AVERAGES),
            "solve 'kuhn(players=3)' -n 5 -s external -a lcfr --output last",
            *(f"solve {game} -n 5 -a {name}" for name in EXTRAS for game in ("leduc", THREE)),
            "solve 'liar_die(sides=3,memory=1)' -n 5 -a fsicfr",
            "solve leduc -n 5 -s external --threads 2",
            "solve leduc -n 5 -s external --threads 2 --shared-table",
        )
    )
    subprocess.run([sys.executable, "-c", script], check=True, env={**os.environ, **environment})
    assert sorted((folder / "kernels").rglob("*")) == files
    done = subprocess.run(
        [sys.executable, "-c", HOLDEM],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    again = spawn("cache warm", env=environment)
    assert "all kernels were compiled already" in again.out
