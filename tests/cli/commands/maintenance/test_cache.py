"""`cache`: where the kernels are; clearing touches nothing else."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from equilibrist._jit.entries import folder_for, python_tag
from equilibrist.solvers.sampling.averaging import SEPARATE_AVERAGES
from equilibrist.solvers.sampling.samplers import SAMPLERS
from equilibrist.solving import kernel_cache
from tests.cli.command import Shell

CFR = "equilibrist.kernels.full_traversals"


def folder_of(module: str) -> Path:
    """Where the compiled kernels of a module belong."""
    found = folder_for(import_module(module).run.py_func)
    assert found is not None
    return found


@pytest.fixture
def kernels(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own: kernels of three versions and unrelated files."""
    root = folder / "cache"
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(root))
    old = (root / "kernels-0123456789abcdef", root / f"kernels/{CFR}-0123456789abcdef")
    for place in (folder_of(CFR), *old, root / "kernels-mine", root / "kernels/mine"):
        place.mkdir(parents=True)
        (place / f"run.{python_tag()}.nbi").write_bytes(bytes(1500))
    (root / "other").mkdir()
    (root / "other/run.nbi").touch()
    for link in ("kernels-fedcba9876543210", f"kernels/{CFR}-fedcba9876543210"):
        (root / link).symlink_to(root / "other", target_is_directory=True)
    (root / "note.txt").write_text("keep me")
    return root


def test_info(shell: Shell, kernels: Path) -> None:
    document = shell("cache info --json").ok().json
    assert document["folder"] == str(kernels)
    assert document["current"] == str(kernels / "kernels")
    assert document["warm"] is True
    assert (document["files"], document["bytes"]) == (3, 4500)
    assert document["current_bytes"] == 1500
    assert document["old_versions"] == 2
    out = shell("cache info").ok().out
    assert str(kernels) in out
    assert "1.5 kB in 1 file\n" in out
    assert "4.5 kB in 3 files, 2 folders of other versions" in out
    place = folder_of(CFR)
    place.rename(place.with_name(f"equilibrist.kernels.missing-{place.name[-16:]}"))
    document = shell("cache info --json").ok().json
    assert document["warm"] is False
    assert (document["current_bytes"], document["old_versions"]) == (0, 3)


def left(root: Path) -> set[str]:
    found = {path.relative_to(root).as_posix() for path in [*root.iterdir(), *root.glob("*/*")]}
    return {name for name in found if name.split("/")[-1] not in ("imports-1.json", "run.nbi")}


STRANGERS = {
    "kernels", "kernels-mine", f"kernels-mine/run.{python_tag()}.nbi", "kernels/mine", "note.txt",
    "other", "kernels-fedcba9876543210", f"kernels/{CFR}-fedcba9876543210",
}  # fmt: skip


def test_clear_removes_our_folders_only(shell: Shell, kernels: Path) -> None:
    assert "removed 2 folders, 3.0 kB" in shell("cache clear --old").ok().out
    assert left(kernels) == STRANGERS | {f"kernels/{folder_of(CFR).name}"}
    assert "removed 1 folder, 1.5 kB" in shell("cache clear").ok().out
    assert left(kernels) == STRANGERS
    assert (kernels / "other/run.nbi").exists()
    assert "not compiled yet" in shell("cache info").ok().out
    assert "removed 0 folders" in shell("cache clear").ok().out


def test_clear_leaves_no_folder_of_ours(shell: Shell, kernels: Path) -> None:
    shutil.rmtree(kernels / "kernels/mine")
    (kernels / f"kernels/{CFR}-fedcba9876543210").unlink()
    shell("cache clear").ok()
    assert not (kernels / "kernels").exists()


def test_no_cache_yet(shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(folder / "nowhere"))
    assert shell("cache info --json").ok().json["files"] == 0
    shell("cache clear").ok()
    assert not (folder / "nowhere").exists()


