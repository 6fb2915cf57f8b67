"""Re-solving: the play of a trunk below public states replaced, and what that changes exactly."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from equilibrist.abstraction.measures.numbers import LARGEST
from equilibrist.errors import ConfigError, MismatchError
from equilibrist.evaluation.response import Evaluation, evaluate
from equilibrist.formatting.documents import document
from equilibrist.options.defaults import SUBSTITUTE_ITERATIONS
from equilibrist.parsing.arguments import (
    bad_argument,
    check_bool,
    optional_whole_number,
    several,
    whole_number,
)
from equilibrist.search.gadget_runs import GadgetRuns, SolvedGadgets, solve_by_gadgets
from equilibrist.search.methods import SearchMethod, get_search_method
from equilibrist.search.programmes import solve_by_programme
from equilibrist.search.seat_task import SeatTask
from equilibrist.search.subgames import Subgames
from equilibrist.search.values import TrunkValues
from equilibrist.solvers.sampling.samplers import Sampler
from equilibrist.solving.algorithm import Algorithm
from equilibrist.solving.option_groups import Sampling
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.typing import FloatArray

Measure = Literal["exploitability", "best response"]
"""What the figures of a seat are.

`exploitability` is that of the seat: the game's value to it less what it gets against a true best
response. `best response`, where the value is unknown, is what the opponent's true best response
earns against it.
"""
GuessedAlternatives = Callable[[TrunkValues], FloatArray]
"""From a trunk at the roots, what the opponent may count on with each hand, in payoff units."""


@dataclass(frozen=True)
class HandValues:
    """A hand of the opponent's at a root.

    Attributes:
        hand: What it is called.
        weight: w_j: how likely chance and the seat bring it here, whatever the opponent does.
        reach: How likely the opponent comes here with it in the trunk, as far as that is its own
            doing.
        alternative: What the opponent may count on with it, gifts included, in payoff units. As all
            values here, it is counterfactual: not divided by the weight.
        gift: The part of it that the opponent gave away on the way.
        before: What its best response to the trunk is worth.
        after: What its best response to the new play is worth.
    """

    hand: str
    weight: float
    reach: float
    alternative: float
    gift: float
    before: float
    after: float


@dataclass(frozen=True)
class RootStep:
    """One root, re-solved for one seat.

    Attributes:
        root: The name of the public node.
        seat: Whose play was replaced.
        total: k, the sum of the weights of the opponent's hands.
        objective: What the new play reaches of the method's programme, in payoff units; None where
            nothing was replaced, since the seat does not move or does not come there.
        margin: The least that the opponent's values stay below the alternatives, over hands, in the
            method's scale; None where nothing was replaced.
        gap: NashConv of the solution in the gadget game, in that game's payoffs; None with linear
            programmes, and where nothing was replaced.
        hands: The opponent's hands.
    """

    root: str
    seat: int
    total: float
    objective: float | None
    margin: float | None
    gap: float | None
    hands: tuple[HandValues, ...]


@dataclass(frozen=True, eq=False)
class Resolved:
    """A trunk with new play below public states.

    Attributes:
        trunk: The trunk.
        strategy: The result; what was not replaced has the bits of the trunk.
        method: The method.
        roots: The names of the roots.
        seats: The players whose play was replaced.
        measure: What the figures are.
        before: The figure of each seat of the trunk.
        after: The figure of each seat of the result.
        completion: The figure of each seat that was re-solved with the best play below all roots at
            the same time, which no method can beat; None where that was not found.
        bound: By how much the figure of each seat may have risen at most: 0 with a safe method
            solved exactly, else the gaps of its gadget games; None without a guarantee.
        steps: Every root for every seat.
        trunk_evaluation: Values, best responses and gains of the trunk.
        evaluation: Values, best responses and gains of the result.
        seconds: The time that re-solving took, measures left out.
    """

    trunk: Strategy
    strategy: Strategy
    method: SearchMethod
    roots: tuple[str, ...]
    seats: tuple[int, ...]
    measure: Measure
    before: tuple[float, float]
    after: tuple[float, float]
    completion: tuple[float | None, float | None]
    bound: tuple[float | None, float | None]
    steps: tuple[RootStep, ...]
    trunk_evaluation: Evaluation
    evaluation: Evaluation
    seconds: float

    def __repr__(self) -> str:
        return (
            f"Resolved({self.strategy.tree.name!r}, {self.method.spec!r}, roots={len(self.roots)}, "
            f"before={self.before}, after={self.after})"
        )

    def step(self, root: str, seat: int) -> RootStep:
        """One root, re-solved for one seat.

        Args:
            root: The name of the root.
            seat: The player.

        Returns:
            The step.

        Raises:
            ConfigError: There is no such root or seat.
        """
        for step in self.steps:
            if (step.root, step.seat) == (root, seat):
                return step
        raise bad_argument("root", (root, seat), "a root and a seat that were re-solved")

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON can hold them.

        Returns:
            Names and what they are, without strategies.
        """
        return {
            "game": self.strategy.tree.name,
            "method": self.method.spec,
            "safe": self.method.is_safe,
            **document(self, "roots seats measure before after completion bound seconds steps"),
        }


