"""Selection among equilibria of two-player constant-sum games, which may have many."""

from __future__ import annotations

import math
from dataclasses import dataclass

from equilibrist.equilibria.entropy import SELECTION, most_entropic_equilibrium
from equilibrist.equilibria.trembles import Kind, trembling_strategy, usual_epsilon
from equilibrist.evaluation import Evaluation, evaluate
from equilibrist.parsing.arguments import bad_argument
from equilibrist.solvers.matrix.payoffs import check_equilibrium
from equilibrist.solvers.matrix.worst_case import Duel
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.tree.compile import GameTree


@dataclass(frozen=True)
class Selection:
    """One equilibrium out of all, or an equilibrium of the game with trembles.

    Attributes:
        method: How it was selected.
        strategy: The profile.
        evaluation: Its values and gains in the game itself, by true best responses.
        perturbed_value: What player 0 earns in the game with trembles; None without trembles.
        wins: What each seat earns against the given strategy; None where none was given.
    """

    method: str
    strategy: Strategy
    evaluation: Evaluation
    perturbed_value: float | None = None
    wins: tuple[float, float] | None = None


def select_by_trembles(
    tree: GameTree, epsilon: float | None = None, *, kind: Kind = "tremble"
) -> Selection:
    """The equilibrium of the game in which every action has a least probability.

    For ever smaller epsilon it approaches an extensive-form perfect equilibrium (`tremble`: at
    every infoset each action with at least epsilon) or a quasi-perfect one (`quasi-perfect`: each
    sequence of k own actions with a reach of at least epsilon to the power of k). Exploitability,
    in the game without trembles, is then of the order of epsilon.

    Args:
        tree: The compiled game.
        epsilon: Above 0, below 1 divided by the greatest number of actions. By default 0.001, or
            in deep games the least of 0.002, 0.005, 0.01, ... with which nothing is reached so
            seldom that a linear programme cannot tell it from 0.
        kind: Which perturbation.

    Returns:
        The equilibrium of that game.

    Raises:
        ConfigError: `epsilon` or `kind` is out of range.
        UnsupportedError: There are not two players, payoffs have no constant sum, or the game is
            too deep for such trembles.
        RecallError: A player forgets their own past.
    """
    if kind not in ("tremble", "quasi-perfect"):
        raise bad_argument("kind", kind, "'tremble' or 'quasi-perfect'")
    duel = Duel(tree, *SELECTION)
    if epsilon is None:
        epsilon = usual_epsilon(duel)
    strategy, value = trembling_strategy(duel, kind, epsilon)
    return Selection(f"{kind}({epsilon:g})", strategy, evaluate(strategy), perturbed_value=value)


def select_by_entropy(tree: GameTree) -> Selection:
    """The most entropic equilibrium: see `most_entropic_equilibrium`.

    Args:
        tree: The compiled game.

    Returns:
        The equilibrium.

    Raises:
        UnsupportedError: There are not two players, payoffs have no constant sum, or the game is
            too large.
        RecallError: A player forgets their own past.
    """
    strategy = most_entropic_equilibrium(tree)
    return Selection("entropy", strategy, _checked(Duel(tree), evaluate(strategy)))


def select_against(opponent: Strategy) -> Selection:
    """The equilibrium whose strategies win most against a given one.

    Each seat takes, of its equilibrium strategies, one that earns most against the given strategy
    of the other seat: it takes what mistakes give away, and risks nothing.

    Args:
        opponent: A profile.

    Returns:
        The equilibrium.

    Raises:
        ConfigError: `opponent` is not a Strategy.
        UnsupportedError: There are not two players, or payoffs have no constant sum.
        RecallError: A player forgets their own past.
    """
    duel = Duel(checked_strategy(opponent).tree, *SELECTION)
    plans, wins = [], []
    for seat in (0, 1):
        against = duel.plan(opponent, 1 - seat)
        best = duel.best_plan(seat)
        slack = min(duel.slack(best), _rounding(duel.tree, best.excess))
        plan = duel.best_above(seat, against, best.excess, best, slack).plan
        plans.append(plan)
        wins.append(duel.worth(seat, plan, against))
    strategy = duel.strategy((plans[0], plans[1]))
    evaluation = _checked(duel, evaluate(strategy))
    return Selection("against", strategy, evaluation, wins=(wins[0], wins[1]))


def _rounding(tree: GameTree, value: float) -> float:
    """Bound the error of a value by rounding."""
    return max(tree.rounding, 4.0 * math.ulp(value))


def _checked(duel: Duel, evaluation: Evaluation) -> Evaluation:
    """The evaluation of an equilibrium; UnsupportedError where best responses find none."""
    met = max(duel.best_plan(seat).met for seat in (0, 1))
    check_equilibrium(duel.tree, evaluation.nash_conv, met)
    return evaluation
