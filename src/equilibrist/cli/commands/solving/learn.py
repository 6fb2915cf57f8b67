"""`equilibrist learn`: one iteration of CFR in the terminal, every number beside its formula."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import solution_name
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import note, show, suggest
from equilibrist.errors import ConfigError, MemoryBudgetError
from equilibrist.parsing.quantities import read_count

if TYPE_CHECKING:
    from equilibrist.tree.compile import GameTree

LIMIT = 100_000
"""Histories up to which there is anything to watch."""
VISITS = 5_000_000
"""Histories that the plain recursion may visit on the way, some microseconds each."""

HELP = """Walk through one iteration of CFR, every number beside its formula.

Infoset by infoset: the counterfactual reach and the values of every history, the instantaneous
regrets, the updated cumulative regrets and strategy sum, and the next strategy. On a terminal it
stops after every page (Enter continues, q quits); through a pipe everything is printed at once. The
plain recursion of equilibrist.reference does the work, so games should be small.

\b
Examples:
  equilibrist learn kuhn
  equilibrist learn kuhn --iteration 5 --infoset 1pb --infoset 2b
  equilibrist learn "kuhn(players=3)" --algorithm cfr+ --iteration 2
  equilibrist learn rps --start first
  equilibrist learn rules.py:MyGame --simultaneous
"""


def learn(
    game: options.Game,
    algorithm: Annotated[
        str,
        typer.Option(
            "--algorithm",
            "-a",
            metavar="NAME",
            help="One given by seven numbers per iteration: cfr, cfr+, dcfr, your own Variant.",
        ),
    ] = "cfr",
    iteration: Annotated[
        str, typer.Option("--iteration", "-n", metavar="N", help="The iteration to show.")
    ] = "1",
    infoset: Annotated[
        list[str] | None,
        options.optional(
            "--infoset", "KEY", "Show only this one; may be given several times.", short="-i"
        ),
    ] = None,
    start: Annotated[
        str | None,
        options.optional(
            "--start",
            "WHAT",
            "What is played in iteration 1: uniform, first (the first action everywhere), or a "
            "file with a strategy.  [default: uniform]",
        ),
    ] = None,
    alternating: options.Alternating = True,
) -> None:
    """Print the pages of the lesson, one after the other."""
    from equilibrist.game_loading import as_game, compile_game
    from equilibrist.reference.lesson import lesson
    from equilibrist.solvers.variants.variant import Variant
    from equilibrist.solving.algorithm import get_algorithm

    variant = get_algorithm(algorithm)
    if not isinstance(variant, Variant):
        raise ConfigError(
            f"{algorithm} has no iterations of the kind that is shown",
            option="--algorithm",
            given=algorithm,
            remedy=(
                "choose cfr, cfr+, dcfr or another algorithm that is seven numbers per iteration"
            ),
        )
    count = read_count(iteration, "iteration")
    rules = as_game(game)
    try:
        tree = compile_game(rules, max_histories=LIMIT)  # says what is wrong with the rules
    except MemoryBudgetError:
        raise ConfigError(
            f"{game} has more than {LIMIT:,} histories, too many to look at one by one",
            option="game",
            given=game,
            remedy="learn on a smaller game, such as kuhn",
        ) from None
    if count * tree.num_nodes > VISITS:
        raise ConfigError(
            f"the plain recursion would visit {tree.num_nodes:,} histories in each of {count:,} "
            "iterations, which takes too long",
            option="--iteration",
            given=count,
            remedy=f"take at most --iteration {VISITS // tree.num_nodes}",
        )
    horizon = count if variant.needs_horizon else None
    pages = lesson(
        rules,
        variant,
        count,
        infosets=infoset or (),
        alternating=alternating,
        horizon=horizon,
        start=None if start is None else _start(start, game, tree),
    )
    for number, page in enumerate(pages):
        if number and not _goes_on():
            break
        show(str(page))
        show()
    else:
        suggest(next_command("solve", game, algorithm=algorithm, iterations=horizon))


def _start(word: str, game: str, tree: GameTree) -> dict[str, list[float]]:
    """The strategy that a word names, one probability per action; raises as opening a file does."""
    from equilibrist.library.sources import open_strategy
    from equilibrist.strategy import Strategy

    if word == "uniform":
        strategy = Strategy.uniform(tree)
    elif word == "first":
        strategy = Strategy.first_action(tree)
    else:
        strategy = open_strategy(solution_name(word), game, by_option=False, note=note).strategy(
            tree
        )
    return {key: [*row.values()] for key, row in strategy.to_dict().items()}


def _goes_on() -> bool:
    """At a terminal wait for Enter; q or the end of input ends the lesson."""
    if not _at_a_terminal():
        return True
    try:
        return input("Enter continues, q quits: ").strip().lower() not in {"q", "quit"}
    except EOFError:
        return False


def _at_a_terminal() -> bool:
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
