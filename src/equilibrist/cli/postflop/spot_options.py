"""The options that describe a spot, the same for all commands of `equilibrist postflop`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, get_type_hints

import typer

from equilibrist.cli.inputs.parameters import file_name
from equilibrist.poker.spots.fields import NEEDED_KEYS, SPOT_KEYS

if TYPE_CHECKING:
    from equilibrist.poker.spots.spot import Spot

_METAVARS: Final = {
    "board": "CARDS",
    "oop": "RANGE",
    "ip": "RANGE",
    "pot": "CHIPS",
    "stack": "CHIPS",
    "min_bet": "CHIPS",
    "rake_cap": "CHIPS",
    "raise_cap": "N",
    "add_all_in": "SHARE",
    "force_all_in": "SHARE",
    "merge": "SHARE",
    "rake": "SHARE",
    "locks": "LOCK",
}
_NUMBERS: Final[dict[str, type]] = {
    "pot": int,
    "stack": int,
    "min_bet": int,
    "raise_cap": int,
    "rake_cap": float,
}
_LISTS: Final = {"added_lines": "--add-line", "removed_lines": "--remove-line", "locks": "--lock"}
_File = Annotated[
    Path | None,
    typer.Argument(
        metavar="SPOT",
        parser=file_name,
        show_default=False,
        help="A spot file (TOML); options go before its keys.",
    ),
]


def takes_spot(command: Callable[..., None]) -> Callable[..., None]:
    """The command with a spot file and an option for each key of a spot as its first arguments.

    Where it has an option `resume`, and that is given, the spot may be left out: it is then None;
    and options alone may change that of the checkpoint which `resume` names.
    Where `command.takes_solutions`, the file may be a saved solution, which is then passed.
    """

    @wraps(command)
    def with_options(**values: Any) -> None:
        from equilibrist.errors import ConfigError
        from equilibrist.poker.solutions.result import PostflopResult
        from equilibrist.poker.spots.spot import Spot

        file = values.pop("file")
        keys = {key: values.pop(key) for key in SPOT_KEYS}
        given = {key: _read(key, value) for key, value in keys.items() if value not in (None, [])}
        spot: Spot | PostflopResult | None = None
        if file is not None and getattr(command, "takes_solutions", False) and _is_solution(file):
            if given:
                named = ", ".join("--" + key.replace("_", "-") for key in given)
                raise ConfigError(
                    f"{file} is a spot that is solved already",
                    option=named,
                    given=file,
                    remedy=f"leave out {named}",
                )
            from equilibrist.poker.files.storage import load

            spot = load(file)
        elif file is not None:
            spot = Spot.from_toml(file, **given)
        elif given:
            spot = _changed(values.get("resume"), given)
        elif not values.get("resume"):
            raise ConfigError(
                "no spot",
                option="spot",
                remedy="give a spot file, or --board, --oop, --ip, --pot, --stack",
            )
        command(spot, **values)

    own = list(inspect.signature(command).parameters)[1:]
    hints = get_type_hints(command, globalns=hintable(command), include_extras=True)
    types = {"file": _File, **{key: _option(key) for key in SPOT_KEYS}}
    types |= {name: hints[name] for name in own}
    defaults = {name: inspect.signature(command).parameters[name].default for name in own}
    with_options.__annotations__ = {**types, "return": None}
    with_options.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=defaults.get(name),
                annotation=kind,
            )
            for name, kind in types.items()
        ]
    )
    return with_options


def _changed(checkpoint: object, given: dict[str, Any]) -> Spot:
    """The spot of these options; where they are no whole spot, that of the checkpoint with them."""
    from equilibrist.poker.solving.checkpoint import read_checkpoint
    from equilibrist.poker.spots.spot import Spot

    if isinstance(checkpoint, Path) and not NEEDED_KEYS.keys() <= given.keys():
        return read_checkpoint(checkpoint).spot.replace(**given)
    return Spot(**given)


def _is_solution(file: Path) -> bool:
    from equilibrist.storage.archive import kind_of

    try:
        return kind_of(file) is not None
    except OSError:
        return False


def _read(key: str, text: Any) -> Any:
    """A number where the key has one; what is none stays text, which `Spot` refuses by name."""
    with suppress(ValueError):
        return _NUMBERS.get(key, lambda other: other)(text)
    return text


def hintable(command: Callable[..., None]) -> dict[str, Any]:
    """The names of the command's module, with Spot, which is not loaded for this."""
    return {**inspect.getmodule(command).__dict__, "Spot": object}


def _option(key: str) -> Any:
    kind = list[str] if key in _LISTS else str
    names = [_LISTS.get(key, f"--{key.replace('_', '-')}")]
    names += ["--donk"] if key == "donks" else []
    text = SPOT_KEYS[key]
    return Annotated[
        kind | None,
        typer.Option(
            *names,
            metavar=_METAVARS.get(key, "LINE" if key in _LISTS else "SIZES"),
            show_default=False,
            help=f"{text[0].upper()}{text[1:]}.",
        ),
    ]
