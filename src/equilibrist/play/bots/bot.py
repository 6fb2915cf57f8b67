"""`Bot`: any strategy as a player that other programs can ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, Final, Protocol
from zlib import crc32

from equilibrist.errors import ConfigError
from equilibrist.game import Game
from equilibrist.parsing.arguments import (
    bad_argument,
    function,
    instance,
    optional_whole_number,
    real_number,
    several,
    whole_number,
)
from equilibrist.play.bots.answers import BotAnswer, DecidedBy
from equilibrist.play.bots.fixed import FixedAgent
from equilibrist.play.bots.requests import HandMemory, Request
from equilibrist.play.coach import Advice, Adviser
from equilibrist.play.hands.game import HandGame
from equilibrist.play.hands.three import ThreeGame
from equilibrist.play.spots.game import SpotGame
from equilibrist.play.table import Table
from equilibrist.poker.decisions.searching import Search
from equilibrist.poker.decisions.solution import HandSolution
from equilibrist.poker.three_players.spot import ThreeSpot

_MOST_SECONDS: Final = 1e6


class Mind(Protocol):
    """What decides for a bot."""

    @property
    def game(self) -> Any:
        """The game that the strategy is of; None for one of any."""
        ...

    def decide(self, request: Request) -> BotAnswer:
        """Answer a question."""
        ...


class Bot:
    """Plays a strategy hand by hand, told what a player may know: own cards, the line, the actions.

    In hold'em the cards are `AhKh` and the line has the actions with their amounts and the public
    cards, `R2.5-C|Td9d6h|X`, as in all of Equilibrist. Bets of any size are mapped to those of the
    strategy, and its bets back to shares of the real pot; a mapping that was drawn is kept for the
    hand. Where the strategy knows nothing, the bot checks, else calls by pot odds or folds, and
    says so. In other games the cards are the private part of the key of an infoset and the line
    is the rest of it: `Js` and `cc/Qs` in Leduc poker.

    A hand begins with `begin`, or with the first question whose cards are others or whose line does
    not go on from the last one. The same seed plays the same hand again.

    A bot is an agent, too: at a table it plays the strategy, or what its search finds.

    Args:
        strategy: A solution of hold'em (a blueprint, an exact hand, push or fold, charts, a spot),
            or several of hands that differ in their stacks, of which the nearest plays; a strategy
            or a result of a compiled game, or a packed one of rules; or a `FixedAgent`.
        search: What thinks about decisions of hold'em; None plays the strategy.
        seed: The seed of what is drawn.
        name: What to call it.
        seconds: The most time of a search at a decision, where `act` is given no other, and of an
            exact solution for a flop that it solves when it comes (see `SolvedFlops`).
        game: Of a `PackedStrategy` of your own rules, the game.

    Attributes:
        strategy: What was given.
        search: The search, or None.
        seed: The seed.
        seconds: The most time of a search.
        name: The name.

    Raises:
        ConfigError: `strategy` is none, or another argument is invalid.
        MismatchError: Several strategies have different numbers of seats.
    """

    def __init__(
        self,
        strategy: Any,
        search: Search | None = None,
        *,
        seed: int = 0,
        name: str = "AI",
        seconds: float | None = None,
        game: Game[Any] | None = None,
    ) -> None:
        """Play a strategy; the class describes the arguments."""
        if search is not None:
            function("search", getattr(search, "search", None))
        self.strategy, self.search, self.name = strategy, search, name
        self.seed = whole_number("seed", seed, 0)
        self.seconds = _seconds(seconds)
        self._mind = _mind(strategy, search, self.seconds, game)
        self._memory = HandMemory(self.seed, 0)
        self._last: tuple[str, str] | None = None
        self._is_begun = False

    def __repr__(self) -> str:
        game = self._mind.game
        played = f"{self.strategy!r}" if game is None else getattr(game, "name", game)
        thinks = "" if self.search is None else f", {type(self.search).__name__}"
        return f"Bot({played}{thinks}, seed={self.seed}, name={self.name!r})"

    def identity(self) -> dict[str, Any]:
        """Tell bots apart by what they play, whatever they and their files are called.

        Returns:
            Plain values: `strategy`, a fingerprint where the strategy has one; `search`, its class
            with its parameters, or None; `seconds`, the most time that it is given.
        """
        is_several = isinstance(self.strategy, Sequence) and not isinstance(self.strategy, str)
        played = self.strategy if is_several else [self.strategy]
        return {
            "strategy": " ".join(map(_fingerprint, played)),
            "search": None if self.search is None else _parameters(self.search),
            "seconds": self.seconds,
        }

    @property
    def solution(self) -> HandSolution | None:
        """The one solution of hold'em that is played as it is; None with a search."""
        if self.search is not None or not isinstance(self.strategy, HandSolution):
            return None
        return self.strategy

    @property
    def hand(self) -> int:
        """The number of the hand that is played, from 1; 0 before the first."""
        return self._memory.number

    def begin(self, number: int | None = None, /) -> None:
        """Begin a hand; the same question again in it gets the same answer.

        Args:
            number: Its number: the same number with the same seed draws the same; by default the
                next one.

        Raises:
            ConfigError: `number` is none.
        """
        following = self._memory.number + 1
        chosen = optional_whole_number("number", number, 0)
        self._memory = HandMemory(self.seed, following if chosen is None else chosen)
        self._last, self._is_begun = None, True

    def act(
        self,
        hole_cards: str,
        line: str = "",
        legal_actions: Sequence[str] | None = None,
        seconds: float | None = None,
        *,
        table: Any = None,
    ) -> BotAnswer:
        """Choose an action.

        Args:
            hole_cards: The own cards.
            line: What was played and dealt in public so far.
            legal_actions: The actions that are possible, of which one is answered; by default all
                that the rules allow, in other games those of the strategy.
            seconds: The most time that a search may take; None for that of the bot.
            table: In hold'em the `Hand` (or `Spot`) that is really played, if its stacks, blinds or
                bet sizes are not those of the strategy; lines have its amounts.

        Returns:
            The action, which is legal, and how it came about.

        Raises:
            CardSyntaxError: The cards cannot be read.
            LineSyntaxError: The line cannot be read, or has an action or a card that is impossible.
            ConfigError: A card is not of the deck or was dealt twice, nobody acts after the line,
                no action is legal, or the table does not fit the strategy.
            UnknownNameError: A compiled game has no such infoset.
        """
        began = perf_counter()
        request = Request(
            hole_cards=_text("hole_cards", hole_cards, "the own cards, such as 'AhKh'"),
            line=_text("line", line, "text, such as 'R2.5-C|Td9d6h|X'"),
            legal_actions=_labels(legal_actions),
            seconds=self.seconds if seconds is None else _seconds(seconds),
            table=table,
            memory=self._memory_for(hole_cards, line),
            began=began,
        )
        answer = self._mind.decide(request)
        self._last = (hole_cards, line)
        return replace(answer, seconds=perf_counter() - began)

    def mixture(self, table: Table, /) -> list[float]:
        """The probabilities of the actions at a table, as an `Agent` gives them.

        Args:
            table: The hand, at the turn of this bot; it looks at its infoset and actions.

        Returns:
            One probability per action of `table.actions`.

        Raises:
            EquilibristError: As from `act`.
        """
        if isinstance(self.strategy, FixedAgent):
            return self.strategy.mixture(table)
        answer = self.answer_at(table)
        return [answer.mixture.get(label, 0.0) for label in table.actions]

    def answer_at(self, table: Table) -> BotAnswer:
        """What the bot does at a table, as `act` says it.

        Args:
            table: The hand, at the turn of this bot; it looks at its infoset and actions.

        Returns:
            The answer.

        Raises:
            EquilibristError: As from `act`.
        """
        return self.answer_for(table.game, table.infoset, table.actions)

    def answer_for(self, game: Game[Any], infoset: str, actions: Sequence[str]) -> BotAnswer:
        """What the bot does at an infoset of a table, as `act` says it.

        Args:
            game: The game at the table.
            infoset: The key of the infoset.
            actions: The labels of its actions.

        Returns:
            The answer.

        Raises:
            EquilibristError: As from `act`.
        """
        began = perf_counter()
        hole_cards, line, hand = infoset, "", None
        if isinstance(game, HandGame | SpotGame | ThreeGame):
            hole_cards, _, line = infoset.partition(":")
            hand = game.hand if isinstance(game, HandGame) else game.spot
        memory = self._memory
        if self._memory.number == 0:  # nobody counts the hands: the cards stand for the number
            memory = HandMemory(self.seed, crc32(hole_cards.encode()))
        own = getattr(self._mind.game, "name", None)
        request = Request(
            hole_cards=hole_cards,
            line=line,
            legal_actions=tuple(actions),
            seconds=self.seconds,
            table=None if getattr(game, "name", None) == own else hand,
            memory=memory,
            began=began,
        )
        return replace(self._mind.decide(request), seconds=perf_counter() - began)

    def _memory_for(self, hole_cards: str, line: str) -> HandMemory:
        """The memory of the hand that a question is of."""
        last = self._last
        if last is None:
            goes_on = self._is_begun
        else:
            is_longer = line != last[1] or self._is_begun  # or the same question again
            goes_on = hole_cards == last[0] and line.startswith(last[1]) and is_longer
        if not goes_on:
            self.begin()
            self._is_begun = False
        return self._memory


