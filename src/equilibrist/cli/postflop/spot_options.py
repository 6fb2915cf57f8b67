"""The options that describe a spot, the same for all commands of `equilibrist postflop`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from equilibrist.cli.completion.values import solutions
from equilibrist.cli.inputs.parameters import (
    parameter,
    parameters_of,
    set_parameters,
    solution_name,
)
from equilibrist.library.kinds import kind_for, open_saved
from equilibrist.options.reading import read_all
from equilibrist.poker.postflop.spot.fields import NEEDED_KEYS, PRIZE_OPTIONS, SPOT_OPTIONS

if TYPE_CHECKING:
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.poker.three_players.solution import ThreeSolution
    from equilibrist.poker.three_players.spot import ThreeSpot

_FILE: Final = inspect.Parameter(
    "file",
    inspect.Parameter.KEYWORD_ONLY,
    default=None,
    annotation=Annotated[
        Path | None,
        typer.Argument(
            metavar="SPOT",
            parser=solution_name,
            autocompletion=solutions,
            show_default=False,
            help="A spot file (TOML), the set-up of another solver or a played hand; options "
            "override its keys.",
        ),
    ],
)
_FLOP_STEP = 35
"""Of all flops, every so many are tried where `--flops` replaces the board of a spot."""


def takes_spot(command: Callable[..., None]) -> Callable[..., None]:
    """The command with a spot file and an option for each key of a spot in place of its first.

    Where it has an option `resume`, and that is given, the spot may be left out: it is then None;
    and options alone may change that of the checkpoint which `resume` names.
    Where it has an option `boards`, the file may be a list of boards in its place: options then say
    all else of the spot. Where boards are named, the spot needs none of its own.
    Where `command.takes_solutions`, the file may be a saved solution, which is then passed; where
    `command.takes_three`, a spot file with three ranges. Spots that are played for prizes are
    refused unless `command.takes_prizes`, which has options for their keys, too.
    """
    name = f"postflop {command.__name__.strip('_')}"
    declared = SPOT_OPTIONS | (PRIZE_OPTIONS if getattr(command, "takes_prizes", False) else {})

    @wraps(command)
    def with_options(**values: Any) -> None:
        from equilibrist.errors import ConfigError
        from equilibrist.poker.cards.decks import FULL_DECK
        from equilibrist.poker.postflop.setups.files import split_name
        from equilibrist.poker.postflop.spot.reading import folded_of_files, range_of_file
        from equilibrist.storage.archive import file_kind
        from equilibrist.storage.kinds.file_kinds import BOARDS, PLAYED

        file = values.pop("file")
        keys = read_all(declared, {key: values.pop(key) for key in declared})
        typed = {key: value for key, value in keys.items() if value is not None}
        for key in typed.keys() & {"oop", "ip"}:
            typed[key] = range_of_file(key, typed[key], deck=typed.get("deck", FULL_DECK))
        typed |= folded_of_files(typed, deck=typed.get("deck", FULL_DECK))
        has_list = file is not None and "boards" in values and file_kind(file) == BOARDS
        if file is not None and has_list:
            values["boards"] = _only_boards(file, values["boards"])
            file = None
        spot: Spot | PostflopResult | ThreeSpot | ThreeSolution | None = None
        named = None if file is None else split_name(file)[0]
        is_played = named is not None and file_kind(named) in PLAYED
        if named is not None and getattr(command, "takes_solutions", False) and not is_played:
            kind_for(name, named)
        if file is not None and getattr(command, "takes_solutions", False) and _is_solution(file):
            if typed:
                flags = ", ".join(declared[key].flags_of(key)[0] for key in typed)
                raise ConfigError(
                    f"{file} is a spot that is solved already",
                    option=flags,
                    given=file,
                    remedy=f"leave out {flags}",
                )
            spot = open_saved(file).content
        elif getattr(command, "takes_three", False) and file is not None and holds_three(file):
            from equilibrist.poker.three_players.spot import ThreeSpot

            spot = ThreeSpot.from_toml(file, **typed)
        elif file is not None or typed or has_list:
            named_boards = (values.get("boards"), values.get("flops"))
            try:
                spot = _on_possible_board(file, typed, values.get("resume"), *named_boards)
            except ConfigError as error:
                if "boards" in values and error.option == "board" and not error.given:
                    error.with_remedy("name the boards with --boards or --flops")
                raise
        elif not values.get("resume"):
            raise ConfigError(
                "no spot",
                option="spot",
                remedy="give a spot file, or --board, --oop, --ip, --pot, --stack",
            )
        if spot is not None and not getattr(command, "takes_prizes", False):
            from equilibrist.poker.postflop.spot.value_unit import refuse_prizes

            refuse_prizes(getattr(spot, "spot", spot), name)
        command(spot, **values)

    spot_parameters = [parameter(key, option) for key, option in declared.items()]
    set_parameters(
        with_options, [_FILE, *spot_parameters, *parameters_of(command, Spot=object)[1:]]
    )
    return with_options


def _changed(checkpoint: object, typed: dict[str, Any]) -> Spot:
    """The spot of these options; if they are incomplete, that of the checkpoint with them."""
    from equilibrist.poker.postflop.solving.checkpoint import SpotCheckpoint
    from equilibrist.poker.postflop.spot.spot import Spot

    if isinstance(checkpoint, Path) and not NEEDED_KEYS.keys() <= typed.keys():
        return SpotCheckpoint(checkpoint).spot.replace(**typed)
    return Spot(**typed)


def _spot_of(file: Path, typed: dict[str, Any]) -> Spot:
    """The spot of a file, also of another solver; what is not taken over of it is said."""
    from equilibrist.cli.text.output import note
    from equilibrist.protocols.hand_spots import read_spot

    read = read_spot(file, **typed)
    if read.note:
        note(read.note)
    return read.spot


def _only_boards(file: Path, boards: Path | None) -> Path:
    """A list of boards in place of a spot; raises ConfigError for a second one."""
    from equilibrist.errors import ConfigError

    if boards is not None:
        raise ConfigError(
            f"boards are given twice: {file} is a list of boards, too",
            option="--boards",
            given=boards,
            remedy="leave out one of them, or give a spot file",
        )
    return file


def _candidates(boards: Path | None, flops: str | None) -> list[str]:
    """Boards on which a spot without one may be made, which `--boards` or `--flops` replace."""
    from equilibrist.poker.postflop.files.boards import flop_boards, read_boards

    if boards is not None:
        return [board.board for board in read_boards(boards)]
    return [] if flops is None else [board.board for board in flop_boards("all")[::_FLOP_STEP]]


def _on_possible_board(
    file: Path | None,
    typed: dict[str, Any],
    checkpoint: object,
    boards: Path | None,
    flops: str | None,
) -> Spot:
    """The spot; if it lacks a board, on the first of those named on which it can be made.

    Raises ConfigError, that of the first board if there is none.
    """
    from equilibrist.errors import ConfigError, EquilibristError

    def spot_of(keys: dict[str, Any]) -> Spot:
        return _changed(checkpoint, keys) if file is None else _spot_of(file, keys)

    try:
        return spot_of(typed)
    except ConfigError as error:
        if error.option != "board" or error.given or not (boards or flops):
            raise
    candidates = _candidates(boards, flops)
    for board in candidates:
        with suppress(EquilibristError):
            return spot_of({**typed, "board": board})
    return spot_of({**typed, "board": candidates[0]} if candidates else typed)


def holds_three(file: Path) -> bool:
    """Whether a file is a spot file with three ranges."""
    from equilibrist.errors import EquilibristError
    from equilibrist.poker.postflop.spot.toml import read_spot_file
    from equilibrist.storage.archive import file_kind
    from equilibrist.storage.kinds.file_kinds import SPOT

    if file_kind(file) != SPOT:
        return False
    try:
        return "middle" in read_spot_file(file)
    except (EquilibristError, OSError):  # reading it as a spot of two says what is wrong
        return False


def _is_solution(file: Path) -> bool:
    from equilibrist.storage.archive import kind_of

    try:
        return kind_of(file) is not None
    except OSError:
        return False
