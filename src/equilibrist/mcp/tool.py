"""What a tool is: a name, what it does, its arguments, and what answers."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.formatting.escaping import repr_short
from equilibrist.mcp.workspace import Workspace
from equilibrist.web.errors import expected_by, name_of_field

Document = dict[str, Any]
MOST_WAIT: Final = 50.0
"""The most seconds that a tool waits for a job: clients give up after a minute."""
_LISTS = {"jobs": "list_jobs", "solutions": "list_solutions", "games": "list_games"}
_ONE = {"jobs": "job_status", "games": "list_games"}
_ADDRESS = re.compile(r"/api/(\w+)((?:/[\w{}.-]*[\w{}])*)")


class Arguments(BaseModel):
    """The arguments of a tool; others are refused."""

    model_config = ConfigDict(extra="forbid")


class NothingArguments(Arguments):
    """No arguments."""


class Tool(NamedTuple):
    """A tool.

    Attributes:
        name: What it is called by.
        text: What it does, for the assistant.
        arguments: Its arguments.
        answer: Gives its answer, a document; of a function that is no coroutine in a thread.
        reads_only: Whether it changes nothing.
    """

    name: str
    text: str
    arguments: type[Arguments]
    answer: Callable[[Workspace, Any], Document | Awaitable[Document]]
    reads_only: bool = True

    def read(self, given: Mapping[str, Any] | None) -> Arguments:
        """Read arguments.

        Args:
            given: What a client sent.

        Returns:
            The arguments.

        Raises:
            UnknownNameError: There is no such argument.
            ConfigError: One is missing, or is none.
        """
        known = [*self.arguments.model_fields]
        for name in given or {}:
            if name not in known:
                raise UnknownNameError(f"argument of {self.name}", name, known, option="arguments")
        try:
            return self.arguments.model_validate(given or {})
        except ValidationError as error:
            first = error.errors()[0]
            name = name_of_field(given or {}, first)
            if first["type"] == "missing":
                raise ConfigError(
                    f"{self.name} needs the argument {name}",
                    option=name,
                    remedy=f"give {name}: {self.arguments.model_fields[name].description}",
                ) from None
            expected = expected_by(first)
            raise ConfigError(
                f"{name} of {self.name} is {repr_short(first['input'])}; expected {expected}",
                option=name,
                given=first["input"],
                expected=expected,
            ) from None


def _tool_of(what: str, one: str) -> str:
    """The tool that tells what a request does: of all of its kind, or of `one` below them."""
    return (_ONE if one else _LISTS).get(what, "look_up")


def in_words_of_tools(value: Any) -> Any:
    """Texts of the browser's server in which its addresses are replaced by tools.

    Args:
        value: A text, or a document with texts.
    """
    if isinstance(value, str):
        text = _ADDRESS.sub(lambda match: f"`{_tool_of(*match.groups())}`", value)
        return text.replace("equilibrist serve", "equilibrist mcp").replace("browser", "server")
    if isinstance(value, dict):
        return {key: in_words_of_tools(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [in_words_of_tools(entry) for entry in value]
    return value


def small(value: Any) -> Any:
    """A document without what is not known, and with six significant digits of numbers."""
    if isinstance(value, float):
        return float(f"{value:.6g}") if abs(value) < float("inf") else None
    if isinstance(value, dict):
        return {key: small(entry) for key, entry in value.items() if entry is not None}
    if isinstance(value, list | tuple):
        return [small(entry) for entry in value]
    return value
