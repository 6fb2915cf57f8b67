"""The arguments of a source of abstractions: `JQ.K,pair` of `cards(JQ.K,pair)`."""

from __future__ import annotations

from dataclasses import dataclass, field

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import bad_argument


@dataclass(frozen=True)
class Arguments:
    """Texts between commas, some of them with a name.

    Attributes:
        source: The name of the source, for messages.
        text: All that stands in brackets.
        form: How the source is written.
    """

    source: str
    text: str = ""
    form: str = ""
    _plain: tuple[str, ...] = field(init=False, repr=False)
    _named: dict[str, str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Split the text at its commas."""
        plain: list[str] = []
        named: dict[str, str] = {}
        for part in self.text.split(",") if self.text.strip() else []:
            name, equals, value = (piece.strip() for piece in part.partition("="))
            if not name or (equals and not value):
                raise self.refuse(part.strip())
            if equals:
                named[name] = value
            else:
                plain.append(name)
        object.__setattr__(self, "_plain", tuple(plain))
        object.__setattr__(self, "_named", named)

    def read(self, *order: str, flags: tuple[str, ...] = ()) -> dict[str, str]:
        """The arguments by name; those without a name are `order`, in order, or flags.

        A flag that is given has the value "true". ConfigError for any other argument.
        """
        by_name: dict[str, str] = {}
        waiting = list(order)
        for part in self._plain:
            if part in flags:
                by_name[part] = "true"
            elif waiting:
                by_name[waiting.pop(0)] = part
            else:
                raise self.refuse(part)
        for name, value in self._named.items():
            if name not in order or name in by_name:
                raise self.refuse(f"{name}={value}")
            by_name[name] = value
        return by_name

    def whole(self, values: dict[str, str], name: str, least: int, most: int | None = None) -> int:
        """One of the arguments as a whole number; ConfigError if it is none, or missing."""
        text = values.get(name)
        if text is not None and text.isascii() and text.isdecimal() and len(text) < 10:
            number = int(text)
            if number >= least and (most is None or number <= most):
                return number
        limits = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise self.refuse(text, f"{name}, a whole number {limits}")

    def refuse(self, argument: str | None, expected: str | None = None) -> ConfigError:
        """The error for an argument that is wrong, or missing (`argument` is None)."""
        return bad_argument(
            "abstraction",
            argument,
            expected or f"arguments as in {self.form or self.source}",
            label=f"an argument of {self.source}",
            place=f"{self.source}({self.text})",
        )
