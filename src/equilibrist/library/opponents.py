"""Whom one plays against: a solution from any file, with all that a table or a drill needs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from equilibrist.errors import UnknownNameError
from equilibrist.storage.kinds.file_kinds import (
    BLUEPRINT,
    MULTIWAY,
    PREFLOP_SOLUTION,
    PUSH_FOLD,
    SPOT_SOLUTION,
)

if TYPE_CHECKING:
    from equilibrist.game import Game
    from equilibrist.library.blueprint_ranges import RangeSet
    from equilibrist.play import Adviser, Agent, Drill
    from equilibrist.play.aivat import SeatEstimates
    from equilibrist.play.decisions import Decisions
    from equilibrist.play.grades import Stake
    from equilibrist.play.range_mixtures import Ranges
    from equilibrist.poker.decisions.searching import Search
    from equilibrist.poker.decisions.solution import HandSolution
    from equilibrist.strategy import Strategy
    from equilibrist.tree.compile import GameTree

MakeDrill = Callable[[str, "int | None", int], "Drill"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Opponent:
    """A solution that is played against.

    Attributes:
        name: What it is called.
        game: The game.
        players: How many players the game has.
        agent: Makes an agent with a name.
        is_spot: Whether it is a spot of hold'em.
        is_hand: Whether it is a whole hand of hold'em.
        coach: Judges choices; None for strategies without a tree.
        values: What AIVAT goes by; None without a tree.
        ranges: Knows what is done with all that may be held; None without a tree.
        drill: Makes a drill, from a line or pattern, a player and a seed; None without a tree.
        decisions: Draws decisions that are graded; None without exact EVs of all of them.
        error: How far the solution is from an equilibrium, in payoff units; 0 where no bound is
            known.
        measure_name: What that is called; empty where no bound is known.
        stake: Of a compiled game, what EV losses are held against where there is no pot.
        spreads: Of a compiled game, by how much the payoffs of each player differ; else ().
        expected: What each player earns when all follow the solution; () if unknown.
        chart_key: Of a hand, the key of the decision whose chart is shown for an infoset.
        stamp: What tells the file of the solution from one that takes its name later.
        game_file: The file of the game, where that was uploaded.
        game_stamp: What tells that file from one that takes its name later.
        lock: Held while any of this is used: one thread at a time.
    """

    name: str
    game: Game[Any]
    players: int
    agent: Callable[[str], Agent]
    is_spot: bool = False
    is_hand: bool = False
    coach: Adviser | None = None
    values: Strategy | SeatEstimates | None = None
    ranges: Ranges | None = None
    drill: MakeDrill | None = None
    decisions: Decisions | None = None
    error: float = 0.0
    measure_name: str = ""
    stake: Stake | None = None
    spreads: tuple[float, ...] = ()
    expected: tuple[float, ...] = ()
    chart_key: Callable[[str], str] = str
    stamp: str = ""
    game_file: Path | None = None
    game_stamp: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)


class Player(NamedTuple):
    """What plays a solution of hold'em: the agent, and the coach and ranges that go by it."""

    agent: Callable[[str], Agent]
    """Makes an agent with a name."""
    coach: Adviser
    ranges: Ranges


def holdem_opponent(
    name: str, kind: str, solution: HandSolution, player: Player | None = None
) -> Opponent:
    """Make the opponent that plays the solution of a spot or of whole hands.

    Args:
        name: What it is called.
        kind: The kind of its file.
        solution: The solution.
        player: What plays it; by default all is looked up, and solved, in this process.

    Returns:
        The opponent.

    Raises:
        ConfigError: The solution has amounts that hands at a table do not have.
        MemoryBudgetError: A flop of the hand is too large to be solved.
    """
    from equilibrist.play import Bot, SolutionCoach
    from equilibrist.play.solutions.players import SolutionRanges

    if player is None:

        def agent(called: str) -> Bot:
            return Bot(solution, name=called)

        player = Player(agent, SolutionCoach(solution), SolutionRanges(solution))
    return _MAKERS[kind](name, solution, player)


def range_opponent(found: RangeSet) -> Opponent:
    """Make the opponent that plays ranges before the flop that come with Equilibrist.

    Args:
        found: The ranges.

    Returns:
        The opponent, whose coach knows frequencies and no EVs.
    """
    from equilibrist.library.blueprint_ranges import RangePlayer
    from equilibrist.play.decisions import ChartDecisions

    player = RangePlayer(found)
    return Opponent(
        name=found.name,
        game=player.game,
        players=player.game.num_players,
        agent=lambda _name: player,
        is_hand=True,
        coach=player,
        decisions=ChartDecisions(player.game, player, knows=player.knows),
    )


def packed_opponent(name: str, result: Any, game: Game[Any]) -> Opponent:
    """Make the opponent that plays a strategy found without a tree, by the rules alone.

    Args:
        name: What it is called.
        result: The solution, an `ImplicitResult`.
        game: Its game.

    Returns:
        The opponent, without coach, ranges or drill.
    """
    from equilibrist.play.agents import PackedAgent

    return Opponent(
        name=name,
        game=game,
        players=game.num_players,
        agent=partial(PackedAgent, result.strategy, game),
    )


