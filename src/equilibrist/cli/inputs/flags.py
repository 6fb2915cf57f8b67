"""Options in error messages by the flags that were typed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

_NAMED = re.compile(r"^[a-z_]+(?= (?:is|has|needs) )", re.MULTILINE)
"""A message that complains of an option begins with its name in Python."""


def as_typed(message: str, commands: Any, given: Sequence[str]) -> str:
    """`message` with the options at the beginnings of its lines as flags, if these were typed.

    `commands` is the command-line group and `given` the words that were typed. What was written
    in another way, as a parameter in brackets, keeps its name.
    """
    command = commands
    for word in given:
        command = getattr(command, "commands", {}).get(word, command)
    typed = {word.partition("=")[0] for word in given}
    flags = {}
    for option in command.params:
        for spellings in (option.opts, option.secondary_opts):  # --alternating, --simultaneous
            if typed & {*spellings}:
                flags[option.name] = max(spellings, key=len)

    def flag(found: re.Match[str]) -> str:
        return str(flags.get(found[0], found[0]))

    return _NAMED.sub(flag, message)
