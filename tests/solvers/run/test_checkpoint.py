"""Checkpoints: the same bits as without a break, and never those of another run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import CheckpointError, OutputError
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.run.checkpoint import Checkpoint, save_checkpoint
from equilibrist.solvers.run.fingerprint import coefficients_digest
from equilibrist.solvers.run.trace import TracePoint
from equilibrist.solvers.variants.registry import VARIANTS, get_variant
from equilibrist.solvers.variants.schedules import Knots, PowerDiscount
from equilibrist.solvers.variants.variant import Coefficients, Variant
from equilibrist.storage.archive import read_archive, write_archive
from equilibrist.tree.compile import GameTree
from tests.refusals import refuses

HORIZON = 200


def tree_of(name: str) -> GameTree:
    return compile_game(load_game(name))


@pytest.fixture(scope="module")
def kuhn() -> GameTree:
    return tree_of("kuhn")


@pytest.fixture(scope="module")
def kuhn3() -> GameTree:
    return tree_of("kuhn(players=3)")


@pytest.fixture(scope="module")
def leduc() -> GameTree:
    return tree_of("leduc")


def bits(solver: CFR) -> tuple[int, bytes, bytes, bytes]:
    state = solver.state
    return (
        state.iteration,
        state.regret.tobytes(),
        state.behaviour.tobytes(),
        state.strategy_sum.tobytes(),
    )


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("game", ["kuhn3", "leduc"])
def test_a_resumed_run_ends_with_the_same_bits(
    game: str, name: str, alternating: bool, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    tree: GameTree = request.getfixturevalue(game)

    def fresh() -> CFR:
        return CFR(tree, name, alternating=alternating, horizon=HORIZON)

    straight = fresh().run(HORIZON)
    broken = fresh()
    for part in (1, 36, 100):
        broken.run(part).checkpoint(tmp_path / "run")
        broken = fresh().resume(tmp_path / "run")
    broken.run(HORIZON - 137)
    assert bits(broken) == bits(straight)
    # The parts differ, or the comparison would prove nothing.
    assert bits(fresh().run(HORIZON - 1))[1:] != bits(straight)[1:]


def test_a_checkpoint_holds_the_state_and_the_way_there(kuhn: GameTree, tmp_path: Path) -> None:
    solver = CFR(kuhn, "dcfr").run(10)
    trace = (
        TracePoint(1, 0.25, 0.5, 0.25, (-0.1, 0.1)),
        TracePoint(4, 0.5, 1 / 3, None, (0.1 + 0.2, -0.3)),
    )
    versions = {"equilibrist": "0", "numpy": "1"}
    save_checkpoint(tmp_path / "c", solver, trace=trace, seconds=1 / 3, versions=versions)
    saved = Checkpoint(tmp_path / "c")
    assert saved.trace == trace
    assert (saved.seconds, saved.versions) == (1 / 3, versions)
    assert saved.identity == solver.fingerprint()
    assert saved.variant == repr(get_variant("dcfr"))
    assert bits(saved.restore(CFR(kuhn, "dcfr"))) == bits(solver)


def test_the_name_of_the_game_does_not_matter_but_the_game_does(tmp_path: Path) -> None:
    class Renamed:
        """Kuhn poker under another name."""

        name = "my.py:Kuhn"

        def __init__(self) -> None:
            self.game = load_game("kuhn")

        def __getattr__(self, attribute: str) -> Any:
            return getattr(self.game, attribute)

    CFR(tree_of("kuhn"), "dcfr").run(5).checkpoint(tmp_path / "c")
    assert CFR(compile_game(Renamed()), "dcfr").resume(tmp_path / "c").iteration == 5


def changed_variant(**changes: Any) -> Variant:
    return replace(VARIANTS["dcfr"], **changes)


class LateChange(Variant):
    """DCFR until iteration 900, then something else; its name and repr say nothing of it."""

    def coefficients(self, t: int, horizon: int | None = None) -> Coefficients:
        row = VARIANTS["dcfr"].coefficients(t, horizon)
        return row if t < 900 else row._replace(negative=0.25)


OTHERS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "game": ({"tree": "leduc"}, dict(option="game", given="kuhn", expected="leduc")),
    "rules": ({"tree": "kuhn(ante=2)"}, dict(option="game", expected="kuhn(ante=2)")),
    "algorithm": ({"algorithm": "cfr+"}, dict(option="algorithm", given="dcfr", expected="cfr+")),
    "parameter": (
        {"algorithm": "dcfr(gamma=3)"},
        dict(option="algorithm", given="dcfr", expected="dcfr(gamma=3)"),
    ),
    "order": ({"alternating": False}, dict(option="alternating", given=True, expected=False)),
    "file": (
        {"algorithm": changed_variant(discount=PowerDiscount(1.5, 0.1))},
        dict(option="coefficients"),
    ),
    "late": ({"algorithm": LateChange("dcfr")}, dict(option="coefficients")),
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_checkpoint_of_another_run_is_refused(kuhn: GameTree, tmp_path: Path, name: str) -> None:
    options, fields = OTHERS[name]
    CFR(kuhn, "dcfr").run(3).checkpoint(tmp_path / "c")
    settings = {"tree": "kuhn", "algorithm": "dcfr", "alternating": None} | options
    tree = tree_of(settings.pop("tree"))
    solver = CFR(tree, settings["algorithm"], alternating=settings["alternating"])
    before = bits(solver)
    with refuses(CheckpointError, path=tmp_path / "c", **fields):
        solver.resume(tmp_path / "c")
    assert bits(solver) == before


def test_rules_that_changed_under_the_same_name_are_refused(kuhn: GameTree, tmp_path: Path) -> None:
    CFR(kuhn, "dcfr").run(3).checkpoint(tmp_path / "c")
    altered = tree_of("kuhn(ante=2)")
    altered.game = load_game("kuhn")
    with refuses(CheckpointError, option="game", given="kuhn", expected="kuhn"):
        CFR(altered, "dcfr").resume(tmp_path / "c")


def test_another_horizon_is_refused_where_there_is_one(kuhn: GameTree, tmp_path: Path) -> None:
    CFR(kuhn, "hs-dcfr", horizon=50).run(3).checkpoint(tmp_path / "c")
    with refuses(CheckpointError, option="horizon", given=50, expected=60):
        CFR(kuhn, "hs-dcfr", horizon=60).resume(tmp_path / "c")
    CFR(kuhn, "dcfr", horizon=50).run(3).checkpoint(tmp_path / "d")
    assert CFR(kuhn, "dcfr", horizon=60).resume(tmp_path / "d").iteration == 3


def test_another_measure_is_refused(kuhn: GameTree, tmp_path: Path) -> None:
    CFR(kuhn, "dcfr").checkpoint(tmp_path / "c")
    with refuses(CheckpointError, option="output", given="average", expected="last"):
        Checkpoint(tmp_path / "c").restore(CFR(kuhn, "dcfr"), output="last")


def tampered(path: Path, **changes: Any) -> None:
    """Rewrite a checkpoint with other identity fields, checksum and all."""
    header, arrays = read_archive(path, "checkpoint")
    header["options"]["identity"] |= changes
    write_archive(path, "checkpoint", header, arrays)


def test_another_order_of_sequences_is_refused(kuhn: GameTree, tmp_path: Path) -> None:
    CFR(kuhn, "dcfr").checkpoint(tmp_path / "c")
    tampered(tmp_path / "c", layout="0" * 64)
    with refuses(
        CheckpointError,
        option="layout",
    ):
        CFR(kuhn, "dcfr").resume(tmp_path / "c")


def test_another_seed_is_refused(kuhn: GameTree, tmp_path: Path) -> None:
    CFR(kuhn, "dcfr").checkpoint(tmp_path / "c")
    tampered(tmp_path / "c", seed=3)
    with refuses(CheckpointError, option="seed", given=3):
        CFR(kuhn, "dcfr").resume(tmp_path / "c")


def test_a_digest_sees_late_iterations_and_stays_within_the_horizon() -> None:
    early = changed_variant(discount=PowerDiscount(1.5, Knots(((1.0, 0.0), (2.0**20, 0.0)))))
    late = changed_variant(
        discount=PowerDiscount(1.5, Knots(((1.0, 0.0), (2.0**19, 0.0), (2.0**20, 1.0))))
    )
    plain = coefficients_digest(VARIANTS["dcfr"], None)
    assert coefficients_digest(early, None) == plain
    assert coefficients_digest(late, None) != plain
    short = {coefficients_digest(VARIANTS["hs-dcfr"], horizon) for horizon in (1, 999, 1024, 5000)}
    assert len(short) == 4


class Short(Variant):
    """A user's variant that knows 1,500 iterations and no more."""

    def coefficients(self, t: int, horizon: int | None = None) -> Coefficients:
        if t > 1500:
            raise IndexError(t)
        return VARIANTS["dcfr"].coefficients(t, horizon)


