"""Options in error messages by the flags that were typed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

_NAMED = re.compile(r"^[a-z_]+(?= (?:is|has|needs) )", re.MULTILINE)
"""A message that complains of an option begins with its name in Python."""
_OTHERWISE = {"shared": "shared_table"}
"""Options by another name on the command line than in Python."""


def as_typed(message: str, commands: Any, given: Sequence[str]) -> str:
    """`message` with the options at the beginnings of its lines as flags, if these were typed.

    `commands` is the command-line group and `given` the words that were typed. What was written
    in another way, as a parameter in brackets, keeps its name.
    """
    command = commands
    for word in given:
        command = getattr(command, "commands", {}).get(word, command)
    typed = {word.partition("=")[0] for word in given}
    flags = {
        option.name: max(option.opts, key=len)
        for option in command.params
        if typed & {*option.opts}
    }

    def flag(found: re.Match[str]) -> str:
        return str(flags.get(_OTHERWISE.get(found[0], found[0]), found[0]))

    return _NAMED.sub(flag, message)
