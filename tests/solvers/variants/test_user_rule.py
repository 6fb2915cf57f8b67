"""Local rules from users' files: run like any other, with one clear error for each fault."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import CheckpointError, ConfigError
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.variants.registry import get_rule
from tests.refusals import refuses
from tests.solvers.full_traversal.test_cfr import BOTH_ORDERS, compiled

FILE = '''
import numpy as np
from dataclasses import dataclass
from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.solvers.variants.schedules import PowerAverage

class Weights(LocalRule):
    """Hedge, as the package has it, in NumPy."""
    keeps = ("spread",)
    def step(self, t, instant, strategy, regret, kept):
        regret += instant
        kept["spread"][0] += np.ptp(instant, axis=0) ** 2
        spread = kept["spread"][0]
        most = 8 * np.log(len(instant))
        rate = np.sqrt(most / np.where(spread > 0, spread, np.inf))
        weights = np.exp(rate * (regret - regret.max(axis=0)))
        return weights / weights.sum(axis=0)

def weights(gamma=0.0): return Weights("weights", average=PowerAverage(gamma))
@dataclass(frozen=True)
class Lazy(LocalRule):
    """Plays on as before but for a share."""
    share: float = 0.1
    def step(self, t, instant, strategy, regret, kept):
        regret += instant
        return (1 - self.share) * strategy + self.share / len(strategy)
class Flat(LocalRule):
    def step(self, t, instant, strategy, regret, kept): return strategy[0]
class Heavy(LocalRule):
    def step(self, t, instant, strategy, regret, kept): return 2 * strategy
class Less(LocalRule):
    def step(self, t, instant, strategy, regret, kept): return strategy - [[2], [-2], [0]]
class Broken(LocalRule):
    def step(self, t, instant, strategy, regret, kept): return kept["nothing"]
class Endless(LocalRule):
    def step(self, t, instant, strategy, regret, kept):
        regret += np.inf
        return strategy
class Later(LocalRule):
    def step(self, t, instant, strategy, regret, kept):
        return strategy if t < 5 else strategy * np.nan
class Silent(LocalRule): pass
class Anew(LocalRule):
    keeps = ("last",)
    def step(self, t, instant, strategy, regret, kept):
        kept["last"] = instant
        return strategy
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "my.py"
    path.write_text(FILE)
    return path


@pytest.mark.by_default(1)
@BOTH_ORDERS
@pytest.mark.parametrize("game", ["kuhn", "leduc", "three players", "many actions"])
def test_a_rule_in_numpy_is_the_compiled_one(game: str, alternating: bool, file: Path) -> None:
    tree, _ = compiled(game)
    own = CFR(tree, f"{file}:weights(gamma=1)", alternating=alternating).run(20).state
    ours = CFR(tree, "hedge(gamma=1)", alternating=alternating).run(20).state
    assert own.kept.keys() == ours.kept.keys() == {"spread"}
    for name in ("regret", "behaviour", "strategy_sum"):
        assert np.abs(getattr(own, name) - getattr(ours, name)).max() < 1e-9


def test_it_is_an_algorithm_like_any_other(file: Path, tmp_path: Path) -> None:
    spec = f"{file}:weights(gamma=1)"
    result = eq.solve("kuhn", spec, iterations=200, files=eq.Files(checkpoint=tmp_path / "c"))
    assert result.algorithm == "weights(gamma=1)"
    assert result.evaluation.nash_conv < 0.02
    again = eq.solve(
        "kuhn", spec, iterations=300, files=eq.Files(checkpoint=tmp_path / "c", resume=True)
    )
    straight = eq.solve("kuhn", spec, iterations=300)
    assert again.strategy.probabilities.tobytes() == straight.strategy.probabilities.tobytes()


def test_a_changed_rule_is_another_run(file: Path, tmp_path: Path) -> None:
    CFR("kuhn", f"{file}:weights").run(3).checkpoint(tmp_path / "c")
    file.write_text(FILE.replace("8 * np.log", "7 * np.log"))
    with refuses(
        CheckpointError,
        option="coefficients",
    ):
        CFR("kuhn", f"{file}:weights").resume(tmp_path / "c")


def test_parameters_of_a_class(file: Path) -> None:
    rule: Any = get_rule(f"{file}:Lazy(share=0.5)")
    assert (rule.name, rule.share) == ("Lazy(share=0.5)", 0.5)
    assert rule.update == "as Lazy.step() says"


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        (
            "Flat",
            dict(option="step", given="(2,)", place="t = 1"),
        ),
        ("Heavy", dict(option="step", place="t = 1")),
        ("Less", dict(option="step", place="t = 1")),
        ("Broken", dict(option="step", given="KeyError", place="t = 1")),
        ("Endless", dict(option="regret", place="t = 1")),
        ("Silent", dict(option="step", given="NotImplementedError", place="t = 1")),
        ("Anew", dict(option="kept", place="t = 1")),
    ],
)
def test_each_fault_is_named_when_the_file_is_loaded(
    file: Path, name: str, fields: dict[str, Any]
) -> None:
    with refuses(ConfigError, **fields):
        get_rule(f"{file}:{name}")


@pytest.mark.parametrize("keeps", ["None", "'previous'", "(1,)", "('',)", "('a', 'a')"])
def test_what_a_rule_keeps_has_names(keeps: str, tmp_path: Path) -> None:
    path = tmp_path / "names.py"
    lines = (
        "from equilibrist.solvers.variants.local_rule import LocalRule\nclass Mine(LocalRule):\n"
    )
    path.write_text(f"{lines}    keeps = {keeps}\n")
    with refuses(ConfigError, option="file", given="ConfigError"):
        get_rule(f"{path}:Mine")


def test_a_late_fault_is_named_with_its_iteration(file: Path) -> None:
    solver = CFR("kuhn", f"{file}:Later").run(4)
    with refuses(
        ConfigError, option="step", given="array([[nan, nan, nan], [nan, nan, nan]])", place="t = 5"
    ):
        solver.run(1)
