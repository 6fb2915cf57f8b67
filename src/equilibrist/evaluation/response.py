"""Expected values and best responses, and the bounds that they prove."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from equilibrist.errors import UnsupportedError
from equilibrist.evaluation.correlation import Gap
from equilibrist.formatting.documents import document
from equilibrist.parsing.arguments import whole_number
from equilibrist.solvers.full_traversal.crew import Crew
from equilibrist.solvers.run.trace import HasMeasure
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray


@dataclass(frozen=True)
class Evaluation(HasMeasure):
    """What a profile is worth and what each player could still gain, in the game's payoff units.

    Attributes:
        values: Each player's expected payoff.
        best_response_values: Each player's expected payoff with a best response to the others.
        gains: `best_response_values` minus `values`, player by player, before both are rounded;
            at least 0.
        nash_conv: The sum of the gains.
        exploitability: `nash_conv / 2` for two players with constant sum, else None.
        rounding: A `nash_conv` below this may be 0, or rounding: `GameTree.rounding`.
        gap: How far the history of play is from correlated equilibrium, where that was measured.
    """

    values: tuple[float, ...]
    best_response_values: tuple[float, ...]
    gains: tuple[float, ...]
    nash_conv: float
    exploitability: float | None
    rounding: float = 0.0
    gap: Gap | None = None

    @property
    def gap_figure(self) -> tuple[str, float] | None:
        """The concept whose gap was measured, and the gap summed over players; else None."""
        return None if self.gap is None else (self.gap.concept, self.gap.total)

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON can hold them; the gap only where one was measured.

        Returns:
            Values by name.
        """
        fields = document(self)
        if self.gap is None:
            del fields["gap"]
        return fields

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>player {player}</th><td>{value:z.6g}</td><td>{response:z.6g}</td>"
            f"<td>{gain:z.3g}</td></tr>"
            for player, (value, response, gain) in enumerate(
                zip(self.values, self.best_response_values, self.gains, strict=True)
            )
        )
        heads = "".join(f"<th>{text}</th>" for text in ("", "value", "best response", "gain"))
        measures = {"exploitability": self.exploitability, "NashConv": self.nash_conv}
        if self.gap is not None:
            measures[f"{self.gap.concept.upper()} gap"] = self.gap.total
        known = {name: value for name, value in measures.items() if value is not None}
        sums = "".join(
            f"<tr><th>{name}</th><td></td><td></td><td>{value:z.3g}</td></tr>"
            for name, value in known.items()
        )
        return f"<table><tr>{heads}</tr>{rows}{sums}</table>"


@dataclass(frozen=True)
class BestResponse:
    """One player's best response to the others: its value, its gain, and the profile with it.

    Attributes:
        player: The player who responds.
        value: Their expected payoff with the best response, in payoff units.
        gain: `value` minus their expected payoff in the original profile, at least 0.
        strategy: The profile with a pure best response at the player's infosets; all others are
            unchanged.
    """

    player: int
    value: float
    gain: float
    strategy: Strategy


class _Measured(NamedTuple):
    """Values of a profile and of best responses to it, both without `payoff_offset`.

    Attributes:
        values: float64[players].
        best_values: float64[players], each player's with a best response to the others.
        best_behaviour: float64[S], the pure best responses in engine order.
    """

    values: FloatArray
    best_values: FloatArray
    best_behaviour: FloatArray


def _measured(tree: GameTree, behaviour: FloatArray, crew: Crew | None = None) -> _Measured:
    """Value a strategy in engine order, and compute every player's best response to it."""
    form = tree.sequence_form
    size = form.num_sequences
    best_behaviour = np.ones(size)
    values = np.empty(tree.num_players)
    best = np.empty(tree.num_players)
    outputs = best_behaviour, values, best
    inputs = form.arrays, np.ascontiguousarray(behaviour)
    if crew is None:
        from equilibrist.kernels.sequence_form import response

        response.evaluate(*inputs, np.empty(size), form.scratch(), *outputs)
    else:
        from equilibrist.kernels.sequence_form import shared

        room = np.zeros(size), form.scratch(), crew.scratch()[0]
        arguments = (*inputs, *room, *outputs)
        crew.run(lambda team: shared.evaluate(*arguments, team), crew.counters())
    # Rounding may put the value of a best response below that of the profile.
    return _Measured(values, np.maximum(best, values), best_behaviour)


