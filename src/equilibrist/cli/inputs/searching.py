"""The options of bots that think at the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from equilibrist.errors import ConfigError
from equilibrist.options.option import declare

if TYPE_CHECKING:
    from equilibrist.play import Adviser, Bot, SolutionCoach
    from equilibrist.poker.decisions.searching import Search
    from equilibrist.poker.decisions.solution import HandSolution
    from equilibrist.search import OnlineSearch
    from equilibrist.strategy import Strategy

THINKING: Final = "Thinking"


@dataclass(frozen=True)
class BotSearchOptions:
    """How a bot thinks; None for what was not typed."""

    search: str | None = declare(
        "text",
        THINKING,
        "Think about decisions with this search: street.",
        default_text="none",
    )
    time: float | None = declare(
        "time", THINKING, "The most time at a decision: 5s.", default_text="as the search needs"
    )

    def open(self) -> Search | None:
        """Make the search that was named; None for none.

        Raises:
            UnknownNameError: There is no such search.
            ConfigError: There is a time, and no search.
        """
        from equilibrist.library.opponents import open_search

        if self.search is not None:
            return open_search(self.search)
        if self.time is not None:
            raise ConfigError(
                "--time is how long a search may think",
                option="--time",
                given=self.time,
                remedy="give --search, or leave out --time",
            )
        return None

    def maker(self) -> Callable[[], Search] | None:
        """What makes the search that was named, one for each bot; None for none.

        Raises:
            UnknownNameError: There is no such search.
            ConfigError: There is a time, and no search.
        """
        from equilibrist.library.opponents import open_search

        if self.open() is None or self.search is None:
            return None
        return partial(open_search, self.search)


def coach_at_table(
    coach: SolutionCoach,
    solution: HandSolution,
    seed: int,
    thinks: BotSearchOptions | None,
    game: Any,
) -> Adviser:
    """Let a coach of hold'em say what a search thinks, if one was named.

    Args:
        coach: The coach.
        solution: The solution that it goes by.
        seed: The seed of what the search draws.
        thinks: How bots think; None for not at all.
        game: The game at the table.

    Returns:
        The coach.
    """
    from equilibrist.play.bots.bot import ThinkingCoach

    bot = bot_at_table(solution, seed, thinks, "coach")
    return coach if bot.search is None else ThinkingCoach(coach, bot, game)


def bot_at_table(
    solution: HandSolution, seed: int, thinks: BotSearchOptions | None, name: str
) -> Bot:
    """Make the bot that plays a solution of hold'em in a session.

    Args:
        solution: The solution.
        seed: The seed of its draws.
        thinks: How it thinks; None for not at all.
        name: What to call it.

    Returns:
        The bot.
    """
    from equilibrist.play import Bot

    search = None if thinks is None else thinks.open()
    seconds = None if thinks is None else thinks.time
    return Bot(solution, search, seed=seed, name=name, seconds=seconds)


def online_search(
    trunk: Strategy, roots: Sequence[str] | None, method: str, **options: Any
) -> OnlineSearch:
    """Make what searches in a compiled game while it is played.

    Args:
        trunk: The strategy that it goes on from.
        roots: The public nodes at which play is solved; None for the first public events of chance,
            where there are none the first moves, and with `nested` what follows on moves that the
            trunk never makes.
        method: How subgames are solved.
        options: More arguments of `OnlineSearch.of`.

    Returns:
        What searches.

    Raises:
        ConfigError: As from `OnlineSearch.of`.
    """
    from equilibrist.search import OnlineSearch

    if roots or options.get("nested"):
        return OnlineSearch.of(trunk, roots=roots or None, method=method, **options)
    try:
        return OnlineSearch.of(trunk, roots="after chance", method=method, **options)
    except ConfigError as error:
        if error.option != "roots":
            raise
    return OnlineSearch.of(trunk, roots="after move 1", method=method, **options)
