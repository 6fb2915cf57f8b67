"""Option: the description of one option, and the conversion of its text to a value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

Kind = Literal[
    "amount",
    "choice",
    "chips",
    "count",
    "file",
    "memory",
    "number",
    "solution",
    "switch",
    "text",
    "texts",
    "time",
    "whole number",
]
"""How the text of an option becomes a value: `count` reads 1e6, `time` 10m, `memory` 4GB.

A `solution` is a file, or on the command line the name of a stored one.
"""

METAVARS: Final[dict[Kind, str]] = {
    "amount": "CHIPS",
    "chips": "CHIPS",
    "count": "N",
    "file": "FILE",
    "memory": "SIZE",
    "number": "X",
    "solution": "FILE",
    "text": "NAME",
    "texts": "NAME",
    "time": "TIME",
    "whole number": "N",
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
    """One option of a run or of a spot.

    Attributes:
        kind: How its text becomes a value.
        group: The heading under which help texts list it.
        help: What it does, as sentences.
        metavar: What stands for its value in help texts; empty for that of its kind.
        default: The text that is read where the option is not given; None for no value.
        default_text: What holds then, in words, where no single value says it.
        flags: How it is spelt on the command line; empty for `--name-of-field`.
        choices: The values of a `choice`.
    """

    kind: Kind
    group: str
    help: str
    metavar: str = ""
    default: str | None = None
    default_text: str = ""
    flags: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()

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
