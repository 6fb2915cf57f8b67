"""Both trainings on buckets that lose much: twenty cards, all streets, 25/20/20/10 buckets."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.poker.blueprint.evaluation.exploiter import exploit
from equilibrist.poker.blueprint.evaluation.values import (
    Valuer,
    estimate,
    random_boards,
    strategy_of,
)
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.blueprint.training.external import ExternalTrainer
from equilibrist.poker.blueprint.training.trainer import Trainer

pytestmark = pytest.mark.slow
BOARDS = 2000


def blueprint_of(trainer):
    return Blueprint(trainer.game, trainer.cards, trainer.strategy())


def test_vector_training_and_external_sampling_agree(game, cards):
    """Each wins as much from itself as from the other, in both seats, and little can be gained."""
    vector = Trainer(game, cards, seed=1, batch=12, threads=1).run(400)
    external = ExternalTrainer(game, cards, seed=1, lanes=1, threads=1)
    valuer, boards = Valuer(game, cards, threads=1), random_boards(8, BOARDS, (9,))
    own = game.seat_slots(0)

    def differences():
        """What seat 0 wins less than with vector training in both seats, board by board."""
        one, other = (strategy_of(blueprint_of(each)) for each in (vector, external))
        mixed = [other, np.where(own, one, other), np.where(own, other, one)]
        base = valuer.values(one, boards)[:, 0]
        return [estimate(valuer.values(each, boards)[:, 0] - base) for each in mixed]

    external.run(1)
    early = differences()
    external.run(24)
    late = differences()
    assert max(abs(each.mean) for each in early) > 20
    for each in late:
        assert abs(each.mean) <= 1 + 1.5 * each.half_width
        assert each.half_width < 4
    for trainer in (vector, external):
        found = exploit(blueprint_of(trainer), iterations=100, boards=BOARDS, threads=1)
        assert found.gain.mean < 4 + found.gain.half_width
