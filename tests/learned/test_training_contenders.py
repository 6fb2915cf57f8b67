"""Every algorithm of the table is a run: resumed to the same bits, saved, refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError
from equilibrist.learned.algorithms.registry import ALGORITHMS
from equilibrist.learned.files import NetworkFile
from equilibrist.learned.training import train
from tests.refusals import refuses

OTHERS = [name for name in ALGORITHMS if name not in ("sd-cfr", "deep-cfr")]
UNITS = {
    "regrets": "advantages",
    "instant": "advantages",
    "advantages": "advantages",
    "policy": "logits",
    "average": "logits",
}
EPISODIC = ("ppo", "mmd", "r-nad")
QUICK = "walks=60,width=16,depth=2"
FITTED = f"{QUICK},steps=20,batch=64"


@pytest.mark.parametrize("name", OTHERS)
def test_tables_resume_to_the_same_bits(name: str, tmp_path: Path) -> None:
    spec, run = f"{name}(walks=20,learner=table)", tmp_path / "run.ckpt"
    whole = train("kuhn", spec, iterations=5, seed=3)
    train("kuhn", spec, iterations=2, seed=3, checkpoint=run)
    again = train("kuhn", spec, iterations=5, seed=3, resume=run)
    assert np.array_equal(whole.strategy.probabilities, again.strategy.probabilities)
    assert [p.measure for p in whole.trace] == [p.measure for p in again.trace]


@pytest.mark.parametrize("name", OTHERS)
def test_games_of_other_sums_are_refused(name: str) -> None:
    with refuses(ConfigError, option="game", given="kuhn(players=3)"):
        train("kuhn(players=3)", f"{name}(learner=table)", iterations=1)


@pytest.mark.nets
@pytest.mark.parametrize("name", OTHERS)
def test_networks_are_stored_with_what_they_read(name: str, tmp_path: Path) -> None:
    numbers = QUICK if name in EPISODIC else FITTED
    spec, run = f"{name}({numbers})", tmp_path / "run.ckpt"
    whole = train("kuhn", spec, iterations=4, seed=3)
    train("kuhn", spec, iterations=3, seed=3, checkpoint=run)
    result = train("kuhn", spec, iterations=4, seed=3, resume=run)
    assert np.array_equal(whole.strategy.probabilities, result.strategy.probabilities)
    stored = eq.load_result(result.save(tmp_path / "net.safetensors"))
    networks = NetworkFile.of(stored).networks
    # Values of histories and moves read other features, and play does not need them.
    kinds = {network_name.rpartition(" ")[0] for network_name in networks}
    units = {kind: UNITS[kind] for kind in kinds}
    if not name.startswith(("dream", "escher")):
        units = {kind: unit.replace("es", "es / largest payoff") for kind, unit in units.items()}
    assert {n.rpartition(" ")[0]: unit for n, unit in NetworkFile.of(stored).unit.items()} == units
    assert kinds <= {"regrets", "instant", "advantages", "policy", "average"}
    assert kinds
    # With those that only help: histories, values of infosets, or moves of both.
    count = len(networks) + (2 if name == "nfsp" else 1)
    assert f"; {count} networks were fitted: " in whole.notes[-1]
    assert whole.networks is not None
    assert result.networks is not None
    assert whole.networks.losses == result.networks.losses
