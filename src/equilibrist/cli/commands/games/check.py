"""`equilibrist check`: what is wrong with rules of a game, or with a sampler of one's own."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equilibrist.cli.completion import values
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.flags import as_typed
from equilibrist.cli.inputs.walking import reported_walk
from equilibrist.cli.text.next_commands import next_command, solve_command
from equilibrist.cli.text.output import show, show_json, suggest
from equilibrist.errors import ConfigError
from equilibrist.options.option import LIMITS
from equilibrist.parsing.quantities import read_count

if TYPE_CHECKING:
    from equilibrist.game import Game
    from equilibrist.solvers.sampling.samplers import Sampler
    from equilibrist.tree.checks.report import GameReport

DEFAULT_HISTORIES = 200_000
"""Histories checked one by one; the rest of a larger game is sampled."""

HELP = """Check the rules of a game, your own above all, history by history.

Finds probabilities that do not sum to 1, actions that differ within an infoset, an infoset of two
players, imperfect recall (unless full_recall() declares it), payoffs of the wrong length or not
finite, states that are modified, cycles, and exceptions. Of a rules module the packed keys are the
infosets; its sizes, start() and key() are checked too, and its compiled functions against Python.
Exit code 0: no problem; 1: problems were found; 2: the game could not be loaded.

A sampler of your own is checked in another way: on small games (--game) every sequence of draws is
run, and what it adds on average to regrets and averages is compared with the full traversal. Those
that come with Equilibrist can be checked alike, by name.

\b
Examples:
  equilibrist check rules.py:MyGame
  equilibrist check rules.py:MyGame --max-histories 1e6 --json
  equilibrist check "rules:my_rules.py(cards=5)"
  equilibrist check my.py:MySampler
  equilibrist check my.py:MySampler --game kuhn --json
"""


def check(
    context: typer.Context,
    game: options.Game,
    max_histories: Annotated[
        str,
        options.valued("--max-histories", "N", "Walk this many, then sample.", LIMITS),
    ] = f"{DEFAULT_HISTORIES}",
    max_depth: options.MaxDepth = options.MAX_DEPTH,
    against: Annotated[
        list[str] | None,
        options.optional(
            "--game",
            "GAME",
            "A small game on which a sampler is checked; may be given several times.  "
            "[default: kuhn, a random tree, kuhn(players=3)]",
            completes=values.games,
        ),
    ] = None,
    quiet: options.Quiet = False,
    json: options.Json = False,
) -> None:
    """Print the report of `check_game`, or of `check_sampler`."""
    from equilibrist.game_loading import check_game
    from equilibrist.games import load_game

    if _check_sampler(game, against, json=json):
        return
    if against:
        raise ConfigError(
            f"--game is for samplers, and {game} is none",
            option="--game",
            given=against[0],
            remedy="leave it out, or check a sampler: my.py:MySampler",
        )

    histories, depth = (
        read_count(max_histories, "max_histories"),
        read_count(max_depth, "max_depth"),
    )
    rules = load_game(game)
    with reported_walk(quiet=quiet) as on_walk:
        report = check_game(rules, max_histories=histories, max_depth=depth, on_walk=on_walk)
    if json:
        show_json({**asdict(report), "ok": report.ok, "game": game})
    else:
        show(as_typed(str(report), context.find_root().command, ["check"], leading=False))
    if not report.ok:
        raise typer.Exit(1)
    if not json:
        suggest(_next_of(game, rules, report))


def _check_sampler(text: str, games: list[str] | None, *, json: bool) -> bool:
    """Check the sampler that a text names, and say whether it names one."""
    if not re.match(r"\s*[\w-]+\s*(\(|$)|.*\.py", text):
        return False
    from equilibrist.solvers.sampling.expectation import GAMES, check_sampler
    from equilibrist.solvers.sampling.registry import get_sampler
    from equilibrist.solvers.sampling.samplers import SAMPLERS
    from equilibrist.solvers.sampling.user import load_sampler, names_file, own_sampler

    sampler: Sampler | None = None
    if names_file(text):
        sampler = load_sampler(text) if games else own_sampler(text)
    elif text.partition("(")[0].strip().lower().replace("_", "-") in SAMPLERS:
        sampler = get_sampler(text)
    if sampler is None:
        return False
    report = check_sampler(sampler, games or GAMES)
    if json:
        show_json(report.document())
    else:
        show(str(report))
    if not report.ok:
        raise typer.Exit(1)
    if not json:
        suggest(
            next_command("solve", (games or GAMES)[0], sampler=report.sampler, iterations=10_000)
        )
    return True


def _next_of(game: str, rules: Game[Any], report: GameReport) -> str:
    """Write the command that solves the game, or says how large it is if nobody knows yet."""
    from equilibrist.tree.walk.budget import RULES_HISTORIES

    is_large = not report.complete or report.num_histories > RULES_HISTORIES
    if is_large and game.startswith("rules:"):
        return next_command("solve", game, sampler="external", seconds=60)
    if not report.complete:
        return next_command("games", game)
    is_constant_sum = report.constant_sum is not None
    solving = solve_command(game, rules, is_constant_sum=is_constant_sum)
    return solving or next_command("inspect", game)
