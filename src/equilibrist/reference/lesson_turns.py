"""One iteration of CFR as plain data: what each player's update of each infoset was made of.

`lesson` prints it as pages of text; a program that draws it takes the numbers themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from equilibrist.game import Game
from equilibrist.reference.by_hand import InfosetSheet, regrets_by_hand
from equilibrist.reference.cfr import Coefficients, ReferenceCFR, Rule
from equilibrist.reference.game_walk import GameWalk, walk
from equilibrist.reference.response import expected_values, nash_conv


@dataclass(frozen=True)
class Turn:
    """One player's update of one infoset.

    Attributes:
        player: Who acts there.
        key: The infoset.
        actions: The labels of its actions; all further tuples have one number for each.
        sheet: Reach, values and instantaneous regrets of its histories.
        strategy: What was played in this iteration.
        own_reach: The probability that the player's own moves lead there.
        instant: The instantaneous regrets r.
        regret: The cumulative regrets R before the update.
        regret_after: R after it.
        sums: The strategy sum S before the update.
        sums_after: S after it.
        next_strategy: What regret matching makes of the new regrets.
        numbers: The coefficients of the iteration.
    """

    player: int
    key: str
    actions: tuple[str, ...]
    sheet: InfosetSheet
    strategy: tuple[float, ...]
    own_reach: float
    instant: tuple[float, ...]
    regret: tuple[float, ...]
    regret_after: tuple[float, ...]
    sums: tuple[float, ...]
    sums_after: tuple[float, ...]
    next_strategy: tuple[float, ...]
    numbers: Coefficients

    @property
    def expected(self) -> tuple[float, ...]:
        """What regret matching receives: lookahead * R + prediction * r."""
        c = self.numbers
        pairs = zip(self.regret_after, self.instant, strict=True)
        return tuple(c.lookahead * R + c.prediction * r for R, r in pairs)


@dataclass(frozen=True)
class Ending:
    """Where the iteration leads.

    Attributes:
        average: The average strategy: {infoset: one probability per action}.
        values: What each player earns with it, in payoff units.
        nash_conv: The sum of what all players could gain.
    """

    average: dict[str, list[float]]
    values: tuple[float, ...]
    nash_conv: float

    def to_dict(self) -> dict[str, Any]:
        """The fields by name, as JSON has them."""
        return {
            "average": self.average,
            "values": list(self.values),
            "nash_conv": self.nash_conv,
        }


def turns(
    game: Game[Any] | GameWalk,
    rule: Rule,
    iteration: int = 1,
    *,
    alternating: bool = True,
    horizon: int | None = None,
    start: Mapping[str, Sequence[float]] | None = None,
) -> Iterator[Turn | Ending]:
    """Run the iterations before `iteration` without a word, and that one infoset by infoset.

    Args:
        game: The game, or its walk.
        rule: The algorithm.
        iteration: Which one, from 1.
        alternating: Whether players are updated in turn.
        horizon: The planned number of iterations, for rules that need it.
        start: What is played in the first iteration: {infoset: one probability per action}, of all
            infosets or some. Others are played uniformly.

    Yields:
        The turns, player by player in the order of the updates, then the ending.

    Raises:
        GameError: As `walk`.
        RecallError: As `walk`.
    """
    tree = game if isinstance(game, GameWalk) else walk(game)
    solver = ReferenceCFR(tree, rule, alternating, horizon)
    for key, row in (start or {}).items():
        solver.strategy[key] = list(row)
    solver.run(iteration - 1)
    numbers = rule.coefficients(iteration, horizon)
    players = range(tree.num_players)
    profile = {key: list(row) for key, row in solver.strategy.items()}
    gathered = {} if alternating else {p: solver.instant_regrets(p) for p in players}
    for player in players:
        if alternating:
            profile = {key: list(row) for key, row in solver.strategy.items()}
        regrets, reach = gathered.get(player) or solver.instant_regrets(player)
        before = {k: (tuple(solver.regret[k]), tuple(solver.strategy_sum[k])) for k in regrets}
        solver.update(player, regrets, reach, numbers)
        for key, instant in regrets.items():
            yield Turn(
                player=player,
                key=key,
                actions=tree.infosets[key].actions,
                sheet=regrets_by_hand(tree, key, profile),
                strategy=tuple(profile[key]),
                own_reach=reach[key],
                instant=tuple(instant),
                regret=before[key][0],
                regret_after=tuple(solver.regret[key]),
                sums=before[key][1],
                sums_after=tuple(solver.strategy_sum[key]),
                next_strategy=tuple(solver.strategy[key]),
                numbers=numbers,
            )
    average = solver.average_strategy()
    values = tuple(expected_values(tree, average))
    yield Ending(average, values, nash_conv(tree, average))
