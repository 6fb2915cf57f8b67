"""Parameters of commands, made from options as data: type, spelling, help, group, how to read."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import is_dataclass
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Final, get_type_hints

import typer

from equilibrist.cli.completion.values import BY_FIELD, BY_KIND
from equilibrist.cli.text.output import call
from equilibrist.library.names import is_name, stored_file
from equilibrist.options.defaults import FIXED_OPPONENTS
from equilibrist.options.option import Kind, Option, Options, options_of
from equilibrist.options.reading import read_all

_TYPES: Final[dict[Kind, Any]] = {
    "file": Path,
    "real number": float,
    "solution": Path,
    "switch": bool,
    "texts": list[str],
    "whole numbers": list[str],
}
"""The types that Typer converts; other kinds stay text until the command begins."""
_PLAYERS: Final = ("human", "person", "ai", "uniform", *FIXED_OPPONENTS)


def file_name(text: str) -> Path:
    """The path an option gives; an empty one, which pathlib takes for this folder, is refused.

    So is the name of a stored solution, which would not be found under it later.
    """
    if not text:
        raise typer.BadParameter("the name of the file is empty (an unset variable, perhaps)")
    if is_name(text):
        raise typer.BadParameter(
            f"{text} is the name of a stored solution; a file of that name is ./{text}"
        )
    return Path(text)


def file_called(text: str) -> Path | None:
    """The file that `last`, `last-2`, ... means, shown by that name from now on; else None.

    Raises ConfigError where so many solutions are not stored.
    """
    file = stored_file(text)
    if file is not None:
        call(file, text)
    return file


def word_called(text: str) -> str:
    """The file of `last`, `last-2`, ... as a word; any other word as it is.

    It may be a game, an algorithm, or uniform.
    """
    file = file_called(text)
    return text if file is None else str(file)


def player_called(text: str) -> str:
    """Who plays: ai, uniform, a person, in any case of letters; else as `word_called`.

    A file of such a name is meant where there is one.
    """
    folded = text.casefold()
    return folded if folded in _PLAYERS and not Path(text).exists() else word_called(text)


def solution_name(text: str) -> Path:
    """The file of a solution, which may be a stored one: `last`, `last-2`; else ConfigError."""
    return file_called(text) or file_name(text)


_PARSERS: Final[dict[Kind, Callable[[str], object]]] = {
    "contestant": player_called,
    "file": file_name,
    "solution": solution_name,
}


def described(name: str, option: Option) -> Any:
    """Describe to Typer the option that is the field `name`."""
    text = option.help
    if option.default_text:
        text += f"  [default: {option.default_text}]"
    return typer.Option(
        *option.flags_of(name),
        metavar=option.placeholder,
        parser=_PARSERS.get(option.kind),
        autocompletion=BY_KIND.get(option.kind) or BY_FIELD.get(name),
        show_default=option.default is not None,
        help=text,
        rich_help_panel=option.group,
    )


def parameter(name: str, option: Option) -> inspect.Parameter:
    """The parameter of a command for the field `name`."""
    kind: Any = _TYPES.get(option.kind, str)
    default: Any = option.default
    if option.kind == "choice":
        make: Any = StrEnum  # type checkers know it by literals alone
        kind = make(name, {choice.replace("-", "_"): choice for choice in option.choices})
        default = None if default is None else kind(default)
    elif option.kind == "switch" and not any("/" in flag for flag in option.flags):
        default = False
    if option.required:
        default = inspect.Parameter.empty
    elif default is None:
        kind |= None
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind, described(name, option)],
    )


def takes(
    options: Options, into: str, **names: Any
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command a parameter for each of `options` in place of its parameter `into`.

    What they were given is passed there as a dict by the names of the fields, as `read_all` reads
    it. All other parameters keep their types and defaults; for `names` see `parameters_of`.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def with_options(*args: Any, **values: Any) -> None:
            typed = {name: values.pop(name) for name in options}
            command(*args, **values, **{into: read_all(options, typed)})

        added = [parameter(name, option) for name, option in options.items()]
        own = parameters_of(command, **names)
        place = next(i for i, declared in enumerate(own) if declared.name == into)
        set_parameters(with_options, [*own[:place], *added, *own[place + 1 :]])
        return with_options

    return decorate


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command a parameter for each option of its parameters that are dataclasses of options.

    What was typed is passed as such dataclasses, as `read_all` reads it. All other parameters keep
    their types and defaults.
    """
    own = parameters_of(command)
    groups: dict[str, Any] = {
        known.name: known.annotation for known in own if is_dataclass(known.annotation)
    }
    tables = {into: options_of(group) for into, group in groups.items()}

    @wraps(command)
    def with_groups(**values: Any) -> None:
        others = {known.name: values[known.name] for known in own if known.name not in groups}
        chosen = {into: group(**read_all(tables[into], values)) for into, group in groups.items()}
        command(**others, **chosen)

    listed: list[inspect.Parameter] = []
    for known in own:
        table = tables.get(known.name)
        listed += [known] if table is None else [parameter(*row) for row in table.items()]
    set_parameters(with_groups, listed)
    return with_groups


def parameters_of(command: Callable[..., None], **names: Any) -> list[inspect.Parameter]:
    """The parameters of a command, with their types.

    `names` are what those mean that its module imports for type checkers only.
    """
    module = {**inspect.getmodule(command).__dict__, **names}
    hints = get_type_hints(command, globalns=module, include_extras=True)
    return [
        parameter.replace(annotation=hints[parameter.name])
        for parameter in inspect.signature(command).parameters.values()
    ]


def set_parameters(command: Callable[..., None], parameters: list[inspect.Parameter]) -> None:
    """Give `command` a signature with these parameters, all of them by keyword."""
    by_keyword = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters
    ]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in by_keyword} | {
        "return": None
    }
    command.__signature__ = inspect.Signature(by_keyword)  # type: ignore[attr-defined]
