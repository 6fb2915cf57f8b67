"""Trajectories of outcome sampling by the plain recursion, with what is played before and after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from equilibrist.reference.draws import Draws, RandomDraws
from equilibrist.reference.game_walk import GameWalk
from equilibrist.reference.matching import regret_matching
from equilibrist.reference.sampling import Profile, outcome_sampling
from equilibrist.reference.sampling.outcome import Visit
from tests.solvers.sampling.stream_draws import StreamDraws, key_of


@dataclass(frozen=True)
class Step:
    """A trajectory in `iteration`, and the profile that its update leads to."""

    iteration: int
    traverser: int
    visits: list[Visit]
    after: Profile


def constant(game: GameWalk, profile: Profile, iterations: int) -> Iterator[Step]:
    """Trajectories of a profile that never changes."""
    draws = RandomDraws(2)
    for t in range(1, iterations + 1):
        for player in range(game.num_players):
            added = outcome_sampling(game.root, player, profile, draws)
            yield Step(t, player, added.visits, profile)


def learning(game: GameWalk, iterations: int, seed: int | None = None) -> Iterator[Step]:
    """Trajectories of a profile that learns, on the random numbers of the kernels if seeded."""
    regret = {key: [0.0] * len(infoset.actions) for key, infoset in game.infosets.items()}
    profile = {key: regret_matching(row) for key, row in regret.items()}
    draws: Draws = RandomDraws(2)
    for t in range(1, iterations + 1):
        if seed is not None:
            draws = StreamDraws(key_of(seed), t)
        for player in range(game.num_players):
            added = outcome_sampling(game.root, player, profile, draws)
            for key, row in added.regret.items():
                regret[key] = [x + y for x, y in zip(regret[key], row, strict=True)]
            profile = {**profile, **{key: regret_matching(regret[key]) for key in added.regret}}
            yield Step(t, player, added.visits, profile)
