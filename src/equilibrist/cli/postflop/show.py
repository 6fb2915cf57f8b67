"""`equilibrist postflop show`: look up any node of a saved solution."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.signals import terminate_like_interrupt
from equilibrist.cli.postflop.board_options import KeptBoard, SolvedSpot
from equilibrist.cli.postflop.node_screen import show_hands, show_node, with_hands_alone
from equilibrist.cli.postflop.report import show_rows
from equilibrist.cli.postflop.run_options import progress_texts, say_stage
from equilibrist.cli.postflop.solve import ByCombos, show_solution
from equilibrist.cli.postflop.three import show_three_node
from equilibrist.cli.text.next_commands import after_spot, next_command
from equilibrist.cli.text.output import heading, note, show, show_exactly, show_json, suggest
from equilibrist.cli.text.progress import LiveLine
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import counted
from equilibrist.library.kinds import kind_for, refuse_options
from equilibrist.options.option import DISPLAY
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.storage.kinds.file_kinds import BATCH, SPOT_SOLUTION, THREE_SPOT

if TYPE_CHECKING:
    from equilibrist.poker.postflop.solution.node import Node
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.progress import Progress

HELP = """Show a node of a solved spot: the grid, the actions, equity, EV and EQR of both players.

LINE is the way to the node. Actions stand between hyphens: X check, C call, F fold, B94 bet 94,
R260 raise to 260, A all-in; amounts are totals of their street. Cards stand between bars where they
are dealt. The default is the root. Streets that the file does not keep are re-solved. FILE may be
a stored solution: last, last-2.

Of a spot of three players the decision at LINE is shown, --hand lists hands, and --range prints the
range of oop, mid or ip. Lines and hands that do not arrive are said to be not reached.

FILE may also be the folder of a batch: a table has the figures at LINE on all boards, where the
frequency is how often play comes there on the board. If it keeps solutions (`postflop batch
--keep`), --board shows one of them, and LINE may be any of the first street.

\b
Examples:
  equilibrist postflop show last
  equilibrist postflop show last --line "X-B120" --hand AhKh
  equilibrist postflop show last --line "X-B120-C|8h" --hand "AKs,77" --combos
  equilibrist postflop show last --line "X-B120" --hand all --sort ev
  equilibrist postflop show last --line "X-B120" --range ip
  equilibrist postflop show three.spot --line X-X-B30 --range mid
  equilibrist postflop show last --line "X-X|2c" --json > node.json
  equilibrist postflop show study --line X
  equilibrist postflop show study --board QsJh2h --hand AhKh
