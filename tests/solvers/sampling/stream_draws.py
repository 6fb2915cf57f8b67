"""The random numbers of the kernels in plain Python, and a run of a reference sampler on them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from equilibrist.game import Game
from equilibrist.games import load_game
from equilibrist.reference.draws import Draws
from equilibrist.reference.game_walk import Node, walk
from equilibrist.reference.matching import regret_matching
from equilibrist.reference.sampling import Addition, Profile

Table = dict[str, list[float]]
Sample = Callable[[Node, int, Profile, Draws], Addition]
_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


class StreamDraws:
    """What the kernels draw in one iteration."""

    def __init__(self, key: int, iteration: int) -> None:
        self.state = mix(key ^ mix((iteration * _GAMMA) & _MASK))

    def uniform(self) -> float:
        self.state = (self.state + _GAMMA) & _MASK
        return (mix(self.state) >> 11) * 2.0**-53

    def outcome(self, probabilities: Sequence[float]) -> int:
        return self.action(probabilities)

    def action(self, probabilities: Sequence[float]) -> int:
        u, below = self.uniform(), 0.0
        for k, p in enumerate(probabilities):
            below += p
            if below > u:
                return k
        return max(k for k, p in enumerate(probabilities) if p > 0.0)


def key_of(seed: int) -> int:
    """The key that a solver makes of its seed."""
    return int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])


class Matched(dict[str, list[float]]):
    """Strategies by regret matching, worked out where they are asked for."""

    def __init__(self, regret: Table) -> None:
        super().__init__()
        self.regret = regret

    def __missing__(self, key: str) -> list[float]:
        return regret_matching(self.regret[key])


def reference_run(
    spec: str | Game[Any],
    sample: Sample,
    iterations: int,
    seed: int,
    strategy_sum: Table | None = None,
    floor: float = -math.inf,
) -> tuple[Table, Table]:
    """Regrets and strategy sums after some iterations of a reference sampler.

    Give `strategy_sum`, empty, if the sampler reads it; it is the table that is returned. Regrets
    are kept from falling below `floor`.
    """
    game = walk(load_game(spec) if isinstance(spec, str) else spec)
    regret = {key: [0.0] * len(infoset.actions) for key, infoset in game.infosets.items()}
    strategy_sum = {} if strategy_sum is None else strategy_sum
    strategy_sum.update({key: [0.0] * len(row) for key, row in regret.items()})
    key = key_of(seed)
    for t in range(1, iterations + 1):
        draws = StreamDraws(key, t)
        for player in range(game.num_players):
            added = sample(game.root, player, Matched(regret), draws)
            for into, table in ((regret, added.regret), (strategy_sum, added.strategy_sum)):
                for infoset, row in table.items():
                    into[infoset] = [x + y for x, y in zip(into[infoset], row, strict=True)]
            for infoset, row in regret.items():
                regret[infoset] = [max(x, floor) for x in row]
    return regret, strategy_sum
