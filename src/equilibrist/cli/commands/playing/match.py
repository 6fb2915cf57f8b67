"""`equilibrist match`: two strategies head to head."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equilibrist.cli.inputs import options, sources
from equilibrist.cli.inputs.contest import UNIFORM, Contest
from equilibrist.cli.inputs.matches import Deals, head_to_head
from equilibrist.cli.inputs.walking import Limits
from equilibrist.errors import ConfigError

HELP = """Let two strategies play each other: exactly where the game has a tree, else by deals.

A and B are files with strategies, uniform (every action equally likely), or names of algorithms,
which then solve the game first: to 1e-4 of its payoff range, at most 10,000 iterations or 60
seconds. The game is that of the first file, or --game.

A sits in each place in turn and B in all others: in both seats of two players; of more players B
has all places but one, and the mean that B gets where it sits everywhere is printed to compare
with. Values are expected payoffs of the whole tree, without sampling.

With --deals N, and where strategies were found without a tree and the game is too large for one, N
duplicate deals are played instead: every deal once per place, chance and all players drawing the
same numbers in all games of a deal; the mean comes with its 95 % interval. Where there is a tree, a
second estimate (AIVAT) corrects for the luck of the deal, of what A has drawn, and of what A held.

\b
Examples:
  equilibrist match kuhn-dcfr.safetensors uniform
  equilibrist match mine.csv leduc-dcfr.safetensors --game leduc --json
  equilibrist match cfr+ cfr --game "kuhn(players=3)"
  equilibrist match leduc-dcfr.safetensors uniform --deals 1e5 --seed 7
  equilibrist match large.safetensors earlier.safetensors --lines 100
"""


def match(
    a: Annotated[
        str,
        typer.Argument(
            metavar="A",
            show_default=False,
            help="A file, uniform, or the name of an algorithm.",
        ),
    ],
    b: Annotated[
        str,
        typer.Argument(
            metavar="B",
            show_default=False,
            help="The same, of the other.",
        ),
    ],
    game: options.GameOption = None,
    deals: options.Deals = None,
    lines: options.Lines = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", metavar="N", show_default=False, help="Seed of the deals.  [default: 0]"
        ),
    ] = None,
    max_histories: options.MaxHistories = None,
    memory: options.Memory = None,
    max_depth: options.MaxDepth = options.MAX_DEPTH,
    json: options.Json = False,
) -> None:
    """Read both strategies, play, print."""
    dealt = Deals.read(deals, lines, seed)
    contest = _open(a, b, game, Limits.read(max_histories, memory, max_depth))
    head_to_head(contest, a, b, dealt, json=json)


def _open(a: str, b: str, game: str | None, limits: Limits) -> Contest:
    """The game that --game names, else that of the first file."""
    from equilibrist.games import load_game

    if game is not None:
        return Contest(load_game(game), game, limits)
    for word in (a, b):
        if word != UNIFORM and sources.is_file(word):
            source = sources.open_source(Path(word), None)
            return Contest(source.load_game(), source.game, limits)
    raise ConfigError(
        f"{a} and {b} do not say of which game they are",
        option="--game",
        remedy="say it with --game GAME",
    )