class ThinkingCoach:
    """Judges choices by a coach, and adds what the search of a bot plays with the same hand.

    The search is asked as if the bot had played the hand up to there.

    Args:
        coach: The coach.
        bot: A bot with a search, of its own: it is asked between the hands of others.
        game: The game at the table.
    """

    def __init__(self, coach: Adviser, bot: Bot, game: Game[Any]) -> None:
        """Ask a coach and a bot; the class describes the arguments."""
        self.coach, self.bot, self.game = coach, bot, game

    def advise(self, infoset: str, chosen: int, /) -> Advice:
        """Say what a choice is worth, what others would have been, and what the search plays.

        Args:
            infoset: The key of the infoset.
            chosen: The number of the action.

        Returns:
            The values of all actions there, and both mixtures; `searched` is None where the search
            has none.

        Raises:
            EquilibristError: As from the coach.
        """
        advice = self.coach.advise(infoset, chosen)
        answer = self.bot.answer_for(self.game, infoset, advice.actions)
        if answer.decided_by is not DecidedBy.SEARCH:
            return advice
        shares = tuple(answer.mixture.get(label, 0.0) for label in advice.actions)
        return replace(advice, searched=shares)


def _within(solution: HandSolution, seconds: float | None) -> HandSolution:
    """A solution whose flops, if they are solved when they come, take no longer than a bot may."""
    from equilibrist.poker.preflop.exact.flops.solved import SolvedFlops
    from equilibrist.poker.preflop.exact.solution import PreflopSolution

    if isinstance(solution, PreflopSolution) and solution.game.final_street and seconds:
        return SolvedFlops(solution, seconds=seconds)
    return solution


