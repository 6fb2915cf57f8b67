"""The options that name the boards of a spot, and the folder that keeps what is done on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from equilibrist.cli.inputs import options
from equilibrist.cli.text.output import note
from equilibrist.errors import ConfigError
from equilibrist.options.option import FILES

if TYPE_CHECKING:
    from equilibrist.poker.postflop.files.boards import Board

GROUP: Final = "Boards"
"""The heading of the options that choose boards."""
FOLDER: Final = options.file("--out", "FOLDER", "Where the boards and the report go.", FILES)

BoardsFile = Annotated[
    Path | None,
    options.file(
        "--boards", "BOARDS", "A file with a board in each line, or boards: AhKd2c,QsJs4h.", GROUP
    ),
]
Resume = Annotated[
    bool, options.switch("--resume", "Continue with the boards that FOLDER lacks.", FILES)
]
SolvedSpot = Annotated[
    Path, options.solution_argument("FILE", "The solution of a spot: a file, or last, last-2, ...")
]
KeptBoard = Annotated[
    str | None,
    options.optional(
        "--board", "BOARD", "The board, of the folder of a batch that keeps solutions."
    ),
]


def flops_option(help_text: str = "all, or subset:N, such as subset:49.") -> Any:
    """The option `--flops`.

    Args:
        help_text: Which flops it names.

    Returns:
        The option.
    """
    return options.optional("--flops", "WHICH", help_text, GROUP)


def chosen_boards(
    boards: Path | None,
    flops: str | None,
    deck: str,
    named_flops: Callable[[str, str], list[Board]] | None = None,
) -> list[Board]:
    """Read the boards that options name.

    Args:
        boards: The file of `--boards`, or boards; None if it was not given.
        flops: The flops of `--flops`, which counts without a file.
        deck: The deck of the spot, whose flops they are.
        named_flops: What reads it, with the deck; by default `flop_boards`.

    Returns:
        The boards.

    Raises:
        ConfigError: Both are given.
    """
    from equilibrist.poker.postflop.files.boards import flop_boards, read_boards

    if boards is not None and flops is not None:
        raise ConfigError("boards are given twice", option="--boards", remedy="leave out --flops")
    if boards is not None:
        return read_boards(boards)
    return (named_flops or flop_boards)(f"{flops}", deck)


def note_skipped(skipped: Mapping[str, str]) -> None:
    """Note the boards that were left out, each with the reason."""
    for board, reason in skipped.items():
        note(f"{board} left out: {reason}")
