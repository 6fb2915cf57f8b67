"""`equilibrist match`: two strategies head to head."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.contest import contest_of
from equilibrist.cli.inputs.matches import head_to_head
from equilibrist.cli.inputs.parameters import described, with_options
from equilibrist.cli.inputs.walking import ReportOptions
from equilibrist.errors import ConfigError
from equilibrist.library import sources
from equilibrist.library.contest import Contest
from equilibrist.library.kinds import kind_for
from equilibrist.options.defaults import UNIFORM

if TYPE_CHECKING:
    from equilibrist.library.limits import Limits

HELP = """Play two strategies against each other: exactly where the game has a tree, else by deals.

An algorithm solves the game first: to 1e-4 of the scale of the payoffs in play, at most 10,000
iterations or 60 seconds. The game is that of the first file, or --game.

A takes each seat in turn and B all others. With more than two players the mean that B gets when it
has all seats is printed for comparison. Values are expected payoffs of the whole tree.

With --deals N, and where strategies were found without a tree and the game is too large for one, N
duplicate deals are played instead: every deal once per seat, with common random numbers for chance
and all players. Where there is a tree, a second estimate (AIVAT) removes the variance of chance, of
A's own mixing and of A's cards.

\b
Examples:
  equilibrist match last uniform
  equilibrist match mine.csv last --game leduc --json
  equilibrist match cfr+ cfr --game "kuhn(players=3)"
  equilibrist match last last-2 --deals 1e5 --seed 7
  equilibrist match large.safetensors earlier.safetensors --lines 100
"""


@with_options
def match(
    a: Annotated[
        str,
        options.player_argument(
            "A", "A file, last (last-2, ...), uniform, or the name of an algorithm."
        ),
    ],
    b: Annotated[str, options.player_argument("B", "The same for the other strategy.")],
    game: Annotated[str | None, described("game", options.GAME)] = None,
    *,
    dealt: options.DuplicateDeals,
    walk: ReportOptions,
) -> None:
    """Read both strategies, play, print."""
    for word in (a, b):
        kind_for("match", word)
    head_to_head(_open(a, b, game, walk.limits), a, b, dealt, json=walk.json)


def _open(a: str, b: str, game: str | None, limits: Limits) -> Contest:
    """The game that --game names, else that of the first file."""
    from equilibrist.games import load_game

    if game is not None:
        return contest_of(load_game(game), game, limits, by_option=True)
    for word in (a, b):
        if word != UNIFORM and sources.is_file(word):
            source = sources.open_strategy(Path(word))
            return contest_of(source.load_game(), source.game, limits)
    raise ConfigError(
        f"{a!r} and {b!r} do not name their game",
        option="--game",
        remedy="give it with --game GAME",
    )
