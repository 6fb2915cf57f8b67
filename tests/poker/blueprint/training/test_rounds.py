"""Training in rounds: what workers gain, its mean, and the same bits on a cluster."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.blueprint.training.rounds import Standing, Workers, merge
from equilibrist.poker.blueprint.training.train import resume_blueprint, train_blueprint
from equilibrist.poker.blueprint.training.trainer import Trainer

TWO = Workers(2, period=3, serial=True)
GIVEN: dict[str, Any] = {"batch": 4, "seed": 5}


def strategy(found: Blueprint):
    return found.bucket_probabilities(0)


@pytest.fixture(scope="module")
def trained(hand, cards):
    return train_blueprint(hand, cards, iterations=7, workers=TWO, **GIVEN)


def test_a_round_is_the_mean_of_runs_on_boards_of_their_own(game, cards):
    def after(boards: int, iterations: int, standing: Standing | None) -> Trainer:
        made = Trainer(game, cards, threads=1, **GIVEN)
        if standing is not None:
            made.restore(*standing)
        made.boards = boards
        return made.run(iterations)

    merged = Trainer(game, cards, threads=1, **GIVEN)
    for length in (3, 1):
        start = Standing(merged.state(), {n: a.copy() for n, a in merged.arrays().items()})
        found = [after(merged.boards + k * length * 4, length, start) for k in (0, 1)]
        merge(merged, [Standing(one.state(), one.arrays()) for one in found], length * 4)
        for name in ("regret", "average"):
            arrays = [getattr(one, name) for one in found]
            assert (arrays[0] != arrays[1]).any()
            np.testing.assert_allclose(getattr(merged, name), sum(arrays) / 2, rtol=1e-6)
        assert merged.value == pytest.approx(np.mean([one.value for one in found]))
    assert (merged.iteration, merged.boards) == (4, 32)
    expected = train_blueprint(game.hand, cards, iterations=4, workers=TWO, **GIVEN)
    np.testing.assert_array_equal(
        Blueprint(game, cards, merged.strategy(), {}).bucket_probabilities(0), strategy(expected)
    )


def test_rounds_that_are_resumed_end_with_the_same_bits(hand, cards, trained, tmp_path):
    file = tmp_path / "b.ckpt"
    train_blueprint(hand, cards, iterations=3, workers=TWO, checkpoint=file, **GIVEN)
    again = resume_blueprint(file, iterations=7, serial=True)
    np.testing.assert_array_equal(strategy(again), strategy(trained))
    assert again.record["boards"] == trained.record["boards"] == 56
    assert tuple(again.record["workers"]) == (2, 3)
    alone = train_blueprint(hand, cards, iterations=7, **GIVEN)
    assert (strategy(alone) != strategy(trained)).any()


@pytest.mark.slow  # starts a cluster
def test_a_cluster_has_the_same_bits(hand, cards, trained):
    found = train_blueprint(hand, cards, iterations=7, workers=Workers(2, period=3), **GIVEN)
    np.testing.assert_array_equal(strategy(found), strategy(trained))


def test_bad_input(hand, cards, tmp_path):
    wrong: list[dict[str, Any]] = [{"count": 1}, {"count": 2, "period": 0}]
    for given in wrong:
        with pytest.raises(ConfigError) as refused:
            Workers(**given)
        assert refused.value.option == ("workers" if given["count"] == 1 else "period")
    file = tmp_path / "b.ckpt"
    train_blueprint(hand, cards, iterations=1, checkpoint=file, **GIVEN)
    with pytest.raises(ConfigError) as refused:
        resume_blueprint(file, iterations=2, address="auto")
    assert refused.value.option == "address"
