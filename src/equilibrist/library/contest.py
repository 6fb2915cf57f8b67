"""The game and the strategies of `play` and `match`: from files, or solved for when needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from equilibrist.errors import (
    ConfigError,
    MemoryBudgetError,
    UnknownNameError,
)
from equilibrist.formatting.amounts import measure_text
from equilibrist.library import sources
from equilibrist.options.defaults import FIXED_OPPONENTS, UNIFORM

if TYPE_CHECKING:
    from equilibrist.game import Game
    from equilibrist.library.limits import Limits
    from equilibrist.play import Agent, Person
    from equilibrist.results import Result, StoredStrategy
    from equilibrist.strategy import Strategy
    from equilibrist.tree.compile import GameTree

PEOPLE: Final = ("human", "person", "you")
"""The words of `--seats` for a person."""
LARGEST_AIVAT: Final = 2_000_000
"""In histories. In larger games the AIVAT score of `play` would take too long."""
GOOD_SHARE: Final = 1e-3
"""The share of the scale of payoffs above which a stored solution is not played."""
SECONDS: Final = 60.0
"""Seconds. An unsolved game is solved to the default target of `solve`, or for this long."""


SolveGame: TypeAlias = Callable[["GameTree", str], "tuple[str, Strategy]"]
"""Solves a game with an algorithm: what to type for the solution, and the strategy."""


@dataclass(frozen=True)
class Contest:
    """A game, and the strategies that play it.

    Attributes:
        game: The game.
        spec: What the user typed for it.
        limits: Limits on its size.
        solve: Solves it where no strategy is at hand.
        note: Called with a sentence on which strategy is used.
        source: The file with its strategy, if any.
        by_option: Whether --game named the game.
    """

    game: Game[Any]
    spec: str
    limits: Limits
    solve: SolveGame
    note: Callable[[str], None]
    source: sources.Source | None = None
    by_option: bool = False

    @classmethod
    def open(
        cls,
        target: str,
        game: str | None,
        strategy: Path | None,
        limits: Limits,
        solve: SolveGame,
        note: Callable[[str], None],
    ) -> Contest:
        """A game, or the file with its strategy; raises the errors of either."""
        if sources.is_file(target):
            if strategy is not None:
                raise ConfigError(
                    f"{target} is a strategy, and --strategy gives another",
                    option="--strategy",
                    given=strategy,
                    remedy="name the game instead, or give other seats their files with --seats",
                )
            source = sources.open_strategy(Path(target), game, note=note)
            rules, by_option = source.load_game(), game is not None
            return cls(rules, source.game, limits, solve, note, source, by_option)
        sources.refuse_game(game, target)
        from equilibrist.games import load_game

        rules = load_game(target)
        if strategy is None:
            return cls(rules, target, limits, solve, note)
        source = sources.open_strategy(strategy, target, by_option=False, note=note)
        return cls(rules, target, limits, solve, note, source)

    @cached_property
    def tree(self) -> GameTree:
        """The compiled game; ConfigError says what to do where it is too large."""
        from equilibrist.rules.game import RulesGame
        from equilibrist.tree.walk.protocol import full_recall_of, recalls

        if not recalls(self.game):
            full = full_recall_of(self.game).name
            ours = sources.is_ours(full)
            named = full if ours else f"the rules that `full_recall` gives, of {full}"
            raise ConfigError(
                f"the players of {self.spec} forget, and no strategy of theirs can be looked up "
                "or measured",
                option="game",
                given=self.spec,
                expected=full,
                remedy=f"play {named}: every strategy of {self.spec} is one of it",
            )
        try:
            return self.limits.compile(self.game)
        except MemoryBudgetError as error:
            if not isinstance(self.game, RulesGame):
                raise
            if self.source is not None and self.source.packed is not None:
                raise ConfigError(
                    f"{error.problem}. {self.source.path} plays without a tree, but --coach and "
                    "seats with other files need it",
                    option="game",
                    given=self.spec,
                    remedy="leave them out, or raise --max-histories",
                ) from None
            raise ConfigError(
                f"{error.problem}. Find a strategy without its tree, and give the file: "
                f"equilibrist solve {quote(self.spec)} --sampler external --time 60",
                option="game",
                given=self.spec,
            ) from None

    @property
    def strategy(self) -> Strategy:
        """The one of the file, else the best stored one of the game if it is good, else a new one.

        A stored one is good enough if its measure is at most `GOOD_SHARE` of the payoffs that it
        meets, or if it took as much as a new one would.
        """
        return self._named[1]

    @property
    def strategy_name(self) -> str:
        """What to type for `strategy`; empty where it was not needed, or could not be stored."""
        if self.source is not None:
            return quote(str(self.source.path))
        return self._named[0] if "_named" in vars(self) else ""

    @cached_property
    def _named(self) -> tuple[str, Strategy]:
        if self.source is not None:
            return self.strategy_name, self.strategy_of(self.source)
        from equilibrist.library.listing import best_solution
        from equilibrist.solving.config import DEFAULT_ALGORITHM

        stored = best_solution(self.tree.fingerprint)
        if stored is None:
            return self.solve(self.tree, DEFAULT_ALGORITHM)
        name, solution = stored
        strategy = solution.strategy.on(self.tree)
        measure = f"{solution.measure_name} {measure_text(solution.measure)}"
        if not _is_good(solution, strategy):
            self.note(
                f"the best solution that is stored, `{name}`, has {measure}: "
                "solving the game anew for play"
            )
            return self.solve(self.tree, DEFAULT_ALGORITHM)
        self.note(f"using the solution stored as `{name}`: {solution.algorithm}, {measure}")
        return name, strategy

    def strategy_of(self, source: sources.Source) -> Strategy:
        """The strategy of a file, on the tree; errors name the file."""
        return source.strategy(self.tree)

    def read(self, text: str, option: str) -> Strategy:
        """The strategy that a word names: uniform, a file, or an algorithm; on the tree.

        `option` is the option or the argument that the word was given by, for errors.
        """
        from equilibrist.solving.algorithm import get_algorithm
        from equilibrist.strategy import Strategy

        if text == UNIFORM:
            return Strategy.uniform(self.tree)
        if sources.is_file(text):
            return self.strategy_of(self._open(text))
        try:
            get_algorithm(text)
        except UnknownNameError as error:
            if Path(text).is_file():  # of another kind, which the error names
                return self.strategy_of(self._open(text))
            raise ConfigError(
                f"{text!r} is not a file, {UNIFORM} or an algorithm: {error}",
                option=option,
                given=text,
                expected=f"a file, last, {UNIFORM} or an algorithm",
            ) from None
        return self.solve(self.tree, text)[1]

    def _open(self, file: str) -> sources.Source:
        path = Path(file)
        return sources.open_strategy(path, self.spec, by_option=self.by_option, note=self.note)

    def seats(
        self, words: Sequence[str], ai: Callable[[str], Agent] | None = None
    ) -> list[Person | Agent]:
        """The people and agents in the words of `--seats`, each with a unique name.

        `ai` makes what plays for the word ai, by its name; by default that is the solution.
        """
        players = self.game.num_players
        if len(words) != players:
            raise ConfigError(
                f"{self.game.name} has {players} player{'s' * (players != 1)}, --seats gives "
                f"{len(words)}: {', '.join(words)}; give one per player, such as "
                f"{','.join(['human'] + ['ai'] * (players - 1))}",
                option="--seats",
                given=len(words),
                expected=players,
            )
        return [
            ai(name) if ai is not None and word == "ai" else self._seat(word, name)
            for word, name in zip(words, seat_names(words), strict=True)
        ]

    def values(self, words: Sequence[str], seats: Sequence[Person | Agent]) -> Strategy | None:
        """The strategy whose values AIVAT uses: that of ai, else of a file.

        None if no seat plays a strategy of the tree, and in games too large to enumerate.
        """
        from equilibrist.play import StrategyAgent

        by_ai_first = sorted(zip(words, seats, strict=True), key=lambda seat: seat[0] != "ai")
        played = [seat.strategy for _, seat in by_ai_first if isinstance(seat, StrategyAgent)]
        return played[0] if played and self.tree.num_nodes <= LARGEST_AIVAT else None

    def _seat(self, word: str, name: str) -> Person | Agent:
        from equilibrist.play import FixedAgent, Person, UniformAgent

        if word in PEOPLE:
            return Person(name)
        if word == UNIFORM:
            return UniformAgent(name)
        if word in FIXED_OPPONENTS:
            return FixedAgent(word, name)
        if word != "ai":
            return self._agent(self._open(word), name)
        if self.source is not None:
            return self._agent(self.source, name)
        from equilibrist.play import StrategyAgent

        return StrategyAgent(self.strategy, name)

    def _agent(self, source: sources.Source, name: str) -> Agent:
        from equilibrist.play import StrategyAgent
        from equilibrist.play.agents import PackedAgent

        if source.packed is not None:
            return PackedAgent(source.packed, self.game, name)
        is_own = source is self.source
        return StrategyAgent(self.strategy if is_own else self.strategy_of(source), name)


def _is_good(solution: Result[StoredStrategy], strategy: Strategy) -> bool:
    """Whether a stored solution need not be solved for again."""
    from equilibrist.solving.config import DEFAULT_ITERATIONS
    from equilibrist.tree.payoff_scale import PayoffScale

    if solution.iterations >= DEFAULT_ITERATIONS or solution.seconds >= SECONDS:
        return True
    measure = solution.exploitability
    if measure is None:
        measure = solution.nash_conv
    return measure <= GOOD_SHARE * PayoffScale(strategy.tree).at(strategy.probabilities)


def seat_names(words: Sequence[str]) -> list[str]:
    """A unique name for each of the words of `--seats`; ConfigError for an unknown word."""
    kinds = [_kind(word) for word in words]
    return [_numbered(kinds, seat) for seat in range(len(kinds))]


def holdem_seats(
    words: Sequence[str],
    what: str,
    ai: Callable[[str], Agent],
    other: Callable[[Path, str], Agent],
    players: int = 2,
) -> list[Person | Agent]:
    """The people and agents in the words of `--seats` in hold'em, each with a unique name.

    `what` is played, such as `a spot`, by so many `players`. `ai` makes what plays for the word ai,
    by its name, `other` what plays for a file.
    """
    from equilibrist.play import FixedAgent, Person, UniformAgent

    if len(words) != players:
        example = ",".join(["human"] + ["ai"] * (players - 1))
        raise ConfigError(
            f"{what} has {players} players, --seats gives {len(words)}: {', '.join(words)}; give "
            f"one per player, such as {example}",
            option="--seats",
            given=len(words),
            expected=players,
        )
    makers: dict[str, Callable[[str], Person | Agent]] = {"ai": ai, UNIFORM: UniformAgent}
    makers |= dict.fromkeys(PEOPLE, Person)
    makers |= {rule: partial(FixedAgent, rule) for rule in FIXED_OPPONENTS}
    return [
        makers[word](name) if word in makers else other(Path(word), name)
        for word, name in zip(words, seat_names(words), strict=True)
    ]


def _kind(word: str) -> str:
    """The kind of a seat; ConfigError for an unknown word."""
    if word in PEOPLE:
        return "person"
    if word == "ai":
        return "AI"
    if word == UNIFORM or word in FIXED_OPPONENTS or sources.is_file(word):
        return word
    raise ConfigError(
        f"--seats has {word!r}",
        option="--seats",
        given=word,
        remedy="a seat is human, ai, uniform, a fixed opponent or a file with a strategy",
    )


def _numbered(kinds: Sequence[str], seat: int) -> str:
    """`you`, `AI`, or with a number where there are several of a kind."""
    kind = kinds[seat]
    if kinds.count(kind) > 1:
        return f"{kind} {kinds[: seat + 1].count(kind)}"
    return "you" if kind == "person" else kind
