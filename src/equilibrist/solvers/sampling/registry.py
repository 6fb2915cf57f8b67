"""The registry of samplers: from `external` or `outcome(epsilon=0.4)` to a sampler."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Final, cast

from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.parsing.call_text import Reader, format_spec, unreadable
from equilibrist.parsing.user_code import named_parameters, refuse_parameters
from equilibrist.solvers.sampling.own import OwnSampler
from equilibrist.solvers.sampling.samplers import SAMPLERS, Sampler
from equilibrist.solvers.sampling.user import load_sampler, names_file

_NAME: Final = re.compile(r"[^()\s]+")

_OWN_HINT: Final = "(or my.py:MySampler)"
_REASONS: Final[dict[str, str]] = {
    "baseline": "a baseline corrects the draw of one action or outcome",
    "prune": "pruning skips some of the own actions where all of them would be walked",
}
"""Why a parameter means something with some samplers only."""


@dataclass(frozen=True)
class SamplerParameter:
    """A parameter of a sampler and its usual value."""

    name: str
    default: Any


def sampler_parameters(name: str) -> tuple[SamplerParameter, ...]:
    """The parameters of the sampler of that name, in order."""
    parameters = []
    for item in fields(_class(name)):
        default = item.default if item.default_factory is MISSING else item.default_factory()
        parameters.append(SamplerParameter(item.name, default))
    return tuple(parameters)


def parameters_of(sampler: Sampler) -> tuple[SamplerParameter, ...]:
    """The parameters of a sampler, of the user's own too, and their usual values; in order."""
    if not isinstance(sampler, OwnSampler):
        return sampler_parameters(sampler.name)
    return tuple(
        SamplerParameter(name, None if declared.default is declared.empty else declared.default)
        for name, declared in (named_parameters(type(sampler)) or {}).items()
        if declared.kind is not declared.VAR_KEYWORD
    )


def sampler_use(name: str) -> str:
    """When to use the sampler of that name, in a few words."""
    return cast("str", getattr(_class(name), "when", ""))


def get_sampler(spec: str, parameters: Mapping[str, Any] | None = None) -> Sampler:
    """The sampler that a string names: `outcome`, `outcome(epsilon=0.4)`, `my.py:MySampler`.

    `parameters` are further ones by name; None among them leaves a parameter as it is. Case and
    `_` for `-` do not matter. Raises UnknownNameError with suggestions for the name, ConfigError
    for a parameter that the sampler does not have, that is given twice or out of range, and what
    `load_sampler` raises.
    """
    if not isinstance(spec, str):
        raise bad_argument("sampler", spec, "a name, such as 'external', or a sampler")
    if names_file(spec):
        refuse_parameters(spec, "sampler", _given(parameters), ConfigError)
        return load_sampler(spec)
    reader = Reader(spec, "sampler", unreadable("sampler"))
    written = reader.take(_NAME, "expected a name, such as external or outcome(epsilon=0.4)")
    name = written.lower().replace("_", "-")
    if name not in SAMPLERS:
        raise UnknownNameError("sampler", written, tuple(SAMPLERS), _OWN_HINT)
    known = {p.name for p in sampler_parameters(name)}
    values: dict[str, Any] = {**reader.parameters()[0]}
    for key, value in (parameters or {}).items():
        if value is None:
            continue
        if key in values:
            raise ConfigError(
                f"{key} is given twice, in {spec!r} and apart",
                option=key,
                given=spec,
                remedy="give it once",
            )
        values[key] = value
    for key in values:
        if key not in known:
            has = f"it has {', '.join(sorted(known))}" if known else "it has no parameters"
            raise ConfigError(
                f"{key} has no meaning with {name} sampling: {has}{_reason(key)}",
                option=key,
                place=name,
                expected=", ".join(sorted(known)) or "no parameters",
            )
    sampler: Sampler = _class(name)(**values)
    return sampler


def sampler_spec(sampler: Sampler) -> str:
    """The shortest string that names the sampler again, with the parameters that are unusual.

    A sampler of the user's own that no file defines is called by its name alone.
    """
    if isinstance(sampler, OwnSampler):
        return sampler.spec or sampler.name
    changed = {
        p.name: value
        for p in sampler_parameters(sampler.name)
        if (value := getattr(sampler, p.name)) != p.default
    }
    return format_spec(sampler.name, changed)


def _reason(key: str) -> str:
    if key not in _REASONS:
        return ""
    holders = [name for name in SAMPLERS if key in {p.name for p in sampler_parameters(name)}]
    return f"; {_REASONS[key]}, as with {', '.join(holders)}"


def _given(parameters: Mapping[str, Any] | None) -> list[str]:
    return [name for name, value in (parameters or {}).items() if value is not None]


def _class(name: str) -> type:
    try:
        return SAMPLERS[name]
    except KeyError:
        raise UnknownNameError("sampler", name, tuple(SAMPLERS), _OWN_HINT) from None
