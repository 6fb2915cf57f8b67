"""`equilibrist match`: two strategies head to head."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equilibrist.arguments import whole_number
from equilibrist.cli import options, sources
from equilibrist.cli.contest import UNIFORM, Contest
from equilibrist.cli.output import heading, show, show_json, show_table
from equilibrist.cli.quantities import read_count, value_text
from equilibrist.cli.walking import Limits
from equilibrist.errors import ConfigError

if TYPE_CHECKING:
    from equilibrist.evaluation import Match
    from equilibrist.play import ExactMatch

HELP = """Let two strategies play each other: exactly where the game has a tree, else by deals.

A and B are files with strategies, uniform (every action equally likely), or names of algorithms,
which then solve the game first: to 1e-4 of its payoff range, at most 10,000 iterations or 60
seconds. The game is that of the first file, or --game.

A sits in each place in turn and B in all others: in both seats of two players; of more players B
has all places but one, and the mean that B gets where it sits everywhere is printed to compare
with. Values are expected payoffs of the whole tree, without sampling.

With --hands N, and where strategies were found without a tree and the game is too large for one, N
duplicate deals are played instead: every deal once per place, chance and all players drawing the
same numbers in all games of a deal; the mean comes with its 95 % interval.

\b
Examples:
  equilibrist match kuhn-dcfr.safetensors uniform
  equilibrist match mine.csv leduc-dcfr.safetensors --game leduc --json
  equilibrist match cfr+ cfr --game "kuhn(players=3)"
  equilibrist match leduc-dcfr.safetensors uniform --hands 1e5 --seed 7
  equilibrist match large.safetensors earlier.safetensors --hands 1e6
"""
DEALS = "1e6"
"""Duplicate deals where nothing exact can be said."""


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
    hands: Annotated[
        str | None,
        typer.Option(
            "--hands",
            metavar="N",
            show_default=False,
            help="Play so many duplicate deals instead.  [default: exact; 1000000 without a tree]",
        ),
    ] = None,
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
    from equilibrist.play import match_by_deals, match_exactly

    drawn = 0 if seed is None else whole_number("seed", seed, 0)
    deals = None if hands is None else whole_number("hands", read_count(hands), 2)
    contest = _open(a, b, game, Limits.read(max_histories, memory, max_depth))
    found: Match | ExactMatch
    if (packed := _by_rules(contest, (a, b), deals, drawn)) is not None:
        found = packed
    elif deals is None:
        if seed is not None:
            raise ConfigError("--seed is for duplicate deals: give --hands N, or leave it out")
        found = match_exactly(contest.read(a), contest.read(b))
    else:
        found = match_by_deals(contest.read(a), contest.read(b), deals=deals, seed=drawn)
    if json:
        show_json(_document(contest, a, b, found))
    else:
        _show(contest, a, b, found)


def _open(a: str, b: str, game: str | None, limits: Limits) -> Contest:
    """The game that --game names, else that of the first file."""
    from equilibrist.games import load_game

    if game is not None:
        return Contest(load_game(game), game, limits)
    for word in (a, b):
        if word != UNIFORM and sources.is_file(word):
            source = sources.open_source(Path(word), None)
            return Contest(source.load_game(), source.game, limits)
    raise ConfigError(f"{a} and {b} do not say of which game they are; say it with --game GAME")


def _by_rules(
    contest: Contest, words: tuple[str, str], deals: int | None, seed: int
) -> Match | None:
    """A match without a tree; None where one strategy needs the tree, or an exact one is possible.

    ConfigError if the game is too large for a tree, and a strategy needs it.
    """
    from equilibrist.evaluation import play_duplicates
    from equilibrist.rules.game import RulesGame
    from equilibrist.rules.strategy import PackedStrategy

    game = contest.game
    if not isinstance(game, RulesGame):
        return None
    strategies = []
    for word in words:
        if word == UNIFORM:
            strategies.append(PackedStrategy.uniform(game.rules))
            continue
        packed = (
            sources.open_source(Path(word), contest.spec).packed if sources.is_file(word) else None
        )
        if packed is None:
            return None
        packed.check_rules(game.rules)
        strategies.append(packed)
    if deals is None:
        try:
            _ = contest.tree
        except ConfigError:
            deals = read_count(DEALS)
        else:
            return None
    return play_duplicates(game.rules, strategies[0], strategies[1], deals=deals, seed=seed)


def _document(contest: Contest, a: str, b: str, found: Match | ExactMatch) -> dict[str, Any]:
    from equilibrist.play import ExactMatch

    exact = found if isinstance(found, ExactMatch) else None
    drawn = None if isinstance(found, ExactMatch) else found
    return {
        "game": contest.game.name,
        "first": a,
        "second": b,
        "num_players": contest.game.num_players,
        "exact": exact is not None,
        "mean": found.mean,
        "second_mean": None if exact is None else exact.second_mean,
        "even": None if exact is None else exact.even,
        "values": None if exact is None else [list(row) for row in exact.values],
        "deals": None if drawn is None else drawn.deals,
        "seed": None if drawn is None else drawn.seed,
        "half_width": None if drawn is None else drawn.half_width,
        "interval": None if drawn is None else list(drawn.interval),
    }


def _show(contest: Contest, a: str, b: str, found: Match | ExactMatch) -> None:
    from equilibrist.play import ExactMatch

    players = contest.game.num_players
    games = f"{players} games each, A in every place once"
    if not isinstance(found, ExactMatch):
        heading(f"{contest.game.name}: A = {a} against B = {b}, {found.deals:,} duplicate deals")
        low, high = found.interval
        show(f"A gets {found.mean:+.6f} per hand, 95 % interval {low:+.6f} to {high:+.6f}")
        show(f"(payoff units; a deal is {games}, B in all others; --seed {found.seed})")
        return
    heading(f"{contest.game.name}: A = {a} against B = {b}, exactly")
    rows = [[f"A is player {p}", *map(value_text, row)] for p, row in enumerate(found.values)]
    show_table(["", *(f"player {p}" for p in range(players))], rows)
    show(f"A gets {value_text(found.mean)} per hand, the mean over its places (payoff units);")
    show(f"B gets {value_text(found.second_mean)} per hand and place against it,")
    show(f"and {value_text(found.even)} where B sits everywhere: A is better if it gets more.")
