"""Options of earlier versions: some are still read, for others the error names the replacement."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import Final

_PARAMETERS: Final = {
    "--baseline": "outcome",
    "--beta": "average-strategy",
    "--epsilon": "outcome",
    "--k": "robust",
    "--tau": "average-strategy",
}
"""Parameters of samplers, each with one sampler that has it."""
_RENAMED: Final = {"--variant": "--algorithm"}

_STILL_READ: Final = {("evaluate", "--hands"): "--deals", ("match", "--hands"): "--deals"}
"""Spellings that help texts list no more, by command."""


def respelt(arguments: Sequence[str]) -> list[str]:
    """The words of a command line with today's spelling of options that are still read."""
    words = []
    for word in arguments:
        flag, sign, value = word.partition("=")
        words.append(_STILL_READ.get((arguments[0], flag), flag) + sign + value)
    return words


def as_spelt(message: str, arguments: Sequence[str]) -> str:
    """A message with the spelling that was typed of options that are still read.

    Args:
        message: The message, in today's spelling.
        arguments: The words of the command line, as they were typed.

    Returns:
        The message.
    """
    for (command, old), today in _STILL_READ.items():
        flags = {word.partition("=")[0] for word in arguments}
        if command in arguments[:1] and old in flags and today not in flags:
            message = re.sub(rf"{today}(?![\w-])", old, message)
    return message


def instead(flag: str, words: Sequence[str]) -> str | None:
    """Replace `flag` in the words of a command line; None if no version had it."""
    values = _values(words)
    if flag in _RENAMED:
        return shlex.join([_RENAMED[flag], values.get(flag, "NAME")])
    if flag not in _PARAMETERS:
        return None
    sampler = values.get("--sampler", values.get("-s", _PARAMETERS[flag]))
    name, _, parameters = sampler.rstrip(")").partition("(")
    parameter = flag.removeprefix("--")
    if not _has(name, parameter):
        name, parameters = _PARAMETERS[flag], ""
    own = f"{parameter}={values.get(flag, 'X')}"
    inside = f"{parameters},{own}" if parameters else own
    return f'--sampler "{name}({inside})"'


def _has(sampler: str, parameter: str) -> bool:
    """Whether the sampler of that name has the parameter."""
    from equilibrist.solvers.sampling.registry import sampler_parameters
    from equilibrist.solvers.sampling.samplers import SAMPLERS

    name = sampler.strip().lower().replace("_", "-")
    return name in SAMPLERS and parameter in {p.name for p in sampler_parameters(name)}


def _values(words: Sequence[str]) -> dict[str, str]:
    """The words behind flags, by flag."""
    values = dict(zip(words, words[1:], strict=False))
    values |= {flag: value for flag, sign, value in (word.partition("=") for word in words) if sign}
    return {flag: value for flag, value in values.items() if flag.startswith("-")}
