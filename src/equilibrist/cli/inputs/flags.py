"""Options in error messages as they are typed on the command line.

Errors name options as Python does. `as_typed` finds them where a sentence begins with one
("iterations is 0", "bets: ..."), and in backquotes: `warm_start`, `sampling="external"`, or a
whole call, `solve("leduc", iterations=100)`.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from equilibrist.storage.kinds.file_kinds import KINDS

_FIRST: Final = re.compile(r"^[a-z_]+(?= (?:and|has|is|needs|says) )", re.MULTILINE)
_KEY: Final = re.compile(r"^[a-z_]+(?=: )", re.MULTILINE)
_QUOTED: Final = re.compile(r"`([^`\n]+)`")
_CALLED: Final = {
    "horizon": "iterations",
    "most": "trust",
    "pattern": "drill",
    "player": "seat",
    "risk": "safe",
    "sampling": "sampler",
    "seconds": "time",
    "share": "rnr",
}
"""Arguments of Python's functions and classes, and the options that give them."""
_COMMANDS: Final = {
    **{
        f"{row.opener}(path)": f"`equilibrist {' '.join(row.command).removesuffix(' FILE')}`"
        for row in KINDS.values()
        if row.opener
    },
    "load_result(path)": "`equilibrist inspect` (for a spot `equilibrist postflop show`)",
    "load_result(path).strategy": "`equilibrist inspect`",
    "load_result(path).evaluation": "`equilibrist evaluate`",
}
"""Calls whose commands have other names."""


def as_typed(message: str, commands: Any, words: Sequence[str], *, leading: bool = True) -> str:
    """`message` with the options of the command that was typed in its own spelling.

    `commands` is the command-line group and `words` the words that were typed. A parameter in
    brackets, as of `outcome(epsilon=0.4)`, keeps its name. `leading` says whether a sentence may
    begin with the name of an option: others than those of ConfigErrors begin with other names.
    """
    command = commands
    for word in words:
        command = _named(command, word) or command
    spelling = _Spelling(command, words)

    def first(match: re.Match[str]) -> str:
        inside = any(f"{match[0]}=" in word.partition("(")[2] for word in words)
        return match[0] if inside else spelling.flag(match[0]) or match[0]

    def quoted(match: re.Match[str]) -> str:
        return _written(match[1], commands, spelling) or match[0]

    def key(match: re.Match[str]) -> str:
        return (spelling.flag(match[0]) if spelling.is_typed(match[0]) else None) or match[0]

    message = _KEY.sub(key, message)
    if leading:
        message = _FIRST.sub(first, message)
    return _QUOTED.sub(quoted, message)


def _named(command: Any, name: str) -> Any:
    """The command of that name in a group of commands; None if there is none."""
    return command.get_command(None, name) if hasattr(command, "get_command") else None


class _Spelling:
    """How one command spells its options; of two spellings the one that was typed."""

    def __init__(self, command: Any, words: Sequence[str] = ()) -> None:
        self._options = {option.name: option for option in command.params}
        self._typed = {word.partition("=")[0] for word in words}

    def is_typed(self, name: str) -> bool:
        """Whether the option of that name is among the words that were typed."""
        option = self._options.get(name)
        return option is not None and bool(self._typed & {*option.opts, *option.secondary_opts})

    def flag(self, name: str) -> str | None:
        """The flag of an option, the metavar of an argument; None for what is neither."""
        option = self._options.get(name) or self._options.get(_CALLED.get(name, ""))
        if option is None:
            return None
        if option.param_type_name == "argument":
            return str(option.metavar)
        spellings = [option.opts, option.secondary_opts]  # --alternating, --simultaneous
        typed = [names for names in spellings if self._typed & {*names}]
        return str(max((typed or spellings)[0], key=len))

    def words(self, name: str | None, value: object) -> list[str]:
        """An option with its value; KeyError where there is no spelling for it."""
        option = self._options[name if name in self._options else _CALLED[f"{name}"]]
        if isinstance(value, bool):
            spellings = option.opts if value else option.secondary_opts
            if not spellings:
                raise KeyError(name)
            return [max(spellings, key=len)]
        return [max(option.opts, key=len), str(value)]


def _written(code: str, commands: Any, spelling: _Spelling) -> str | None:
    """Python's `code` as it is written on the command line; None if it has no equivalent."""
    if code.isidentifier():
        return spelling.flag(code)
    if code in _COMMANDS:
        return _COMMANDS[code]
    with suppress(SyntaxError, ValueError, KeyError, AttributeError):
        call = ast.parse(code if code.endswith(")") else f"_({code})", mode="eval").body
        assert isinstance(call, ast.Call)
        words = [str(ast.literal_eval(argument)) for argument in call.args]
        if (name := ast.unparse(call.func).rpartition(".")[2]) != "_":
            spelling = _Spelling(_named(commands, name))
            words = ["equilibrist", name, *words]
        for keyword in call.keywords:
            words += spelling.words(keyword.arg, ast.literal_eval(keyword.value))
        text = shlex.join(words)
        return text if name == "_" else f"`{text}`"
    return None
