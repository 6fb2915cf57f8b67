"""No measure of a training hides a regret that is not a number, and no blueprint is made of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.poker.blueprint.training.external import ExternalTrainer
from equilibrist.poker.blueprint.training.run import Run, trained
from equilibrist.poker.blueprint.training.trainer import Trainer
from equilibrist.progress import Callbacks
from equilibrist.solvers.run.stopping import Stop

TRAINERS: dict[str, Callable[..., Any]] = {
    "float32": lambda game, cards: Trainer(game, cards, batch=8, threads=1),
    "int16": lambda game, cards: Trainer(game, cards, batch=8, threads=1, storage="int16"),
    "external": lambda game, cards: ExternalTrainer(game, cards, batch=8, threads=1),
}


@pytest.mark.parametrize("name", TRAINERS)
@pytest.mark.parametrize("place", [0, 1, -1])
def test_bad_regrets_reach_the_measure(name, place, game, cards):
    trainer = TRAINERS[name](game, cards)
    trainer.run(2)
    assert trainer.average_regret > 0
    if name == "int16":  # the scale of a decision
        trainer._scale[0, trainer._nodes[place]] = np.nan
    else:
        trainer.regret[place] = np.nan
    assert np.isnan(trainer.average_regret)
    run = Run(trainer, name, Stop(iterations=3), Callbacks(), None, 1.0)
    with pytest.raises(ConfigError) as error:
        trained(run)
    assert error.value.option == "discount"
