"""Opponents at whole hands of hold'em: charts and exact solutions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from equilibrist.web.errors import ForbiddenError
from equilibrist.web.playing.hands_process import (
    HandsProcess,
    RemoteAgent,
    RemoteCoach,
    RemoteRanges,
)
from equilibrist.web.security.sessions import Role

if TYPE_CHECKING:
    from equilibrist.play import Adviser, Agent, HandGame, Ranges


class HandPlayer(NamedTuple):
    """What plays hands against a person."""

    game: HandGame
    agent: Callable[[str], Agent]
    """Makes an agent with a name."""
    coach: Adviser
    ranges: Ranges
    chart_key: Callable[[str], str]
    """The key of the decision whose chart is shown for an infoset."""
    error: float = 0.0
    """How far the solution is from an equilibrium, in payoff units."""


def by_charts(charts: Any) -> HandPlayer:
    """What plays charts of hand classes.

    Args:
        charts: The solution of push or fold, or of a hand of several seats.

    Returns:
        The player.

    Raises:
        ConfigError: The solution has amounts that hands at a table do not have.
    """
    from equilibrist.play import SolutionAgent, SolutionCoach, SolutionRanges, solution_game
    from equilibrist.poker.preflop.push_fold.solution import PushFoldSolution

    is_push = isinstance(charts, PushFoldSolution)
    return HandPlayer(
        solution_game(charts),
        partial(SolutionAgent, charts),
        SolutionCoach(charts),
        SolutionRanges(charts),
        _letters if is_push else str,
    )


def by_exact(name: str, path: Path, solution: Any, role: Role | None) -> HandPlayer:
    """What plays an exact solution; a process solves the flops, where there is betting on them.

    Args:
        name: The name of the solution.
        path: Its file.
        solution: The solution.
        role: Who asks.

    Returns:
        The player.

    Raises:
        ForbiddenError: A guest asks, and flops would have to be solved.
        WebError: The process that solves them says that it cannot.
    """
    from equilibrist.play import HandGame, SolutionAgent, SolutionCoach, SolutionRanges

    game = HandGame(solution.hand)
    unit = float(game.rules.scale.chips(game.rules.big_blind))
    error = unit * float(solution.exploitability) / 1000.0
    if not solution.hand.rules.final_street:
        coach, ranges = SolutionCoach(solution), SolutionRanges(solution)
        return HandPlayer(game, partial(SolutionAgent, solution), coach, ranges, str, error)
    if role != "owner":
        raise ForbiddenError(
            f"{name} has betting after the flop, and guests may not have flops solved",
            option="token",
            given="guest",
            expected="owner",
            remedy="play a solution whose betting ends before the flop, or a blueprint",
        )
    process = HandsProcess(path)
    agent = partial(RemoteAgent, process)
    coach_there, ranges_there = RemoteCoach(process), RemoteRanges(process)
    return HandPlayer(game, agent, coach_there, ranges_there, _before_flop, error)


def _letters(infoset: str) -> str:
    """A letter for each seat that has acted, as charts of push or fold are found."""
    hand, _, line = infoset.partition(":")
    return f"{hand}:{'-'.join('F' if code == 'F' else 'A' for code in line.split('-') if code)}"


def _before_flop(infoset: str) -> str:
    """The decision itself, or the last one before the flop: files have no charts after it."""
    first, bar, _ = infoset.partition("|")
    if not bar:
        return infoset
    hand, _, line = first.partition(":")
    return f"{hand}:{line.rpartition('-')[0]}"
