"""`equilibrist evaluate`: how good a saved or imported strategy is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.walking import Limits
from equilibrist.cli.text.output import heading, note, show, show_json
from equilibrist.cli.text.quantities import measure_text, value_text
from equilibrist.errors import ConfigError

if TYPE_CHECKING:
    from equilibrist.evaluation import BestResponse, Evaluation
    from equilibrist.strategy import Strategy

HELP = """Evaluate a strategy: values, true best responses, gains, NashConv, exploitability.

FILE is a solution (.safetensors) or a table: CSV or Parquet with the columns infoset, action,
probability, or infoset and one per action; JSON as {infoset: {action: probability}}, or with lists
in the order of the actions. A table needs --game, unless it is a document of `solve --json` or
`export`. Tables of Kuhn poker may call moves check, bet, fold and call.

A strategy found without a tree is evaluated as well where its rules have few enough histories.
Of larger games only play tells: --against B lets the strategy play against B, and prints what
`equilibrist match FILE B` prints: exactly where the game has a tree, else by duplicate deals.

\b
Examples:
  equilibrist evaluate kuhn-dcfr.safetensors
  equilibrist evaluate mine.csv --game "leduc(players=3)" --json
  equilibrist evaluate mine.safetensors --game rules.py:MyGame
  equilibrist evaluate kuhn-dcfr.safetensors --best-response exploit.csv
  equilibrist evaluate kuhn-dcfr.safetensors --best-response exploit.csv --player 0
  equilibrist evaluate large.safetensors --against uniform
  equilibrist evaluate large.safetensors --against earlier.safetensors --deals 1e5
"""


def evaluate(
    file: Annotated[
        Path,
        typer.Argument(
            parser=options.file_name,
            metavar="FILE",
            show_default=False,
            help="The strategy to evaluate.",
        ),
    ],
    game: options.GameOption = None,
    best_response: Annotated[
        Path | None,
        typer.Option(
            "--best-response",
            parser=options.file_name,
            metavar="FILE",
            show_default=False,
            help="Save the strategy with the best response of one player in place of theirs, as "
            ".csv, .json, .parquet or .safetensors.",
        ),
    ] = None,
    player: Annotated[
        int | None,
        typer.Option(
            "--player",
            metavar="N",
            show_default=False,
            help="Whose best response to save, counted from 0.  [default: who gains most by it]",
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="B",
            show_default=False,
            help="Let it play against B: a file, uniform, or the name of an algorithm.",
        ),
    ] = None,
    deals: options.Deals = None,
    lines: options.Lines = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", metavar="N", show_default=False, help="Seed of these deals.  [default: 0]"
        ),
    ] = None,
    max_histories: options.MaxHistories = None,
    memory: options.Memory = None,
    max_depth: options.MaxDepth = options.MAX_DEPTH,
    json: options.Json = False,
) -> None:
    """Print the evaluation; write the exploiting strategy if asked to."""
    from equilibrist.cli.inputs.contest import Contest
    from equilibrist.cli.inputs.matches import Deals, head_to_head
    from equilibrist.cli.inputs.sources import open_source
    from equilibrist.cli.inputs.strategy_files import (
        check_strategy_file,
        check_target,
        write_strategy,
    )
    from equilibrist.evaluation import best_response as respond
    from equilibrist.evaluation import evaluate as measure

    if player is not None and best_response is None:
        raise ConfigError(
            "--player says whose best response to save",
            option="--player",
            given=player,
            remedy="give --best-response FILE",
        )
    for name, given in (("deals", deals), ("lines", lines), ("seed", seed)):
        if given is not None and against is None:
            raise ConfigError(
                f"--{name} is for duplicate deals",
                option=f"--{name}",
                given=given,
                remedy="give --against B with it",
            )
    if best_response is not None:
        check_strategy_file(best_response)
        check_target(best_response, file, best_response.suffix.lower())
    limits = Limits.read(max_histories, memory, max_depth)
    source = open_source(file, game)
    if against is not None:
        if best_response is not None:
            raise ConfigError(
                "--against plays, --best-response computes",
                option="--best-response",
                given=best_response,
                remedy="give one of them",
            )
        contest = Contest(source.load_game(), source.game, limits)
        head_to_head(contest, str(file), against, Deals.read(deals, lines, seed), json=json)
        return
    tree = source.compile(limits)
    strategy = source.strategy(tree)
    found = measure(strategy)
    response = None
    if best_response is not None:
        if player is None:
            player = max(range(tree.num_players), key=lambda p: found.gains[p])
        response = respond(strategy, player)
        write_strategy(response.strategy, best_response, f"best response of player {player}")
    if json:
        show_json(_document(file, strategy, found, response, best_response))
        return
    _show(file, strategy, found)
    if response is not None:
        show()
        show(
            f"Best response of player {player}: value {value_text(response.value)}, gain "
            f"{measure_text(response.gain)}; saved to {best_response}"
        )


def _show(file: Path, strategy: Strategy, found: Evaluation) -> None:
    from equilibrist.cli.text.family_text import show_family
    from equilibrist.cli.text.result_text import show_values

    heading(f"{strategy.tree.name}: the strategy in {file}")
    show()
    show_values(
        found.values,
        found.best_response_values,
        found.gains,
        found.nash_conv,
        found.exploitability,
    )
    show_family(strategy)
    if found.exploitability is None:
        note("Exploitability has no meaning here: it needs two players and a constant sum.")


def _document(
    file: Path,
    strategy: Strategy,
    found: Evaluation,
    response: BestResponse | None,
    saved: Path | None,
) -> dict[str, Any]:
    tree = strategy.tree
    document: dict[str, Any] = {
        "game": tree.name,
        "file": str(file),
        "num_players": tree.num_players,
        "num_nodes": tree.num_nodes,
        "num_infosets": tree.num_infosets,
        "num_sequences": tree.num_sequences,
        "values": list(found.values),
        "best_response_values": list(found.best_response_values),
        "gains": list(found.gains),
        "nash_conv": found.nash_conv,
        "exploitability": found.exploitability,
        "measure_name": found.measure_name,
        "best_response": None,
    }
    if response is not None:
        document["best_response"] = {
            "player": response.player,
            "value": response.value,
            "gain": response.gain,
            "file": str(saved),
        }
    return document