def game_opponent(name: str, result: Any, game: Game[Any], tree: GameTree) -> Opponent:
    """Make the opponent that plays the solution of a game.

    Args:
        name: What it is called.
        result: The solution, with a `StoredStrategy`.
        game: Its game.
        tree: The game, compiled.

    Returns:
        The opponent.

    Raises:
        MismatchError: The solution is one of other rules.
    """
    from equilibrist.play import Coach, StrategyAgent, game_drill
    from equilibrist.play.decisions import GameDecisions
    from equilibrist.play.grades import Stake
    from equilibrist.play.range_mixtures import StrategyRanges

    strategy = result.strategy.on(tree)
    error = float(result.measure or 0.0)
    return Opponent(
        name=name,
        game=game,
        players=tree.num_players,
        agent=partial(StrategyAgent, strategy),
        coach=Coach(strategy),
        values=strategy,
        ranges=StrategyRanges(strategy),
        drill=lambda pattern, player, seed: game_drill(
            game, strategy, pattern or "*", player=player, error=error, seed=seed
        ),
        decisions=GameDecisions(strategy),
        error=error,
        measure_name=result.measure_name,
        stake=Stake.in_play(strategy),
        spreads=tuple(tree.payoff_ranges.tolist()),
        expected=tuple(result.values),
    )


def _spot(name: str, solution: Any, player: Player) -> Opponent:
    from equilibrist.play import SpotGame, spot_drill
    from equilibrist.play.decisions import SpotDecisions
    from equilibrist.play.solutions.aivat import SpotAivat

    return Opponent(
        name=name,
        game=SpotGame(solution.spot),
        players=2,
        is_spot=True,
        **player._asdict(),
        values=SpotAivat(solution),
        drill=lambda line, _player, seed: spot_drill(solution, line, seed=seed),
        decisions=SpotDecisions(solution),
        error=solution.known_error or 0.0,
        measure_name="" if solution.known_error is None else solution.measure_name,
        expected=tuple(solution.ev),
    )


def _hand(
    name: str,
    solution: Any,
    player: Player,
    chart_key: Callable[[str], str] = str,
    *,
    is_drawn: bool = True,
) -> Opponent:
    """Whole hands, with a coach that estimates; of charts decisions can be drawn."""
    from equilibrist.play.decisions import ChartDecisions
    from equilibrist.play.solutions.reading import solution_game

    game = solution_game(solution)
    return Opponent(
        name=name,
        game=game,
        players=game.num_players,
        is_hand=True,
        **player._asdict(),
        decisions=ChartDecisions(game, player.agent(name)) if is_drawn else None,
        chart_key=chart_key,
    )


def _exact(name: str, solution: Any, player: Player) -> Opponent:
    from equilibrist.play import HandGame

    game = HandGame(solution.hand)
    unit = float(game.rules.scale.chips(game.rules.big_blind))
    error = unit * float(solution.exploitability) / 1000.0
    return Opponent(
        name=name,
        game=game,
        players=game.num_players,
        is_hand=True,
        **player._asdict(),
        error=error,
        measure_name="exploitability" if error else "",
        chart_key=_before_flop,
    )


def _letters(infoset: str) -> str:
    """The infoset with `F` and `A` alone in its line, as charts of push or fold are found."""
    hand, _, line = infoset.partition(":")
    return f"{hand}:{'-'.join('F' if code == 'F' else 'A' for code in line.split('-') if code)}"


def _before_flop(infoset: str) -> str:
    """The decision itself, or the last one before the flop: files have no charts after it."""
    first, bar, _ = infoset.partition("|")
    if not bar:
        return infoset
    hand, _, line = first.partition(":")
    return f"{hand}:{line.rpartition('-')[0]}"


_MAKERS: Final[dict[str, Callable[[str, Any, Player], Opponent]]] = {
    SPOT_SOLUTION: _spot,
    BLUEPRINT: partial(_hand, is_drawn=False),
    PREFLOP_SOLUTION: _exact,
    PUSH_FOLD: partial(_hand, chart_key=_letters),
    MULTIWAY: _hand,
}
"""What makes an opponent of a solution of hold'em, by the kind of its file."""


class SearchRow(NamedTuple):
    """A row of the registry."""

    maker: str
    """What makes the search from the options that it takes, as `module:name`."""
    doc: str
    """What it does, in a line."""


SEARCHES: Final[dict[str, SearchRow]] = {
    "street": SearchRow(
        "equilibrist.search:StreetSearch",
        "solves the street anew, down to the river without buckets, with safe gadgets",
    ),
}
"""The searches by name."""


def open_search(name: str, **options: Any) -> Search:
    """Make a search.

    Args:
        name: Its name.
        options: What its maker takes.

    Returns:
        The search.

    Raises:
        UnknownNameError: There is none of this name.
    """
    row = SEARCHES.get(name)
    if row is None:
        raise UnknownNameError("search", name, tuple(SEARCHES), option="--search")
    module, _, maker = row.maker.partition(":")
    return cast("Search", getattr(import_module(module), maker)(**options))
