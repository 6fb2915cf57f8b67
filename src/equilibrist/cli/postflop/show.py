"""`equilibrist postflop show`: look up any node of a saved solution."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.signals import terminate_like_interrupt
from equilibrist.cli.postflop.node_screen import show_hands, show_node, with_hands_alone
from equilibrist.cli.postflop.run_options import progress_texts, say_stage
from equilibrist.cli.postflop.solve import ByCombos, show_solution
from equilibrist.cli.text.output import show, show_json
from equilibrist.cli.text.progress import LiveLine
from equilibrist.options.option import DISPLAY

if TYPE_CHECKING:
    from equilibrist.progress import Progress

HELP = """Show a node of a solved spot: the grid, the actions, equity, EV and EQR of both players.

LINE is the way to the node. Actions stand between hyphens: X check, C call, F fold, B94 bet 94,
R260 raise to 260, A all-in; amounts are totals of their street. Cards stand between bars where they
are dealt. The default is the root. Streets that the file does not keep are re-solved.

\b
Examples:
  equilibrist postflop show out.spot
  equilibrist postflop show out.spot --line "X-B120" --hand AhKh
  equilibrist postflop show out.spot --line "X-B120-C|8h" --hand "AKs,77" --combos
  equilibrist postflop show out.spot --line "X-X|2c" --json > node.json
"""


def show_node_of(
    file: Annotated[
        Path,
        options.file_argument("FILE", "A solution that `equilibrist postflop solve --out` saved."),
    ],
    line: Annotated[
        str, options.optional("--line", "LINE", "The node.  [default: the root]", short="-l")
    ] = "",
    hand: Annotated[
        str | None,
        options.optional(
            "--hand", "HAND", "Show only this hand, as AhKh, or several, as AKs,77.", DISPLAY
        ),
    ] = None,
    combos: ByCombos = False,
    json: options.Json = False,
) -> None:
    """Look up, print."""
    from equilibrist.poker.files.storage import load

    def tell(progress: Progress) -> None:
        live.tell([f"re-solving  {text}" for text in progress_texts(progress)])

    with LiveLine() as live, terminate_like_interrupt():
        say_stage(live, f"reading {file}")
        solution = load(file, callbacks=tell)
        node = solution.at(line)
    if json:
        document = solution.to_dict(line)
        show_json(document if hand is None else with_hands_alone(document, node, hand))
        return
    if hand is not None:
        show_hands(node, hand)
        return
    show_solution(solution)
    show()
    show_node(node, by_combos=combos)
