"""`equilibrist evaluate`: how good a saved or imported strategy is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from equilibrist.cli.commands.holdem.files import HOLDEM, handle
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.walking import ReportOptions
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import heading, note, show, show_json, suggest
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import measure_text, value_text
from equilibrist.formatting.documents import document
from equilibrist.library.kinds import kind_for, refuse_cards, refuse_options
from equilibrist.options.option import by_flag, declare, shared

if TYPE_CHECKING:
    from equilibrist.evaluation import BestResponse, Evaluation
    from equilibrist.library.sources import Source
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
For a spot of three players it prints the figures of the run.

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
_RESPONDING: Final = ("player",)
"""Options on whose best response is saved, which mean something else elsewhere."""


@dataclass(frozen=True)
class EvaluateOptions:
    """What is evaluated against whom, and what is saved; None for what was not typed."""

    game: str | None = shared(options.GAME)
    best_response: Path | None = declare(
        "file",
        _RESPONSE,
        "Save the strategy profile in which one player plays a best response, as .csv, .json, "
        ".parquet or .safetensors.",
    )
    player: int | None = declare(
        "whole number",
        _RESPONSE,
        "Whose best response to save, counted from 0.",
        default_text="who gains most by it",
    )
    against: str | None = declare(
        "contestant",
        options.DUELS,
        "Play against B: a file, last, uniform, or the name of an algorithm.",
        metavar="B",
    )
    cards: Path | None = shared(options.MOVED_CARDS)

    def check(self, dealt: options.DuplicateDeals) -> None:
        """ConfigError for options without what they belong to."""
        if self.player is not None and self.best_response is None:
            raise ConfigError(
                "--player says whose best response to save",
                option="--player",
                given=self.player,
                remedy="give --best-response FILE",
            )
        for name, number in vars(dealt).items():
            if number is not None and self.against is None:
                raise ConfigError(
                    f"--{name} is for duplicate deals",
                    option=f"--{name}",
                    given=number,
                    remedy="give --against B with it",
                )


@with_options
def evaluate(
    file: Annotated[
        Path, options.solution_argument("FILE", "The strategy: a file, or last, last-2, ...")
    ],
    chosen: EvaluateOptions,
    dealt: options.DuplicateDeals,
    walk: ReportOptions,
) -> None:
    """Print the evaluation; write the exploiting strategy if asked to."""
    from equilibrist.cli.inputs.strategy_files import check_strategy_file, check_target
    from equilibrist.library.sources import open_strategy

    chosen.check(dealt)
    target = chosen.best_response
    if target is not None:
        check_strategy_file(target)
        check_target(target, file, target.suffix.lower())
    kind = kind_for("evaluate", file)
    refuse_cards(file, kind, chosen.cards)
    if kind in HOLDEM:
        refuse_options(file, kind, by_flag(chosen, "game", "best_response", "against"))
        handle("evaluate", kind, file, cards=chosen.cards, json=walk.json)
        return
    source = open_strategy(file, chosen.game, note=note)
    if chosen.against is None:
        _evaluate(source, file, chosen, walk)
        return
    if target is not None:
        raise ConfigError(
            "--against and --best-response exclude each other",
            option="--best-response",
            given=target,
            remedy="give one of them",
        )
    from equilibrist.cli.inputs.contest import contest_of
    from equilibrist.cli.inputs.matches import head_to_head

    contest = contest_of(source.load_game(), source.game, walk.limits)
    both = ("FILE", "--against")
    head_to_head(contest, str(file), chosen.against, dealt, options=both, json=walk.json)


def _evaluate(source: Source, file: Path, chosen: EvaluateOptions, walk: ReportOptions) -> None:
    from equilibrist.cli.inputs.strategy_files import write_strategy
    from equilibrist.evaluation import best_response as respond
    from equilibrist.evaluation import evaluate as measure
    from equilibrist.library.sources import naming_game

    tree = source.compile(walk.limits)
    strategy = source.strategy(tree)
    evaluation = measure(strategy)
    target, response = chosen.best_response, None
    if target is not None:
        player = chosen.player
        if player is None:
            player = max(range(tree.num_players), key=lambda p: evaluation.gains[p])
        response = respond(strategy, player)
        write_strategy(response.strategy, target, f"best response of player {player}")
    merged, actions = source.abstraction, source.actions
    if walk.json:
        document = _document(file, strategy, evaluation, response, target)
        document["abstraction"] = None if merged is None else merged.to_dict()
        document["actions"] = None if actions is None else actions.to_dict()
        show_json(document)
        return
    _show(file, strategy, evaluation)
    if merged is not None:
        show()
        show(
            f"The strategy was found with the abstraction {merged.name}. Values and "
            f"best responses are those of the full game, {tree.num_infosets:,} infosets."
        )
    if actions is not None:
        show()
        show(
            f"The strategy was found with the actions {actions.name}, others are translated "
            f"({actions.translate}). Values and best responses are those of the full game."
        )
    if response is None or target is None:
        suggest(next_command("inspect", file, game=source.game_to_name, without=_RESPONDING))
        return
    show()
    from equilibrist.tree.payoff_scale import PayoffScale

    unit = PayoffScale(tree).units().payoff(response.player, response.value)
    value = value_text(response.value, unit)
    show(
        f"Best response of player {response.player}: value {value}, gain "
        f"{measure_text(response.gain)}; saved to {target}"
    )
    game = naming_game(source.game, target)
    suggest(next_command("inspect", target, game=game, without=_RESPONDING))


def _show(file: Path, strategy: Strategy, evaluation: Evaluation) -> None:
    from equilibrist.cli.text.result_text import show_family, show_values

    heading(f"{strategy.tree.name}: the strategy in {file}")
    show()
    show_values(evaluation, strategy)
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
