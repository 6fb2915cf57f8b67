"""Files of set-ups: recognised by what they hold, read, and written."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from equilibrist.errors import FileFormatError, UnknownNameError
from equilibrist.parsing.arguments import file_name, instance
from equilibrist.poker.postflop.setups.pio import pio_text, read_pio
from equilibrist.poker.postflop.setups.scripts import read_script, texas_text, upi_text
from equilibrist.poker.postflop.setups.set_up import SetUp
from equilibrist.poker.postflop.setups.wasm import read_wasm, wasm_text
from equilibrist.poker.postflop.spot.spot import Spot, checked_spot
from equilibrist.poker.postflop.spot.toml import parse_spot, read_spot_file
from equilibrist.storage.archive import check_writable, file_kind
from equilibrist.storage.atomic import failures, resolved, write_bytes
from equilibrist.storage.kinds.file_kinds import (
    EMPTY,
    HAND,
    PIO,
    SCRIPT,
    SETUP,
    SETUPS,
    SPOT,
    words_of,
)
from equilibrist.storage.kinds.recognition import kind_of_text
from equilibrist.storage.plain_file import read_text_file
from equilibrist.storage.replaceable import foreign_file


class Form(NamedTuple):
    """A form of set-ups that is written.

    Attributes:
        kind: The kind of its files.
        write: From a spot, its text.
    """

    kind: str
    write: Callable[[Spot], str]


FORMS: Final = {
    "pio": Form(PIO, pio_text),
    "pio-script": Form(SCRIPT, upi_text),
    "texassolver": Form(SCRIPT, texas_text),
    "wasm": Form(SETUP, wasm_text),
    "toml": Form(SPOT, Spot.to_toml),
}
"""What `write_setup` writes, by name."""


_TEXT: Final = Path("text")
"""What stands for the file in errors on a text without one."""


def split_name(path: Path) -> tuple[Path, str | None]:
    """The file and the name of FILE#NAME; any other path, and that of a file, as it is."""
    text = str(path)
    if "#" in text and not os.path.exists(path):  # noqa: PTH110 - no error
        last, _, name = text.rpartition("#")
        if os.path.exists(last):  # noqa: PTH110 - the name of the file may have such a sign, too
            return Path(last), name
        file, _, name = text.partition("#")
        return Path(file), name
    return path, None


def read_setup(path: str | os.PathLike[str], **changes: Any) -> SetUp:
    """Read a spot from a file of another solver, or from a spot file.

    Takes tree configurations (`#Key#Value`) and scripts of PioSOLVER, console input of TexasSolver,
    and set-ups of WASM Postflop and Desktop Postflop in JSON, whatever they are called.

    Args:
        path: The file; FILE.json#NAME for one of several configurations.
        **changes: Keys of the spot that override those of the file, or that it lacks.

    Returns:
        The spot, and what it does not have of the file.

    Raises:
        FileFormatError: The file cannot be read, or a line of it; the error has line and key.
        ConfigError: A value is invalid or missing, and so are UnknownNameError and NotationError.
    """
    file, name = split_name(file_name("path", path))
    kind = file_kind(file)
    if kind not in SETUPS:
        return SetUp(Spot.from_toml(path, **changes), "a spot file")
    return _read(read_text_file(file), kind, file, changes, name)


def read_setup_text(text: str, name: str | None = None, **changes: Any) -> SetUp:
    """Read a spot from the text of a file of another solver, or of a spot file.

    Args:
        text: The text.
        name: The name of one of several configurations.
        **changes: Keys of the spot that override those of the text, or that it lacks.

    Returns:
        The spot, and what it does not have of the text.

    Raises:
        FileFormatError: The text cannot be read, or a line of it; the error has line and key.
        ConfigError: A value is invalid or missing, and so are UnknownNameError and NotationError.
    """
    text = instance("text", text, str, "the text of a file").removeprefix("\ufeff")
    kind = kind_of_text(text)
    is_object = kind not in (SPOT, HAND) and text.lstrip().startswith("{")
    if kind in SETUPS or is_object:  # what is no JSON, its reader says
        return _read(text, kind, _TEXT, changes, name)
    try:
        keys = parse_spot(text)
    except (ValueError, RecursionError) as error:
        raise FileFormatError(
            f"the text is no spot file in TOML, and no set-up of another solver: {error}",
            _TEXT,
            option="text",
            expected="a spot file, or a set-up of PioSOLVER, TexasSolver or WASM Postflop",
            remedy="give the text of such a file as it is",
        ) from None
    return SetUp(Spot(**keys | changes), "a spot file")


def _read(
    text: str, kind: str | None, file: Path, changes: Mapping[str, Any], name: str | None
) -> SetUp:
    """Read a text of one of the kinds in `SETUPS`."""
    if kind == PIO:
        return read_pio(text, file, changes)
    if kind == SCRIPT:
        return read_script(text, file, changes)
    return read_wasm(text, file, changes, name)


def setup_text(spot: Spot, form: str) -> str:
    """A spot as the text of a file of another solver.

    Args:
        spot: The spot.
        form: `pio`, `pio-script`, `texassolver`, `wasm` or `toml`.

    Returns:
        The text.

    Raises:
        UnknownNameError: There is no such form.
        ConfigError: Files of this form cannot say all of the spot.
    """
    instance("form", form, str, f"one of {', '.join(FORMS)}")
    if form.lower() not in FORMS:
        raise UnknownNameError("form", form, [*FORMS])
    return FORMS[form.lower()].write(checked_spot(spot))


def write_setup(spot: Spot, path: str | os.PathLike[str], form: str) -> Path:
    """Write a spot as a file of another solver.

    A file that exists is replaced if it is of the same form.

    Args:
        spot: The spot.
        path: The file.
        form: `pio`, `pio-script`, `texassolver`, `wasm` or `toml`.

    Returns:
        The file.

    Raises:
        UnknownNameError: There is no such form.
        ConfigError: Files of this form cannot say all of the spot.
        OutputError: The file cannot be written, or it holds something else.
    """
    file = file_name("path", path)
    text = setup_text(spot, form)
    check_setup_file(file, form)
    write_bytes(file, text.encode())
    return file


def check_setup_file(file: Path, form: str) -> None:
    """Refuse now what `write_setup` could not write.

    Args:
        file: The file.
        form: The form, which is known.

    Raises:
        OutputError: The file cannot be written, or it holds something else.
    """
    check_writable(file)
    kind = FORMS[form.lower()].kind
    target = resolved(file)
    with failures(target):
        there = file_kind(target) if target.is_file() else EMPTY
        if there not in (kind, EMPTY) or (there == SPOT and not _holds_spot(target)):
            raise foreign_file(file, words_of(kind), "out")


def _holds_spot(file: Path) -> bool:
    """Whether a file that is called a spot file has the keys of one."""
    try:
        keys = read_spot_file(file)
    except FileFormatError:
        return False
    return bool(keys) and {*keys} <= {*Spot.model_fields}
