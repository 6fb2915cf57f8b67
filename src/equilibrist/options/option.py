"""Option: the description of one option, and the conversion of its text to a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, Literal

Kind = Literal[
    "amount",
    "choice",
    "chips",
    "contestant",
    "count",
    "file",
    "memory",
    "number",
    "real number",
    "solution",
    "switch",
    "text",
    "texts",
    "time",
    "training",
    "whole number",
    "whole numbers",
]
"""How the text of an option becomes a value: `count` reads 1e6, `time` 10m, `memory` 4GB.

A `number` is above 0, a `real number` is any. A `solution` is a file, or on the command line the
name of a stored one; a `contestant` one of them, uniform, or an algorithm; a `training` is an
algorithm that trains networks. `texts` and `whole numbers` may be given several times, numbers
also with commas between them.
"""

METAVARS: Final[dict[Kind, str]] = {
    "amount": "CHIPS",
    "chips": "CHIPS",
    "contestant": "FILE",
    "count": "N",
    "file": "FILE",
    "memory": "SIZE",
    "number": "X",
    "real number": "X",
    "solution": "FILE",
    "text": "NAME",
    "texts": "NAME",
    "time": "TIME",
    "training": "NAME",
    "whole number": "N",
    "whole numbers": "N",
}
"""What stands for a value in help texts, by kind."""

ALGORITHM: Final = "Algorithm"
STOPPING: Final = "Stopping"
SAMPLING: Final = "Sampling"
THREADS: Final = "Threads"
FILES: Final = "Files"
LIMITS: Final = "Limits"
DISPLAY: Final = "Display"
"""Groups under which help texts list options; other groups are named where they are used."""


@dataclass(frozen=True)
class Option:
    """One option of a run, of a spot or of a command.

    Attributes:
        kind: How its text becomes a value.
        group: The heading under which help texts list it.
        help: What it does, as sentences.
        metavar: What stands for its value in help texts; empty for that of its kind.
        default: The text that is read where the option is not given; None for no value.
        default_text: What holds then, in words, where no single value says it.
        flags: How it is spelt on the command line; empty for `--name-of-field`.
        choices: The values of a `choice`.
        least: The least number that is allowed; None for no limit but that of the kind.
        required: Whether the command line must give it.
        make_default: Makes the value where the option is not given; None for no value.
    """

    kind: Kind
    group: str
    help: str
    metavar: str = ""
    default: str | None = None
    default_text: str = ""
    flags: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    least: int | None = None
    required: bool = False
    make_default: Callable[[], object] | None = None

    def flags_of(self, name: str) -> tuple[str, ...]:
        """Spell the option of the field `name`: `--max-depth` of `max_depth`."""
        return self.flags or (f"--{name.replace('_', '-')}",)

    @property
    def placeholder(self) -> str | None:
        """What stands for its value in help texts; None for switches and choices."""
        return self.metavar or METAVARS.get(self.kind)


Options = Mapping[str, Option]
"""Options by the names of their fields, in the order of help texts."""


def choose(options: Options, names: Iterable[str], **helps: str) -> dict[str, Option]:
    """Some of `options`; `helps` are other help texts for some of them."""
    chosen = {name: options[name] for name in names}
    return chosen | {name: replace(chosen[name], help=text) for name, text in helps.items()}


_ROW: Final = "option"


def declare(kind: Kind, group: str, help_text: str, **rest: Any) -> Any:
    """A field of a dataclass that holds the values of options; `rest` are fields of Option.

    The type of the field is that of the value: `seat: int = declare("whole number", ...)`.
    """
    return shared(Option(kind, group, help_text, **rest))


def shared(row: Option, **changes: Any) -> Any:
    """A field, as `declare` makes it, for an option that several dataclasses have."""
    return field(metadata={_ROW: replace(row, **changes)})


def options_of(group: type) -> dict[str, Option]:
    """The options that the fields of a dataclass hold the values of."""
    return {entry.name: entry.metadata[_ROW] for entry in fields(group)}


def by_flag(values: Any, *names: str) -> dict[str, Any]:
    """The values of these fields of a dataclass of options, by the flags of their options."""
    table = options_of(type(values))
    return {
        table[name].flags_of(name)[0].partition("/")[0]: getattr(values, name) for name in names
    }