OUTCOME_AVERAGES = (*SAMPLERS["outcome"].averagings, *SEPARATE_AVERAGES)
EXTRAS = ("bu-pcfr+", "apcfr+", "hedge", "omd", "xfp", "cfr-br", "efr", "qre")
THREE = "'kuhn(players=3)'"
ASKED = """
import atexit, json, sys
from pathlib import Path
from equilibrist._jit import numba_internals

# Every kernel that is called with types of its own is looked for in the cache, once a process.
asked, kind = set(), numba_internals._cache_class()
load = kind.load_overload

def noted(self, sig, context):
    types = numba_internals._types(sig), numba_internals._fields(sig)
    asked.add(repr((Path(self.cache_path).name, self._py_func.__qualname__, *types)))
    return load(self, sig, context)

kind.load_overload = noted
atexit.register(lambda: Path(sys.argv[1]).write_text(json.dumps(sorted(asked))))
"""
WARM = """
from equilibrist.solving import kernel_cache

# No command below has a game so large that its arrays need 64 bits.
assert kernel_cache.KINDS == ("two-32", "two-64", "many-32", "many-64")
kernel_cache.compile_games(("two-32", "many-32"))
for group in ("histories", "spots", "rare_spots", "equities", "bunching"):
    getattr(kernel_cache, f"compile_{group}")()
"""
HOLDEM = """
from importlib import import_module
from equilibrist.solving.kernel_cache import compile_equities, compile_spots
from equilibrist import load_result
from equilibrist.poker import Spot, equity, solve
from equilibrist.poker.cards.evaluator import combo_strengths

NAMES = ("passes", "all_boards", "drawn_boards", "strengths")
FILES = ("postflop", "equity", "equity", "hand_strength")

def compiled():
    files = [import_module(f"equilibrist.kernels.poker.{file}") for file in FILES]
    return [len(getattr(*place).signatures) for place in zip(files, NAMES)]

compile_spots()
compile_equities()
before = compiled()
assert all(before), before
for storage in ("float32", "int16"):
    for board in ("Ts3h2h5c", "Ts3h2h5c9s"):
        for run in ({}, {"threads": 2}, {"algorithm": "pcfr+"}):
            spot = Spot(board=board, oop="AA", ip="KsKh", pot=20, stack=20, bets="a", rake=0.05)
            solve(spot, iterations=2, storage=storage, **run).at("X")
            locked = spot.replace(locks=["X: X 1"])
            solve(locked, iterations=2, storage=storage, **run).at("A-F")
    turn = spot.replace(board="Ts3h2h5c")
    solve(turn, target="9%", storage=storage).save("a", "first-street")
    load_result("a").at("X-X|Ac")
equity("AA", "KK", samples=200, threads=2, dead="2c")
equity("AA", "KK", "Ts3h2h")
combo_strengths((0, 1, 2, 3))
assert compiled() == before, (before, compiled())
"""


def asked_for(script: str, file: Path) -> set[str]:
    """The kernels that a process looks for in the cache of this suite, with their types."""
    done = subprocess.run(
        [sys.executable, "-c", ASKED + script, str(file)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(file.read_text()))


@pytest.mark.slow
def test_warm_kernels_are_all_kernels(folder: Path) -> None:
    """What commands and hold'em ask for is among what `cache warm` asks for, and so compiles.

    Nothing is compiled for the comparison where the suite has its kernels: compiling all of them
    again, in an empty cache, took three minutes.
    """
    warm = asked_for(WARM, folder / "warm.json")
    commands = (
        "solve 'kuhn(players=3)' -n 5 --simultaneous --output last",
        "solve leduc -n 5 --checkpoint run.ckpt",
        "solve leduc -n 9 --resume run.ckpt --out leduc.safetensors",
        "solve kuhn -a lp",
        "evaluate leduc.safetensors --best-response a.csv --player 0",
        *(f"solve kuhn -n 5 -s {name}" for name in SAMPLERS),
        *(f"solve kuhn -n 5 -s outcome --averaging {name}" for name in OUTCOME_AVERAGES),
        "solve 'kuhn(players=3)' -n 5 -s external -a lcfr --output last",
        *(f"solve {game} -n 5 -a {name}" for name in EXTRAS for game in ("leduc", THREE)),
        *(f"solve {game} -n 5 --measure efce" for game in ("leduc", THREE)),
        "solve kuhn -n 5 --tremble 0.01",
        *(f"solve {game} -n 5 --prune partial" for game in ("leduc", THREE)),
        *(f"solve leduc -n 5 --prune {way}" for way in ("interval", "best-response")),
        *(f"solve {game} -n 5 --prune threshold" for game in ("leduc", THREE)),
        "solve leduc -n 5 --abstraction 'memory(last=1)'",
        "solve 'liar_die(sides=3,memory=1)' -n 5 -a fsicfr",
        "solve leduc -n 5 -s external --threads 2",
        "solve leduc -n 5 -s external --threads 2 --shared-table",
    )
    script = "import sys, shlex; from equilibrist.cli.main import run\n" + "\n".join(
        f"if run(shlex.split({line!r})): sys.exit({line!r})" for line in commands
    )
    for name, asking in (("commands", script), ("holdem", HOLDEM)):
        assert asked_for(asking, folder / f"{name}.json") - warm == set(), name


def test_an_empty_cache_is_filled_once(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By one kernel, which the second call finds."""
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(folder / "kernels"))
    groups = [name for name in vars(kernel_cache) if name.startswith("compile_")]
    for group in groups:
        monkeypatch.setattr(kernel_cache, group, lambda *_: None)
    monkeypatch.setattr(kernel_cache, "_processors", lambda: 1)
    made = []

    def compile_equities() -> None:
        made.append(1)
        place = folder_of(CFR)
        place.mkdir(parents=True)
        (place / f"run.{python_tag()}.nbi").write_bytes(b"machine code")

    monkeypatch.setattr(kernel_cache, "compile_equities", compile_equities)
    assert "all kernels were compiled already" not in shell("cache warm").ok().out
    assert "all kernels were compiled already" in shell("cache warm").ok().out
    assert made == [1]
