"""`equilibrist postflop`: hold'em spots from the flop, the turn or the river on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import typer

from equilibrist.cli.inputs.from_blueprint import takes_blueprint
from equilibrist.cli.postflop import batch as postflop_batch
from equilibrist.cli.postflop import browse as postflop_browse
from equilibrist.cli.postflop import compare as postflop_compare
from equilibrist.cli.postflop import convert as postflop_convert
from equilibrist.cli.postflop import dataset as postflop_dataset
from equilibrist.cli.postflop import estimate as postflop_estimate
from equilibrist.cli.postflop import examine as postflop_examine
from equilibrist.cli.postflop import export as postflop_export
from equilibrist.cli.postflop import flops
from equilibrist.cli.postflop import mistakes as postflop_mistakes
from equilibrist.cli.postflop import playing as postflop_playing
from equilibrist.cli.postflop import report as postflop_report
from equilibrist.cli.postflop import show as postflop_show
from equilibrist.cli.postflop import sizes as postflop_sizes
from equilibrist.cli.postflop import solve as postflop_solve
from equilibrist.cli.postflop import train as postflop_train
from equilibrist.cli.postflop.run_options import takes_run
from equilibrist.cli.text.help_text import GroupedCommand, GroupedCommands

app = typer.Typer(
    help="Heads-up hold'em from the flop, the turn or the river on.",
    rich_markup_mode=None,
    cls=GroupedCommands,
)

SOLVING: Final = "Solving"
SOLUTIONS: Final = "Solutions"
BOARDS: Final = "Boards"
NETWORKS: Final = "Networks"

_COMMANDS: Final[list[tuple[str, str, Callable[..., None], str, str]]] = [
    (
        "estimate",
        SOLVING,
        postflop_estimate.estimate,
        postflop_estimate.HELP,
        "Estimate the memory and the time that a spot needs.",
    ),
    (
        "solve",
        SOLVING,
        takes_blueprint(takes_run(postflop_solve.solve)),
        postflop_solve.HELP,
        "Find the equilibrium of a spot.",
    ),
    (
        "batch",
        SOLVING,
        takes_run(
            postflop_batch.batch,
            target="Stop on a board at this exploitability: 0.3% of the pot, or 0.5c in chips.",
            iterations="Stop on a board after this many.",
            seconds="Stop on a board after this many seconds (or 10m, 1.5h); at least one "
            "iteration is made and measured.",
        ),
        postflop_batch.HELP,
        "Solve a spot on many boards.",
    ),
    (
        "examine",
        SOLVING,
        takes_run(
            postflop_examine.examine,
            without=("tremble", "quantal"),
            target="Solve everything else to this exploitability: 0.1% of the pot by default.",
            iterations="Stop each run after this many.",
            seconds="Stop each run after this many seconds (or 10m, 1.5h).",
        ),
        postflop_examine.HELP,
        "Measure what a strategy of the first street loses.",
    ),
    (
        "sizes",
        SOLVING,
        takes_run(
            postflop_sizes.sizes,
            without=("tremble", "quantal"),
            target="Solve each spot to this exploitability: 0.01% of the pot by default.",
            iterations="Stop each run after this many.",
            seconds="Stop the search after this many seconds (or 10m, 1.5h).",
        ),
        postflop_sizes.HELP,
        "Find the bet sizes that lose least.",
    ),
    (
        "convert",
        SOLVING,
        postflop_convert.convert,
        postflop_convert.HELP,
        "Write a spot for another solver, or read one.",
    ),
    (
        "show",
        SOLUTIONS,
        postflop_show.show_node_of,
        postflop_show.HELP,
        "Look up a node of a solved spot.",
    ),
    (
        "browse",
        SOLUTIONS,
        postflop_browse.browse,
        postflop_browse.HELP,
        "Walk through a solved spot on the screen.",
    ),
    (
        "play",
        SOLUTIONS,
        postflop_playing.play,
        postflop_playing.HELP,
        "Play against a solved spot, with a coach.",
    ),
    (
        "export",
        SOLUTIONS,
        takes_run(postflop_export.export, solutions=True),
        postflop_export.HELP,
        "Write the tree of a solved spot.",
    ),
    (
        "compare",
        SOLUTIONS,
        postflop_compare.compare,
        postflop_compare.HELP,
        "Compare a solved spot with notes or another solution.",
    ),
    (
        "report",
        SOLUTIONS,
        takes_run(postflop_report.report, solutions=True),
        postflop_report.HELP,
        "Report on every next card.",
    ),
    (
        "mistakes",
        SOLUTIONS,
        takes_run(postflop_mistakes.mistakes, solutions=True),
        postflop_mistakes.HELP,
        "Measure losses where play comes only by a mistake.",
    ),
    ("flops", BOARDS, flops.flops, flops.HELP, "List the 1,755 flops, or a subset."),
    (
        "dataset",
        NETWORKS,
        postflop_dataset.dataset,
        postflop_dataset.HELP,
        "Make situations with the values of all hands.",
    ),
    (
        "train",
        NETWORKS,
        postflop_train.train,
        postflop_train.HELP,
        "Fit a network to such situations.",
    ),
]
_CLASSES: Final = {"batch": postflop_batch.BatchCommand}
for _name, _group, _command, _help, _short in _COMMANDS:
    _class = _CLASSES.get(_name, GroupedCommand)
    app.command(_name, help=_help, short_help=_short, cls=_class, rich_help_panel=_group)(_command)
