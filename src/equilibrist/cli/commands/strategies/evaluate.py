"""`equilibrist evaluate`: how good a saved or imported strategy is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from equilibrist.cli.commands.holdem.files import HOLDEM, handle
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import takes
from equilibrist.cli.inputs.walking import reported_limits
from equilibrist.cli.text.output import heading, note, show, show_json, suggest, typed
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import measure_text, value_text
from equilibrist.formatting.documents import document
from equilibrist.library.kinds import kind_for, refuse_cards, refuse_options

if TYPE_CHECKING:
    from equilibrist.evaluation import BestResponse, Evaluation
    from equilibrist.strategy import Strategy

HELP = """Evaluate a strategy: values, exact best responses, gains, NashConv, exploitability.

FILE is a solution or a table: CSV or Parquet with the columns infoset, action, probability, or
infoset and one per action; JSON as {infoset: {action: probability}}, or with lists in the order of
the actions. A table needs --game, unless it is a document of `solve --json` or `export`. Tables of
Kuhn poker may call moves check, bet, fold and call.

A strategy found without a tree is evaluated, too, if its game has few enough histories. In larger
games only head-to-head play is possible: --against B does what `equilibrist match FILE B` does.

For a solved hold'em spot it prints the EV of both players and the gains of their best responses,
with and without locks: computed again if the file keeps all streets, else the figures of the run.

For a blueprint it looks at the litmus hands; `blueprint evaluate` measures more.

\b
Examples:
  equilibrist evaluate last
  equilibrist evaluate mine.csv --game "leduc(players=3)" --json
  equilibrist evaluate mine.safetensors --game rules.py:MyGame
  equilibrist evaluate last --best-response exploit.csv
  equilibrist evaluate last --best-response exploit.csv --player 0
  equilibrist evaluate large.safetensors --against uniform
  equilibrist evaluate large.safetensors --against earlier.safetensors --deals 1e5
  equilibrist evaluate out.spot
"""


_RESPONSE: Final = "Best response"


@takes(options.WALK_OPTIONS, "limits")
@takes(options.DUPLICATE_DEALS, "dealt")
def evaluate(
    file: Annotated[
        Path,
        options.solution_argument("FILE", "The strategy: a file, or last, last-2, ..."),
    ],
    game: options.GameOption = None,
    best_response: Annotated[
        Path | None,
        options.file(
            "--best-response",
            "FILE",
            "Save the strategy profile in which one player plays a best response, as .csv, .json, "
            ".parquet or .safetensors.",
            _RESPONSE,
        ),
    ] = None,
    player: Annotated[
        int | None,
        options.whole(
            "--player",
            "N",
            "Whose best response to save, counted from 0.  [default: who gains most by it]",
            _RESPONSE,
        ),
    ] = None,
    against: Annotated[
        str | None,
        options.contestant(
            "--against",
            "B",
            "Play against B: a file, last, uniform, or the name of an algorithm.",
            options.DUELS,
        ),
    ] = None,
    cards: options.MovedCards = None,
    *,
    dealt: dict[str, Any],
    limits: dict[str, Any],
    json: options.Json = False,
) -> None:
    """Print the evaluation; write the exploiting strategy if asked to."""
    from equilibrist.cli.inputs.contest import contest_of
    from equilibrist.cli.inputs.matches import Deals, head_to_head
    from equilibrist.cli.inputs.strategy_files import (
        check_strategy_file,
        check_target,
        write_strategy,
    )
    from equilibrist.evaluation import best_response as respond
    from equilibrist.evaluation import evaluate as measure
    from equilibrist.library.sources import naming_game, open_strategy

    if player is not None and best_response is None:
        raise ConfigError(
            "--player says whose best response to save",
            option="--player",
            given=player,
            remedy="give --best-response FILE",
        )
    for name, number in dealt.items():
        if number is not None and against is None:
            raise ConfigError(
                f"--{name} is for duplicate deals",
                option=f"--{name}",
                given=number,
                remedy="give --against B with it",
            )
    if best_response is not None:
        check_strategy_file(best_response)
        check_target(best_response, file, best_response.suffix.lower())
    kind = kind_for("evaluate", file)
    refuse_cards(file, kind, cards)
    if kind in HOLDEM:
        unused = {"--game": game, "--best-response": best_response, "--against": against}
        refuse_options(file, kind, unused)
        handle("evaluate", kind, file, cards=cards, json=json)
        return
    walked = reported_limits(**limits)
    source = open_strategy(file, game, note=note)
    if against is not None:
        if best_response is not None:
            raise ConfigError(
                "--against and --best-response exclude each other",
                option="--best-response",
                given=best_response,
                remedy="give one of them",
            )
        contest = contest_of(source.load_game(), source.game, walked)
        head_to_head(contest, str(file), against, Deals.read(dealt), json=json)
        return
    tree = source.compile(walked)
    strategy = source.strategy(tree)
    evaluation = measure(strategy)
    response = None
    if best_response is not None:
        if player is None:
            player = max(range(tree.num_players), key=lambda p: evaluation.gains[p])
        response = respond(strategy, player)
        write_strategy(response.strategy, best_response, f"best response of player {player}")
    if json:
        document = _document(file, strategy, evaluation, response, best_response)
        merged = source.abstraction
        document["abstraction"] = None if merged is None else merged.to_dict()
        kept = source.actions
        document["actions"] = None if kept is None else kept.to_dict()
        show_json(document)
        return
    _show(file, strategy, evaluation)
    if source.abstraction is not None:
        show()
        show(
            f"The strategy was found with the abstraction {source.abstraction.name}. Values and "
            f"best responses are those of the full game, {tree.num_infosets:,} infosets."
        )
    if source.actions is not None:
        kept = source.actions
        show()
        show(
            f"The strategy was found with the actions {kept.name}, others are translated "
            f"({kept.translate}). Values and best responses are those of the full game."
        )
    if response is not None:
        show()
        value = value_text(response.value, tree.payoff_range)
        show(
            f"Best response of player {player}: value {value}, gain "
            f"{measure_text(response.gain)}; saved to {best_response}"
        )
    if best_response is None:
        suggest(f"equilibrist inspect {typed(file)}" + (source.game_option or ""))
        return
    named = naming_game(source.game, best_response)
    suggest(f"equilibrist inspect {typed(best_response)}{named}")


def _show(file: Path, strategy: Strategy, evaluation: Evaluation) -> None:
    from equilibrist.cli.text.result_text import show_family, show_values

    heading(f"{strategy.tree.name}: the strategy in {file}")
    show()
    show_values(evaluation)
    show_family(strategy)
    if evaluation.exploitability is None:
        note("Exploitability has no meaning here: it needs two players and a constant sum.")


def _document(
    file: Path,
    strategy: Strategy,
    evaluation: Evaluation,
    response: BestResponse | None,
    saved: Path | None,
) -> dict[str, Any]:
    tree = strategy.tree
    return {
        "game": tree.name,
        "file": str(file),
        **document(tree, "num_players num_nodes num_infosets num_sequences"),
        **document(evaluation, "values best_response_values gains nash_conv exploitability"),
        **document(evaluation, "rounding measure_name"),
        "best_response": None
        if response is None
        else {**document(response, "player value gain"), "file": str(saved)},
    }