def evaluate_behaviour(
    tree: GameTree, behaviour: FloatArray, crew: Crew | None = None
) -> Evaluation:
    """Measure a strategy in engine order by exact best responses.

    Args:
        tree: A compiled game.
        behaviour: float64[S], one probability per engine sequence (`CFR.average_behaviour`).
        crew: Threads of a solver of this game (`CFR.crew`) that are to share the work. The numbers
            are the same.

    Returns:
        Values, best-response values and gains, in payoff units.

    Raises:
        RecallError: If the game has imperfect recall.
    """
    measured = _measured(tree, behaviour, crew)
    values, best = measured.values, measured.best_values
    offset = tree.sequence_form.payoff_offset
    gains = best - values
    total = float(gains.sum())
    zero_sum = tree.num_players == 2 and tree.is_constant_sum
    return Evaluation(
        values=tuple((values + offset).tolist()),
        best_response_values=tuple((best + offset).tolist()),
        gains=tuple(gains.tolist()),
        nash_conv=total,
        exploitability=total / 2 if zero_sum else None,
        rounding=tree.rounding,
    )


def evaluate(strategy: Strategy) -> Evaluation:
    """Values, best-response values and gains of all players under `strategy`.

    Args:
        strategy: A profile. Best responses to it are exact, computed in the full game.

    Returns:
        All of them, in payoff units.

    Raises:
        ConfigError: If `strategy` is not a Strategy.
        RecallError: If the game has imperfect recall.
    """
    form = checked_strategy(strategy).tree.sequence_form
    return evaluate_behaviour(strategy.tree, form.to_engine(strategy.probabilities))


def expected_values(strategy: Strategy) -> tuple[float, ...]:
    """Each player's expected payoff when all play `strategy`.

    Args:
        strategy: A profile.

    Returns:
        One number per player, in payoff units.

    Raises:
        ConfigError: If `strategy` is not a Strategy.
        RecallError: If the game has imperfect recall.
    """
    return evaluate(strategy).values


def nash_conv(strategy: Strategy) -> float:
    """Sum over players of what each could gain by a best response; 0 exactly at equilibrium.

    Args:
        strategy: A profile.

    Returns:
        NashConv in payoff units.

    Raises:
        ConfigError: If `strategy` is not a Strategy.
        RecallError: If the game has imperfect recall.
    """
    return evaluate(strategy).nash_conv


def exploitability(strategy: Strategy) -> float:
    """NashConv / 2: what a best responder wins on average over both seats, beyond the value.

    Args:
        strategy: A profile of a game of two players with constant sum.

    Returns:
        The exploitability in payoff units, 0 exactly at equilibrium.

    Raises:
        UnsupportedError: If the game is of another kind; use `nash_conv`.
        ConfigError: If `strategy` is not a Strategy.
        RecallError: If the game has imperfect recall.
    """
    result = evaluate(strategy).exploitability
    if result is None:
        tree = strategy.tree
        why = "has more than two players" if tree.num_players > 2 else "is not constant-sum"
        if tree.num_players < 2:
            why = "has one player"
        raise UnsupportedError(
            f"exploitability has no meaning here: {tree.name} {why}",
            option="game",
            given=tree.name,
            remedy="use nash_conv",
        )
    return result


def best_response(strategy: Strategy, player: int) -> BestResponse:
    """The best response of `player` to the others' part of `strategy`.

    Args:
        strategy: A profile; the part of `player` has no effect on the response.
        player: A player, from 0.

    Returns:
        The value of the response, its gain, and the profile that contains it.

    Raises:
        ConfigError: If there is no such player, or `strategy` is not a Strategy.
        RecallError: If the game has imperfect recall.
    """
    tree = checked_strategy(strategy).tree
    player = whole_number("player", player, 0, tree.num_players - 1)
    form = tree.sequence_form
    measured = _measured(tree, form.to_engine(strategy.probabilities))
    best_value = measured.best_values[player]
    answer = Strategy(tree, form.to_public(measured.best_behaviour))
    return BestResponse(
        player=player,
        value=float(best_value + form.payoff_offset[player]),
        gain=float(best_value - measured.values[player]),
        strategy=strategy.replace(player, answer),
    )
