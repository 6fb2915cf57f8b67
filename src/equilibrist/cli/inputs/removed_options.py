"""Options of earlier versions: some are still read, for others the error names the replacement."""

from __future__ import annotations

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


def respelt(given: Sequence[str]) -> list[str]:
    """The words of a command line with today's spelling of options that are still read."""
    words = []
    for word in given:
        flag, sign, value = word.partition("=")
        words.append(_STILL_READ.get((given[0], flag), flag) + sign + value)
    return words


def instead(flag: str, given: Sequence[str]) -> str | None:
    """What replaces `flag` in the words that were given; None if no version had it."""
    values = _values(given)
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


def _values(given: Sequence[str]) -> dict[str, str]:
    """The words behind flags, by flag."""
    found = dict(zip(given, given[1:], strict=False))
    found |= {flag: value for flag, sign, value in (one.partition("=") for one in given) if sign}
    return {flag: value for flag, value in found.items() if flag.startswith("-")}