def test_a_variant_that_ends_early_can_be_saved(kuhn: GameTree, tmp_path: Path) -> None:
    CFR(kuhn, Short("short")).run(20).checkpoint(tmp_path / "c")
    assert CFR(kuhn, Short("short")).resume(tmp_path / "c").iteration == 20


# Damage


def test_every_cut_of_a_checkpoint_is_refused(kuhn: GameTree, tmp_path: Path) -> None:
    CFR(kuhn, "dcfr").run(3).checkpoint(tmp_path / "c")
    whole = (tmp_path / "c").read_bytes()
    for size in range(0, len(whole), 97):
        (tmp_path / "cut").write_bytes(whole[:size])
        with pytest.raises(CheckpointError):
            Checkpoint(tmp_path / "cut")


DAMAGE: dict[str, dict[str, Any]] = {
    "no iteration": {"iteration": None},
    "a negative iteration": {"iteration": -1},
    "a wrong identity": {"options": {"identity": {"game": "kuhn"}, "variant": "dcfr"}},
    "a short trace": {"trace": [[1, 0.0]]},
    "a trace of texts": {"trace": "1234"},
    "something more": {"more": 1},
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_header_that_does_not_fit_is_refused(kuhn: GameTree, tmp_path: Path, name: str) -> None:
    CFR(kuhn, "dcfr").run(3).checkpoint(tmp_path / "c")
    header, arrays = read_archive(tmp_path / "c", "checkpoint")
    write_archive(tmp_path / "c", "checkpoint", header | DAMAGE[name], arrays)
    with refuses(CheckpointError, option="content"):
        Checkpoint(tmp_path / "c")


@pytest.mark.parametrize(
    "change",
    [
        {"regret": None},
        {"regret": np.zeros(3)},
        {"regret": np.zeros((2, 2))},
        {"behaviour": np.zeros(4, dtype=np.int64)},
        {"strategy_sum": np.full(4, np.nan)},
    ],
)
def test_arrays_that_do_not_fit_are_refused(
    kuhn: GameTree, tmp_path: Path, change: dict[str, Any]
) -> None:
    CFR(kuhn, "dcfr").run(3).checkpoint(tmp_path / "c")
    header, arrays = read_archive(tmp_path / "c", "checkpoint")
    merged = {k: v for k, v in (arrays | change).items() if v is not None}
    write_archive(tmp_path / "c", "checkpoint", header, merged)
    with refuses(CheckpointError, option="content"):
        Checkpoint(tmp_path / "c")


def test_what_is_no_checkpoint_is_named(kuhn: GameTree, tmp_path: Path) -> None:
    with refuses(CheckpointError, option="file"):
        Checkpoint(tmp_path / "none")
    write_archive(tmp_path / "s", "solution", {}, {})
    with refuses(CheckpointError, option="format", given="solution", expected="checkpoint"):
        Checkpoint(tmp_path / "s")
    with refuses(OutputError, option="out", given="solution", expected="checkpoint"):
        CFR(kuhn, "dcfr").checkpoint(tmp_path / "s")


# Killed at any moment

_HARNESS = r"""
import json, os, random, signal, sys, time
import equilibrist as eq
from equilibrist.solvers.run.checkpoint import Checkpoint

folder, kills, iterations = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
path = os.path.join(folder, "run.ckpt")
options = dict(algorithm="pdcfr+", iterations=iterations)
tree = eq.compile_game(eq.load_game("leduc"))


def document(result):
    found = result.to_dict()
    trace = [{k: v for k, v in p.items() if k != "seconds"} for p in found["trace"]]
    return [result.iterations, result.stopped_by, result.strategy.probabilities.tobytes().hex(),
            found["values"], found["nash_conv"], trace]


def attempt():
    files = eq.Files(checkpoint=path, checkpoint_every=0.0, resume=os.path.exists(path))
    return eq.solve(tree, **options, files=files)


def saved():
    return Checkpoint(path).state.iteration if os.path.exists(path) else -1


straight = document(eq.solve(tree, **options))
random.seed(20240607)
killed = resumed = done = 0
same = []
last = -1
while killed < kills:
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if document(attempt()) == straight else 4)
        except BaseException as error:
            print(repr(error), file=sys.stderr)
            os._exit(3)
    # Every second kill waits for a new checkpoint, however slow the machine; the others come at any
    # moment, also before the first one.
    ended = (0, 0)
    while killed % 2 and saved() <= max(last, 0) and ended == (0, 0):
        ended = os.waitpid(child, os.WNOHANG)
    time.sleep(random.uniform(0.0, 0.15))
    if ended == (0, 0):
        os.kill(child, signal.SIGKILL)
        ended = os.waitpid(child, 0)
    _, status = ended
    if os.WIFEXITED(status):  # it was done before the kill: compare, and start again
        assert os.WEXITSTATUS(status) in (0, 4), "a child failed"
        same.append(os.WEXITSTATUS(status) == 0)
        os.unlink(path)
        last = -1
        continue
    killed += 1
    here = saved()  # whole after every kill
    if here >= 0:
        assert here >= last, (here, last)
        resumed += here > max(last, 0)
        last = here
same.append(document(attempt()) == straight)
print(json.dumps({"killed": killed, "resumed": resumed, "same": same, "straight": straight[:2]}))
"""


def python(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    # One thread per process: forking a process that has threads would be unsound.
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env=environment, **options
    )


@pytest.mark.slow
@pytest.mark.parametrize(("kills", "met"), [(30, 15)])
def test_a_run_that_is_killed_often_ends_with_the_same_bits(
    tmp_path: Path, kills: int, met: int
) -> None:
    iterations = 6000 * kills
    done = python("-c", _HARNESS, str(tmp_path), str(kills), str(iterations))
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["killed"] == kills
    assert report["resumed"] >= met  # the kills met a run that had got on since the one before
    assert report["same"]
    assert all(report["same"])
    assert report["straight"] == [iterations, "iterations"]