def _mind(
    strategy: Any, search: Search | None, seconds: float | None, game: Game[Any] | None
) -> Mind:
    """What decides by a strategy."""
    from equilibrist.play.bots.games import GameMind
    from equilibrist.play.bots.holdem import HoldemMind
    from equilibrist.play.bots.rules_of_thumb import FixedMind

    if isinstance(strategy, FixedAgent):
        return FixedMind(strategy)
    is_several = isinstance(strategy, Sequence) and not isinstance(strategy, str)
    solutions = tuple(strategy) if is_several else (strategy,)
    if solutions and all(isinstance(value, HandSolution) for value in solutions):
        if search is not None and any(isinstance(s.hand, ThreeSpot) for s in solutions):
            raise ConfigError(
                "a search solves what is left of a street for two players, and this spot has three",
                option="search",
                given=type(search).__name__,
                expected="None",
                remedy="leave it out: the strategy of the spot plays",
            )
        return HoldemMind([_within(value, seconds) for value in solutions], search)
    played = getattr(strategy, "strategy", strategy)
    if (not is_several and isinstance(played, Mapping)) or hasattr(played, "probabilities"):
        if search is not None:
            raise ConfigError(
                "a search thinks about hold'em, and this strategy is of another game",
                option="search",
                given=type(search).__name__,
                expected="None",
                remedy="leave it out",
            )
        return GameMind(played, game)
    raise bad_argument(
        "strategy",
        strategy,
        "a solution of hold'em or several, a strategy of a game, or a FixedAgent",
        remedy="give what a solver gives, or what a file of its holds",
    )


def _fingerprint(strategy: Any) -> str:
    """The fingerprint of a strategy; its text where it has none."""
    fingerprint = getattr(strategy, "fingerprint", None)
    return f"{fingerprint()}" if callable(fingerprint) else repr(strategy)


def _parameters(search: Search) -> str:
    """The class of a search with its parameters: its own text, else its public plain attributes."""
    kind = type(search)
    if kind.__repr__ is not object.__repr__:
        return repr(search)
    named = [
        f"{name}={value!r}"
        for name, value in sorted(getattr(search, "__dict__", {}).items())
        if not name.startswith("_") and isinstance(value, str | int | float | None)
    ]
    return f"{kind.__name__}({', '.join(named)})"


def _seconds(seconds: object) -> float | None:
    return None if seconds is None else real_number("seconds", seconds, 0, _MOST_SECONDS)


def _text(name: str, value: object, expected: str) -> str:
    return instance(name, value, str, expected)


def _labels(labels: Sequence[str] | None) -> tuple[str, ...] | None:
    """The legal actions; ConfigError for none."""
    if labels is None:
        return None
    expected = "the labels of at least one action, or None"
    given = tuple(several("legal_actions", labels, expected))
    if not given or not all(isinstance(label, str) for label in given):
        raise bad_argument("legal_actions", given, expected)
    return given
