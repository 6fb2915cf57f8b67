"""Declarations of the shipped games' parameters, as dataclass fields, with their checks.

A game is a frozen dataclass derived from `NamedGame`; each public field is made by `parameter`.
From that one declaration come the checks, the canonical name and what `games` prints.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, field
from typing import Any, ClassVar, Final

from equilibrist.errors import GameSpecError
from equilibrist.formatting.documents import document
from equilibrist.parsing.call_text import format_spec, format_value

REQUIRED: Final = "required"
"""The default of a parameter that a game string must give."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a game: its name, its values and what it means.

    Attributes:
        name: What it is called in the text of a game.
        kind: One of integer, integers (one, or a list of them), number, flag, choice, text and
            list.
        default: The value where it is left out, or `REQUIRED`; None where it depends on others.
        doc: What it means.
        minimum: The least value of a number.
        maximum: The greatest value of a number.
        choices: The values of a choice.
        default_text: How a default that depends on others is found.
    """

    name: str
    kind: str
    default: Any
    doc: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    default_text: str = ""
    attribute: str = ""
    """The game's own field, where a method of the protocol already has the parameter's name."""

    def to_dict(self) -> dict[str, Any]:
        """Describe the parameter as plain texts, numbers and lists.

        Returns:
            What `equilibrist games GAME --json` prints of it.
        """
        return {
            **document(self, "name kind"),
            "default": self.written_default,
            **document(self, "minimum maximum choices"),
            "meaning": self.doc,
        }

    @property
    def expected(self) -> str:
        """The allowed values in words, for instance `an integer from 2 to 10`."""
        if self.kind == "choice":
            return "one of " + ", ".join(self.choices)
        noun = {
            "integer": "an integer",
            "integers": "an integer, or a list of integers, each",
            "number": "a number",
            "flag": "true or false",
        }
        words = noun.get(self.kind, f"a {self.kind}")
        low, high = self.minimum, self.maximum
        if low is not None and high is not None:
            return f"{words} from {format_value(low)} to {format_value(high)}"
        if low is not None:
            return f"{words} of at least {format_value(low)}"
        return words

    @property
    def written_default(self) -> str:
        """The default as a game string has it, or `required`."""
        if self.default is REQUIRED:
            return REQUIRED
        return self.default_text or format_value(self.default)

    def check(self, value: Any, game: str) -> Any:
        """The value in its own type.

        Args:
            value: What was given.
            game: The name of the game, for the message.

        Returns:
            The value.

        Raises:
            GameSpecError: If it is not allowed.
        """
        if value is None and self.default_text:
            return None
        coerced = self._coerced(value)
        if coerced is None:
            written = format_value(value) if _writable(value) else repr(value)
            raise GameSpecError(
                f"{game}: parameter {self.name!r} must be {self.expected}, got {written}",
                option=self.name,
                given=value,
                expected=self.expected,
            )
        return coerced

    def _coerced(self, value: Any) -> Any:
        match self.kind:
            case "flag":
                return value if isinstance(value, bool) else None
            case "choice":
                word = str(value).lower().replace("-", "_")
                return word if word in self.choices else None
            case "integer" | "number":
                return self._number(value)
            case "integers":
                return self._integers(value)
            case "text":
                return value if isinstance(value, str) else None
            case _:
                return _plain_list(value)

    def _integers(self, value: Any) -> Any:
        several = _plain_list(value)
        if several is None:
            return self._number(value)
        integers = tuple(self._number(v) for v in several)
        return None if None in integers or not integers else integers

    def _number(self, value: Any) -> int | float | None:
        if isinstance(value, bool | str | type) or getattr(value, "ndim", 0) != 0:
            return None
        if not hasattr(value, "__float__"):
            return None
        try:
            finite = math.isfinite(value)
        except OverflowError:  # a whole number beyond the range of floats
            return None
        if not finite:
            return None
        number = value if isinstance(value, int) else float(value)
        if number == int(number):
            number = int(number)  # so that 2 and 2.0 give one canonical name
        elif self.kind != "number":
            return None
        low = -math.inf if self.minimum is None else self.minimum
        high = math.inf if self.maximum is None else self.maximum
        return number if low <= number <= high else None


def parameter(
    kind: str,
    default: Any,
    doc: str,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    choices: Sequence[str] = (),
    default_text: str = "",
    name: str = "",
) -> Any:
    """A dataclass field that is a game parameter; the arguments are those of `Parameter`.

    `name` is the parameter's name where the field must be called otherwise.
    """
    facts = {
        "name": name,
        "kind": kind,
        "doc": doc,
        "minimum": minimum,
        "maximum": maximum,
        "choices": tuple(choices),
        "default_text": default_text,
    }
    if default is REQUIRED:
        return field(metadata={"parameter": facts})
    return field(default=default, metadata={"parameter": facts})


@dataclass(frozen=True)
class NamedGame:
    """Base of the games that come with Equilibrist: checked parameters and a canonical name.

    Raises `GameSpecError` naming the parameter, what was given and what was expected.
    """

    game_name: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    summary: ClassVar[str]

    def __post_init__(self) -> None:
        for declared in self.parameters():
            value = declared.check(getattr(self, declared.attribute), self.game_name)
            object.__setattr__(self, declared.attribute, value)
        for name, value in self.filled_in().items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)
        self.prepare()

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """The parameters that the class declares.

        Returns:
            One `Parameter` per parameter, in the order of the fields.
        """
        parameters: list[Parameter] = []
        for declared in dataclasses.fields(cls):
            if "parameter" in declared.metadata:
                facts = dict(declared.metadata["parameter"])
                facts["name"] = facts["name"] or declared.name
                facts["default"] = REQUIRED if declared.default is MISSING else declared.default
                parameters.append(Parameter(attribute=declared.name, **facts))
        return tuple(parameters)

    def filled_in(self) -> dict[str, Any]:
        """The values of parameters left out whose default depends on other parameters.

        Returns:
            {name of the parameter: value}.
        """
        return {}

    def prepare(self) -> None:
        """Check constraints between parameters, and precompute tables for the methods."""

    def remember(self, **values: Any) -> None:
        """Set derived fields of the frozen instance; for `prepare` only.

        Args:
            values: The fields by name.
        """
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def name(self) -> str:
        """The canonical game string: parameters that equal their default are left out."""
        dependent = self.filled_in()
        changed: dict[str, Any] = {}
        for declared in self.parameters():
            value = getattr(self, declared.attribute)
            if value != dependent.get(declared.name, declared.default):
                changed[declared.name] = value
        return format_spec(self.game_name, changed)

    def refuse(self, name: str, given: object, expected: str) -> GameSpecError:
        """The error for a parameter that contradicts another.

        Args:
            name: The parameter.
            given: Its value.
            expected: What it may be.

        Returns:
            The error, to be raised.
        """
        text = format_value(given) if _writable(given) else repr(given)
        return GameSpecError(
            f"{self.game_name}: parameter {name!r} must be {expected}, got {text}",
            option=name,
            given=given,
            expected=expected,
        )


def _plain_list(value: Any) -> Any:
    """Lists, tuples and arrays as nested tuples; None if it is none of these."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not isinstance(value, list | tuple):
        return None
    return tuple(_plain_item(v) for v in value)


def _plain_item(value: Any) -> Any:
    nested = _plain_list(value)
    if nested is not None:
        return nested
    if hasattr(value, "tolist"):
        return value.tolist()
    return value


def _writable(value: Any) -> bool:
    return isinstance(value, bool | int | float | str | list | tuple)
