"""Warm starts: CFR starts as if it had already played a given strategy for some iterations."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from equilibrist.errors import MismatchError
from equilibrist.evaluation.infosets import infoset_values
from equilibrist.options.defaults import UNIFORM
from equilibrist.parsing.arguments import bad_argument, file_name, instance, whole_number
from equilibrist.results.result import read_solution
from equilibrist.solvers.full_traversal.base import FullTraversals
from equilibrist.solvers.run.state import SolverState
from equilibrist.storage.tables import SUFFIXES, read_table_file
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.tree.compile import GameTree
from equilibrist.tree.payoff_scale import PayoffScale
from equilibrist.typing import FloatArray

SHARE = 0.1
"""Regrets are this share of what regret matching may have at most. Measured: with a tenth of it the
strategy is soon forgotten, ten times it is left slowly (benchmarks/solvers/warm_start.py)."""
_LEAST_REACH = 1e-9
"""Where the others have no reach, regrets stay zero; the strategy is kept there too."""
StrategySource: TypeAlias = Callable[[GameTree], Strategy]
"""Gives the strategy to start from, once the game is compiled."""


def warm_state(solver: FullTraversals, strategy: Strategy, iterations: int) -> SolverState:
    """The state from which a solver continues as if a strategy had been played that often.

    The regrets are those from which regret matching takes `strategy`, so that it is what is played
    next: at each infoset SHARE of what they may be at most after so many iterations (Brown and
    Sandholm, Strategy-based warm starting for regret minimization in games, AAAI 2016, bound them
    like this), counterfactual reach * payoff range * sqrt(iterations), where the range is at most
    the scale of the payoffs that the strategy meets (`PayoffScale`); a discount counts an iteration
    with what it leaves of it. The strategy sum is that of `strategy` in every iteration.

    Args:
        solver: The solver, before its first iteration.
        strategy: A strategy of its game.
        iterations: How many iterations it stands for, at least 1.

    Returns:
        The state, for `solver.restore`.

    Raises:
        ConfigError: For a number below 1, or an object of another type.
        MismatchError: If `strategy` is one of another game.
    """
    instance("solver", solver, FullTraversals, "a solver of full traversals, such as CFR")
    tree, form = solver.tree, solver.tree.sequence_form
    count = whole_number("warm_iterations", iterations, 1)
    if checked_strategy(strategy).tree.fingerprint != tree.fingerprint:
        raise MismatchError(
            f"the strategy to start from is of {strategy.tree.name}, not of {tree.name}",
            option="warm_start",
            given=strategy.tree.name,
            expected=tree.name,
            remedy=f"give a strategy of {tree.name}",
        )
    from equilibrist.kernels.sequence_form.local_update import DECAY, POSITIVE, WEIGHT

    table = solver.variant.table(1, count, solver.horizon)
    reach = np.maximum(infoset_values(strategy).counterfactual_reach, _LEAST_REACH)
    scale = PayoffScale(tree).at(strategy.probabilities)
    spread = np.minimum(tree.max_payoff - tree.min_payoff, scale)[tree.infoset_player]
    size = SHARE * reach * spread * np.sqrt((_left(table[:, POSITIVE]) ** 2).sum())
    public = np.repeat(size, np.diff(tree.action_offset)) * strategy.probabilities
    regret = np.zeros(form.num_sequences)
    free = ~form.public_forced
    regret[form.sequence_of_public[free]] = public[free]
    behaviour = form.to_engine(strategy.probabilities)
    total = float((table[:, WEIGHT] * _left(table[:, DECAY])).sum())
    return SolverState(regret, behaviour, total * form.reach(behaviour), count)


def _left(factors: FloatArray) -> FloatArray:
    """The part of each iteration's share that all later factors leave, float64[T]."""
    later = np.append(factors[1:], 1.0)
    left: FloatArray = np.cumprod(later[::-1])[::-1]
    return left


def check_warm_start(value: object) -> None:
    """ConfigError for anything but a strategy or the name of a file."""
    if not isinstance(value, Strategy | str | os.PathLike):
        raise bad_argument("warm_start", value, "a Strategy, or the name of a file that holds one")


def find_strategy(warm_start: Strategy | str | os.PathLike[str]) -> StrategySource:
    """Read a strategy that is given as such, as a table or as a solution file; or `uniform` play.

    Files are read at once. Raises ConfigError and FileFormatError; what is returned raises
    MismatchError and UnknownNameError if the strategy is of another game.
    """
    if isinstance(warm_start, Strategy):
        return lambda _tree: warm_start
    check_warm_start(warm_start)
    path = file_name("warm_start", warm_start)
    if str(path) == UNIFORM and not path.exists():
        return Strategy.uniform
    if path.suffix.lower() in SUFFIXES:
        table = read_table_file(path)
        return lambda tree: Strategy.from_table(tree, table)
    return read_solution(path).strategy.on


def warm_start_name(warm_start: Strategy | str | os.PathLike[str]) -> str:
    """A warm start as results remember it; ConfigError for what is none."""
    check_warm_start(warm_start)
    if isinstance(warm_start, Strategy):
        return f"a strategy of {warm_start.tree.name}"
    return str(warm_start)