"""


class Seat(StrEnum):
    """A player, as an option that Typer reads."""

    oop = "oop"
    mid = "mid"
    ip = "ip"


def show_node_of(
    file: SolvedSpot,
    line: Annotated[
        str, options.optional("--line", "LINE", "The node.  [default: the root]", short="-l")
    ] = "",
    board: KeptBoard = None,
    hand: Annotated[
        str | None,
        options.optional(
            "--hand",
            "HAND",
            "List this hand, as AhKh, or several, as AKs,77, or all.",
            DISPLAY,
        ),
    ] = None,
    sort: Annotated[
        str | None,
        options.optional(
            "--sort",
            "KEY",
            "The order of the hands: class, weight, equity, ev, eqr, or an action such as B94, by "
            "frequency.  [default: class]",
            DISPLAY,
        ),
    ] = None,
    range_: Annotated[
        Seat | None,
        options.optional(
            "--range",
            "PLAYER",
            "Print the range with which oop or ip, of three players also mid, reaches the node.",
            DISPLAY,
        ),
    ] = None,
    draw: Annotated[
        Path | None,
        options.file("--draw", "FILE", "Draw the grid of the player to act as .svg.", DISPLAY),
    ] = None,
    combos: ByCombos = False,
    quiet: options.Quiet = False,
    json: options.Json = False,
) -> None:
    """Look up, print."""
    from equilibrist.poker.ranges.range import Range, to_digits

    if sort is not None and (hand is None or json):
        raise ConfigError(
            "--sort orders the list of hands", option="--sort", given=sort, remedy="give --hand all"
        )
    if range_ is not None and hand is not None:
        raise ConfigError(
            "--range prints a whole range",
            option="--range",
            given=range_.value,
            remedy="give --range or --hand",
        )

    kind = kind_for("postflop show", file)
    if kind == THREE_SPOT:
        refused = {"--board": board, "--sort": sort, "--combos": combos}
        seat = None if range_ is None else range_.value
        show_three_node(file, line, hand, refused, seat=seat, draw=draw, json=json)
        return
    _check_drawing(draw)
    if range_ == Seat.mid:
        raise ConfigError(
            f"{file} is a spot of two players, and mid is the second of three",
            option="--range",
            given=range_.value,
            remedy="give --range oop or --range ip",
        )
    if kind == BATCH and board is None:
        one_node = {"--hand": hand, "--range": range_, "--draw": draw, "--combos": combos}
        _show_boards(file, line, one_node, json=json, quiet=quiet)
        return
    solution, node = _looked_up("postflop show", solution_of(file, kind, board), line, quiet=quiet)
    if draw is not None:
        _draw(node, draw)
    if range_ is not None:
        weights = to_digits(node.range_of(SEATS.index(range_.value)).weights)
        text = str(Range.from_weights(weights))
        if json:
            show_json({"line": node.line, "player": range_.value, "range": text})
        else:
            show(text)
        return
    if json:
        document = solution.to_dict(line)
        show_json(document if hand is None else with_hands_alone(document, node, hand))
        return
    if hand is not None:
        show_hands(node, hand, "class" if sort is None else sort)
        return
    show_solution(solution)
    show()
    show_node(node, by_combos=combos)


def solution_of(file: Path, kind: str | None, board: str | None) -> Path:
    """The file of a solution: of the folder of a batch that of a board.

    Args:
        file: The file, or the folder.
        kind: Its kind.
        board: The board that is looked up, if one was given.

    Returns:
        The file.

    Raises:
        ConfigError: A board was given for a file, or none for a folder, or the folder lacks it.
    """
    from equilibrist.poker.postflop.files.kept_boards import KeptBoards

    if kind != BATCH:
        if kind == SPOT_SOLUTION:  # opening it says what another one is
            refuse_options(file, SPOT_SOLUTION, {"--board": board})
        return file
    kept = KeptBoards.open(file)
    if board is None:
        raise ConfigError(
            f"{file} has the solutions of many boards",
            option="--board",
            expected=", ".join(kept.boards),
            remedy=f"give one of them, as --board {kept.boards[0]}",
        )
    return kept.file(board)


def _show_boards(
    folder: Path, line: str, one_node: Mapping[str, object], *, json: bool, quiet: bool
) -> None:
    """Print the figures at a line on all boards of a batch."""
    from equilibrist.poker.postflop.files.batch_folder import BatchFolder
    from equilibrist.poker.postflop.files.kept_boards import board_rows
    from equilibrist.poker.postflop.files.runout_report import plain

    refuse_options(folder, BATCH, one_node)
    with LiveLine(quiet=quiet) as live, terminate_like_interrupt():
        rows = board_rows(
            folder, line, lambda done, count: live.tell([f"board {done + 1:,} of {count:,}"])
        )
    if json:
        show_json({"folder": str(folder), "line": rows[0]["line"], "rows": [*map(plain, rows)]})
        return
    heading(f"{rows[0]['line'] or 'root'}, {counted(len(rows), 'board')}")
    show_rows("board", rows)
    if not quiet and BatchFolder.found(folder).keeps(rows[0]["board"]):
        suggest(next_command("postflop show", folder, board=rows[0]["board"], line=line or None))


def inspect_spot(file: Path, line: str, hands: str, *, draw: Path | None, json: bool) -> None:
    """Print what `inspect` does of a solved spot: the spot, how good it is, a node or hands."""
    _check_drawing(draw)
    solution, node = _looked_up("inspect", file, line)
    if draw is not None:
        _draw(node, draw)
    if json:
        document = solution.to_dict(line)
        show_json(with_hands_alone(document, node, hands) if hands else document)
        return
    if hands:
        show_hands(node, hands)
    else:
        if not line:
            show_exactly(solution.spot.to_toml())
        show_solution(solution)
        show()
        show_node(node)
    suggest(*after_spot(file, for_prizes=solution.spot.payouts is not None))


def _looked_up(
    command: str, file: Path, line: str, *, quiet: bool = False
) -> tuple[PostflopResult, Node]:
    """A solution and one of its nodes, which may be re-solved."""
    from equilibrist.poker.postflop.files.storage import load_spot
    from equilibrist.poker.postflop.solving.cold_kernels import cold_for_any_spot

    def tell(progress: Progress) -> None:
        live.tell([f"re-solving  {text}" for text in progress_texts(progress)])

    kind_for(command, file)
    with LiveLine(quiet=quiet) as live, terminate_like_interrupt():
        say_stage(live, f"reading {file}", cold_for_any_spot())
        solution = load_spot(file, callbacks=tell)
        return solution, solution.at(line)


def _check_drawing(draw: Path | None) -> None:
    from equilibrist.storage.replaceable import check_replaceable

    if draw is None:
        return
    if draw.suffix.lower() != ".svg":
        raise ConfigError(
            f"{draw}: unknown file format",
            option="--draw",
            given=str(draw),
            remedy="use a name that ends in .svg",
        )
    check_replaceable(draw, ".svg", "--draw")


def _draw(node: Node, draw: Path) -> None:
    from equilibrist.storage.replaceable import write_picture

    write_picture(draw, node.to_svg().encode(), "--draw")
    note(f"the grid at {node.line or 'the root'} drawn to {draw}")
