"""Whom one plays against: a solution of the library, with all that a table or a drill needs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equilibrist.errors import MemoryBudgetError
from equilibrist.web.errors import ConflictError, ForbiddenError
from equilibrist.web.playing.hand_opponents import HandPlayer, by_charts, by_exact
from equilibrist.web.security.sessions import Role
from equilibrist.web.security.texts import is_shipped
from equilibrist.web.settings import Settings
from equilibrist.web.store.games import file_of_game
from equilibrist.web.store.library import Library
from equilibrist.web.store.parsed import parsed_game

if TYPE_CHECKING:
    from equilibrist.game import Game
    from equilibrist.play import Adviser, Agent, Drill, Ranges, Stake
    from equilibrist.play.aivat import SeatEstimates
    from equilibrist.strategy import Strategy

MakeDrill = Callable[[str, "int | None", int], "Drill"]


@dataclass(frozen=True, eq=False)
class Opponent:
    """A solution that is played against.

    Attributes:
        name: Its name in the library.
        game: The game.
        is_spot: Whether it is a spot of hold'em.
        is_hand: Whether it is a whole hand of hold'em.
        players: How many players the game has.
        agent: Makes an agent with a name.
        coach: Judges choices; None for strategies without a tree.
        values: What AIVAT goes by; None without a tree.
        ranges: Knows what is done with all that may be held; None without a tree.
        drill: Makes a drill, from a line or pattern, a player and a seed; None without a tree.
        error: How far the solution is from an equilibrium, in payoff units.
        measure_name: What that is called.
        stake: Of a compiled game, what EV losses are held against where there is no pot.
        expected: What each player earns when all follow the solution; () if unknown.
        lock: Held while any of this is used: one thread at a time.
        chart_key: Of a hand, the key of the decision whose chart is shown for an infoset.
    """

    name: str
    game: Game[Any]
    is_spot: bool
    players: int
    agent: Callable[[str], Agent]
    coach: Adviser | None
    values: Strategy | SeatEstimates | None
    ranges: Ranges | None
    drill: MakeDrill | None
    error: float
    measure_name: str
    stake: Stake | None
    expected: tuple[float, ...]
    lock: threading.Lock
    is_hand: bool = False
    chart_key: Callable[[str], str] = str


def open_opponent(
    name: str, library: Library, games: Path, settings: Settings, role: Role | None
) -> Opponent:
    """Open a solution to play against it, which may take a while.

    Raises NotFoundError, FileFormatError, ForbiddenError for rules that a request may not run and
    for guests where streets would have to be re-solved, and ConflictError for games too large.

    Args:
        name: The name of the solution.
        library: Where it is.
        games: The folder of uploaded games.
        settings: How the server was started.
        role: Who asks.

    Returns:
        The opponent.
    """
    from equilibrist.poker.blueprint.policy import Blueprint
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.preflop.exact.solution import PreflopSolution
    from equilibrist.poker.preflop.multiway.solution import MultiwaySolution
    from equilibrist.poker.preflop.push_fold.solution import PushFoldSolution
    from equilibrist.results import ImplicitResult

    opened = library.shared(name)
    with opened.lock:
        result: Any = opened.result
        if isinstance(result, PostflopResult):
            return _of_spot(name, result, role, opened.lock)
        if isinstance(result, Blueprint):
            return _of_blueprint(name, result, opened.lock)
        if isinstance(result, PushFoldSolution | MultiwaySolution):
            return _of_hands(name, by_charts(result), opened.lock)
        if isinstance(result, PreflopSolution):
            player = by_exact(name, library.path(name), result, role)
            return _of_hands(name, player, opened.lock)
        game = _rules_of(name, result.game, games, settings)
        if isinstance(result, ImplicitResult):
            return _of_packed(name, result, game, opened.lock)
        return _of_game(name, result, game, settings, opened.lock)


def _of_spot(name: str, solution: Any, role: Role | None, lock: threading.Lock) -> Opponent:
    from equilibrist.play import (
        SolutionAgent,
        SolutionCoach,
        SolutionRanges,
        SpotAivat,
        SpotGame,
        spot_drill,
    )

    if solution.keep != "all" and role != "owner":
        raise ForbiddenError(
            f"{name} does not keep all streets, and guests may not have them re-solved",
            option="token",
            given="guest",
            expected="owner",
            remedy="play a solution that was saved with all streets",
        )
    return Opponent(
        name=name,
        game=SpotGame(solution.spot),
        is_spot=True,
        players=2,
        agent=lambda called: SolutionAgent(solution, called),
        coach=SolutionCoach(solution),
        values=SpotAivat(solution),
        ranges=SolutionRanges(solution),
        drill=lambda line, _player, seed: spot_drill(solution, line, seed=seed),
        error=solution.mean_gain,
        measure_name=solution.measure_name,
        stake=None,
        expected=tuple(solution.ev),
        lock=lock,
    )


def _of_blueprint(name: str, blueprint: Any, lock: threading.Lock) -> Opponent:
    """A blueprint: whole hands, with a coach that estimates."""
    from equilibrist.play import HandGame, SolutionAgent, SolutionCoach, SolutionRanges

    return Opponent(
        name=name,
        game=HandGame(blueprint.hand),
        is_spot=False,
        players=blueprint.hand.seats,
        agent=lambda called: SolutionAgent(blueprint, called),
        coach=SolutionCoach(blueprint),
        values=None,
        ranges=SolutionRanges(blueprint),
        drill=None,
        error=0.0,
        measure_name="",
        stake=None,
        expected=(),
        lock=lock,
        is_hand=True,
    )


def _of_hands(name: str, player: HandPlayer, lock: threading.Lock) -> Opponent:
    """Charts, or an exact solution."""
    return Opponent(
        name=name,
        game=player.game,
        is_spot=False,
        players=player.game.num_players,
        agent=player.agent,
        coach=player.coach,
        values=None,
        ranges=player.ranges,
        drill=None,
        error=player.error,
        measure_name="exploitability" if player.error else "",
        stake=None,
        expected=(),
        lock=lock,
        is_hand=True,
        chart_key=player.chart_key,
    )


def _of_packed(name: str, result: Any, game: Game[Any], lock: threading.Lock) -> Opponent:
    from equilibrist.play import PackedAgent

    return Opponent(
        name=name,
        game=game,
        is_spot=False,
        players=game.num_players,
        agent=lambda called: PackedAgent(result.strategy, game, called),
        coach=None,
        values=None,
        ranges=None,
        drill=None,
        error=0.0,
        measure_name="",
        stake=None,
        expected=(),
        lock=lock,
    )


def _of_game(
    name: str, result: Any, game: Game[Any], settings: Settings, lock: threading.Lock
) -> Opponent:
    from equilibrist.game_loading import compile_game
    from equilibrist.play import Coach, Stake, StrategyAgent, StrategyRanges, game_drill

    most = settings.limits.histories
    try:
        tree = compile_game(game, max_histories=most)
    except MemoryBudgetError:
        raise ConflictError(
            f"{result.game} has more than {most:,} histories, too many to be played here",
            option="name",
            given=name,
            expected=most,
            remedy="play it on the command line, with `equilibrist play`",
        ) from None
    strategy = result.strategy.on(tree)
    error = float(result.measure or 0.0)
    return Opponent(
        name=name,
        game=game,
        is_spot=False,
        players=tree.num_players,
        agent=lambda called: StrategyAgent(strategy, called),
        coach=Coach(strategy),
        values=strategy,
        ranges=StrategyRanges(strategy),
        drill=lambda pattern, player, seed: game_drill(
            game, strategy, pattern or "*", player=player, error=error, seed=seed
        ),
        error=error,
        measure_name=result.measure_name,
        stake=Stake.in_play(strategy),
        expected=tuple(result.values),
        lock=lock,
    )


def _rules_of(name: str, text: str, games: Path, settings: Settings) -> Game[Any]:
    """The rules of a game that a request may run."""
    from equilibrist.games import load_game

    subject = settings.subject
    if subject is not None and subject.kind == "game":
        given = load_game(subject.text)
        if text in (subject.text, given.name):
            return given
    if is_shipped(text):
        return load_game(text)
    file = file_of_game(games, text)
    if file is not None:
        return parsed_game(file)
    raise ForbiddenError(
        f"{name} is a solution of {text!r}, which is not a game that a browser may load",
        option="game",
        given=text,
        expected="a game that comes with Equilibrist, or one that was uploaded",
        remedy="start the server with the rules, or play it on the command line",
    )