def resolve(
    trunk: Strategy,
    *,
    roots: str | Sequence[str] | Subgames,
    method: str | SearchMethod = "max-margin",
    seats: Sequence[int] | None = None,
    algorithm: str | Algorithm = "lp",
    iterations: int | None = None,
    sampling: str | Sampler | Sampling | None = None,
    seed: int = 0,
    alternatives: GuessedAlternatives | None = None,
    completion: bool = True,
) -> Resolved:
    """Replace the play of a trunk below public states by that of subgames, one seat at a time.

    A seat's play below the roots is chosen for its own reach as the trunk plays, against an
    opponent who is free. The other seat's does not depend on it, so that both are replaced at once.

    Args:
        trunk: A strategy of a game of two players with constant sum and perfect recall, whose rules
            say what is public.
        roots: Public nodes: `before chance`, `after chance`, `after move 2`, or patterns of names
            (`find_roots`); or subgames that are laid out, which saves time with many trunks.
        method: How play is chosen: the name of a method, perhaps with parameters, as in
            `max-margin(scale=raw)`.
        seats: Whose play is replaced, from 0; by default both players'.
        algorithm: `lp` for linear programmes over all roots of a seat, which are exact; else any
            algorithm that `solve` takes for games, which solves a gadget game for each root.
        iterations: Iterations of the algorithm for each gadget game, by default 1,000.
        sampling: What an iteration samples, as `solve` takes it.
        seed: The seed of samplers.
        alternatives: A function that guesses what the opponent may count on, in place of what the
            trunk proves: from the trunk at the roots, one value for each hand. There is no
            guarantee then.
        completion: Whether to find the best play below all roots at once for comparison, and the
            value of the game, where the game has no more than 5,000 sequences.

    Returns:
        The new strategy, with exact figures before and after.

    Raises:
        ConfigError: An argument is wrong, or the rules do not say what is public.
        GameError: Histories of one infoset lie in different public nodes.
        UnsupportedError: The game is of another kind.
        MismatchError: The subgames are of another game.
        RecallError: The game has imperfect recall.
        EquilibristError: A linear programme did not come to an end.
    """
    tree = checked_strategy(trunk).tree
    subgames = roots if isinstance(roots, Subgames) else Subgames.of(tree, roots)
    search = subgames.search
    if search.tree is not tree and search.tree.fingerprint != tree.fingerprint:
        raise MismatchError(
            f"the subgames are of {search.tree.name}, the trunk of {tree.name}",
            option="roots",
            given=search.tree.name,
            expected=tree.name,
        )
    chosen = get_search_method(method)
    players = _seats(seats)
    check_bool("completion", completion)
    runs = _runs(algorithm, iterations, sampling, seed)
    is_proven = chosen.is_safe and alternatives is None
    began = time.perf_counter()
    probabilities = trunk.probabilities.copy()
    steps: list[RootStep] = []
    bounds: list[float | None] = [0.0, 0.0]
    for player in players:
        values = TrunkValues.of(subgames, trunk, player)
        guess = None if alternatives is None else _guess(values, chosen, alternatives)
        task = SeatTask.of(values, chosen, guess)
        if runs is None:
            solved = SolvedGadgets(solve_by_programme(task), np.full(len(subgames), np.nan), 0.0)
        else:
            solved = solve_by_gadgets(task, runs)
        probabilities[search.own[player].flat] = solved.play.behaviour
        bounds[player] = solved.bound if is_proven else None
        steps += _steps(task, solved)
    strategy = Strategy(tree, probabilities)
    seconds = time.perf_counter() - began
    return _measured(
        subgames,
        trunk,
        strategy,
        chosen,
        players,
        tuple(steps),
        seconds,
        compare=completion and tree.num_sequences <= LARGEST,
        bound=(bounds[0], bounds[1]),
    )


def _runs(
    algorithm: str | Algorithm,
    iterations: int | None,
    sampling: str | Sampler | Sampling | None,
    seed: int,
) -> GadgetRuns | None:
    """How gadget games are solved; None for linear programmes."""
    count = optional_whole_number("iterations", iterations, 1)
    if algorithm == "lp":
        for option, value in (("iterations", iterations), ("sampling", sampling)):
            if value is not None:
                raise ConfigError(
                    f"{option} has no meaning with linear programmes",
                    option=option,
                    given=value,
                    remedy="give an algorithm, such as algorithm='cfr+'",
                )
        return None
    return GadgetRuns(algorithm, SUBSTITUTE_ITERATIONS if count is None else count, sampling, seed)


