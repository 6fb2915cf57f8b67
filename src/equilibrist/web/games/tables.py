"""Matrix games: the table of payoffs, and the way of an algorithm through it."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from equilibrist.errors import ConfigError
from equilibrist.reference.matrix_play import Moment, Table, table_of, trajectory
from equilibrist.solvers.variants.variant import Variant
from equilibrist.web.answers.games import (
    MatrixMoment,
    MatrixTable,
    MatrixTrajectory,
    SolvedMatrixTable,
)
from equilibrist.web.errors import WebError
from equilibrist.web.games.known import KnownGame
from equilibrist.web.games.solved import SolvedGame
from equilibrist.web.numba_loading import load_engine
from equilibrist.web.security.texts import check_call

MOST_CELLS: Final = 10_000
"""Histories of a game that is shown as a table."""
MOST_ITERATIONS: Final = 5_000
VISITS: Final = 2_000_000
"""Histories that the plain recursion may visit."""
MOST_MOMENTS: Final = 1_000
"""Moments of a trajectory in one document; of more the later ones are thinned out."""


def matrix_table(game: KnownGame) -> MatrixTable:
    """The table of a matrix game.

    Args:
        game: The game.

    Returns:
        The table.

    Raises:
        UnsupportedError: The game is no table.
        WebError: It is too large.
    """
    table = _table(game)
    return {
        "game": game.text,
        "infosets": list(table.keys),
        "rows": list(table.actions[0]),
        "columns": list(table.actions[1]),
        "payoffs": [[list(cell) for cell in row] for row in table.payoffs],
    }


def is_table(game: KnownGame) -> bool:
    """Whether a game can be shown as a table."""
    from equilibrist.errors import EquilibristError

    try:
        _table(game)
    except EquilibristError:
        return False
    return True


def is_solved_table(solved: SolvedGame) -> bool:
    """Whether the solution of a game can be shown in its table."""
    has_two = solved.table is not None and len(solved.table.keys) == 2
    return has_two and solved.game is not None and is_table(solved.game)


def solved_table(solved: SolvedGame) -> SolvedMatrixTable:
    """The table of a matrix game with the strategies of a solution.

    Args:
        solved: The solution.

    Raises:
        ConflictError: The rules of the game are not at hand.
        UnsupportedError: The game is no table.
        WebError: It is too large.
    """
    table = matrix_table(solved.walkable)
    labels = table["rows"], table["columns"]
    mixtures = [
        solved.mixture(key, actions) for key, actions in zip(table["infosets"], labels, strict=True)
    ]
    average = [
        [1.0 / len(actions)] * len(actions) if mixture is None else [*map(float, mixture)]
        for mixture, actions in zip(mixtures, labels, strict=True)
    ]
    return {**table, "average": average}


def matrix_way(
    game: KnownGame,
    algorithm: str,
    iterations: int,
    *,
    alternating: bool = True,
    begin: str = "uniform",
) -> MatrixTrajectory:
    """The table, and where the current and the average strategies are on the way.

    Args:
        game: The game.
        algorithm: A variant of CFR by its name.
        iterations: How many.
        alternating: Whether players are updated in turn.
        begin: `uniform`, or `first` for players who begin with their first action.

    Returns:
        The table and the path; after many iterations not all moments.

    Raises:
        UnsupportedError: The game is no table.
        ConfigError: The algorithm is no variant of CFR.
        WebError: The game or the number of iterations is too large.
    """
    table = _table(game)
    moments = _moments(game, algorithm, iterations, alternating, begin == "first")
    average = moments[-1].average
    return {
        **matrix_table(game),
        "algorithm": algorithm,
        "iterations": iterations,
        "alternating": alternating,
        "begin": begin,
        "moments": [_moment(moment) for moment in _thinned(moments)],
        "answers": [
            {
                "values": table.action_values(player, average[1 - player]),
                "best": table.best_actions(player, average[1 - player]),
            }
            for player in (0, 1)
        ],
    }


def _table(game: KnownGame) -> Table:
    return table_of(game.walk(MOST_CELLS, "show as a table"))


@lru_cache(maxsize=16)
def _moments(
    game: KnownGame, algorithm: str, iterations: int, alternating: bool, first: bool
) -> tuple[Moment, ...]:
    load_engine()
    from equilibrist.solving.algorithm import get_algorithm

    check_call("algorithm", algorithm)
    rule = get_algorithm(algorithm)
    if not isinstance(rule, Variant):
        raise ConfigError(
            f"{algorithm} is not a variant of CFR whose strategies can be followed",
            option="algorithm",
            given=algorithm,
            remedy="choose cfr, cfr+, dcfr or pcfr+",
        )
    tree = game.walk(MOST_CELLS, "show as a table")
    cells = len(tree.root.children) * len(tree.root.children[0].children)
    most = min(MOST_ITERATIONS, VISITS // (cells + 1))
    if not 1 <= iterations <= most:
        raise WebError(
            f"iterations is {iterations:,}",
            option="iterations",
            given=iterations,
            expected=f"1 to {most:,}",
        )
    begin = (0, 0) if first else None
    return tuple(trajectory(tree, rule, iterations, alternating=alternating, begin=begin))


def _thinned(moments: tuple[Moment, ...]) -> list[Moment]:
    """All of the first hundred moments, later ones less and less densely, and the last."""
    last = len(moments) - 1
    step = (max(last, 1) / 100) ** (1 / (MOST_MOMENTS - 100))
    kept, place = set(range(min(101, last + 1))), 100.0
    while last > 100 and place < last:
        kept.add(int(place))
        place = max(place + 1, place * step)
    return [moments[k] for k in sorted(kept | {last})]


def _moment(moment: Moment) -> MatrixMoment:
    return {
        "iteration": moment.iteration,
        "current": [list(row) for row in moment.current],
        "average": [list(row) for row in moment.average],
    }