def _seats(seats: Sequence[int] | None) -> tuple[int, ...]:
    if seats is None:
        return (0, 1)
    numbers = several("seats", seats, "the numbers of players")
    chosen = tuple(whole_number("seat", seat, 0, 1) for seat in numbers)
    if not chosen or len(set(chosen)) < len(chosen):
        raise bad_argument("seats", seats, "one or both players, each once")
    return tuple(sorted(chosen))


def _guess(
    values: TrunkValues, method: SearchMethod, alternatives: GuessedAlternatives
) -> FloatArray:
    """The alternatives of a guess, in units of the programmes."""
    guessed = np.asarray(alternatives(values), dtype=np.float64)
    count = len(values.weight)
    is_given = guessed.shape == (count,) and not np.isnan(guessed).any()
    if not is_given or (method.goal != "excess" and np.isinf(guessed).any()):
        finite = "" if method.goal == "excess" else "finite "
        raise bad_argument(
            "alternatives",
            guessed.tolist(),
            f"a function that gives {count} {finite}numbers, one for each hand",
        )
    return values.units(guessed)


def _steps(task: SeatTask, solved: SolvedGadgets) -> list[RootStep]:
    """What re-solving one seat did at each root."""
    values, method, subgames = task.trunk, task.method, task.trunk.subgames
    hands = subgames.hands[1 - values.player]
    after = values.against(solved.play.plan)
    columns = {
        "weight": values.weight,
        "reach": values.reach,
        "alternative": values.payoffs(task.alternatives),
        "gift": task.gifts * subgames.search.game.scale,
        "before": values.payoffs(values.best),
        "after": values.payoffs(after),
    }
    lead = columns["alternative"] - columns["after"]
    steps = []
    for root, name in enumerate(subgames.names):
        here = hands.at(root)
        objective = margin = None
        if task.solved[root]:
            met = here[task.counted[here]]
            unit = values.weight[met] if method.scale == "normalised" else 1.0
            margin = float((lead[met] / unit).min())
            if method.goal == "range":
                objective = float((columns["reach"] * columns["after"])[here].sum())
            elif method.goal == "excess":
                either = np.maximum(columns["alternative"], columns["after"])
                objective = float(either[here].sum())
            else:
                objective = margin
        shown = tuple(
            HandValues(hands.labels[j], **{key: float(c[j]) for key, c in columns.items()})
            for j in here.tolist()
        )
        total = float(values.total[root])
        gap = None if np.isnan(solved.gaps[root]) else float(solved.gaps[root])
        steps.append(RootStep(name, values.player, total, objective, margin, gap, shown))
    return steps


def _measured(
    subgames: Subgames,
    trunk: Strategy,
    strategy: Strategy,
    method: SearchMethod,
    seats: tuple[int, ...],
    steps: tuple[RootStep, ...],
    seconds: float,
    *,
    compare: bool,
    bound: tuple[float | None, float | None],
) -> Resolved:
    """The exact figures before and after."""
    search = subgames.search
    first, last = evaluate(trunk), evaluate(strategy)
    best: list[float | None] = [None, None]
    if compare:
        alone = np.arange(search.tree.num_infosets)
        for seat in seats:
            inside = subgames.inside & (search.tree.infoset_player == seat)
            grafted = trunk
            if inside.any():
                grafted = search.programmes.graft(trunk, seat, subgames.inside, alone)
            best[seat] = _figure(subgames, evaluate(grafted), seat, compare=True)

    def figures(evaluation: Evaluation) -> tuple[float, float]:
        return (
            _figure(subgames, evaluation, 0, compare=compare),
            _figure(subgames, evaluation, 1, compare=compare),
        )

    return Resolved(
        trunk=trunk,
        strategy=strategy,
        method=method,
        roots=subgames.names,
        seats=seats,
        measure="exploitability" if compare else "best response",
        before=figures(first),
        after=figures(last),
        completion=(best[0], best[1]),
        bound=bound,
        steps=steps,
        trunk_evaluation=first,
        evaluation=last,
        seconds=seconds,
    )


def _figure(subgames: Subgames, evaluation: Evaluation, seat: int, *, compare: bool) -> float:
    """What a seat loses against a best response, or what that earns where the value is unknown."""
    answer = evaluation.best_response_values[1 - seat]
    if not compare:
        return answer
    search = subgames.search
    value = search.value if seat == 0 else search.game.total - search.value
    return value - (search.game.total - answer)
