"""Samplers in users' files: `my.py:MySampler` names a subclass, an instance or a function."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from types import FunctionType
from typing import Final

from equilibrist.errors import ConfigError
from equilibrist.game import METHODS
from equilibrist.games.spec import parse_spec
from equilibrist.parsing.call_text import format_spec, unreadable
from equilibrist.parsing.user_code import (
    Meant,
    build_object,
    line_of,
    load_object,
    names_with_methods,
    public_names,
    refuse_bare_file,
)
from equilibrist.solvers.sampling.own import OwnSampler
from equilibrist.solvers.sampling.own_mistakes import refuse_class

_FILE: Final = re.compile(r"[^()]*\.py\s*(:|\(|$)")
_NAMED: Final = re.compile(r"(?P<path>.+?\.py):(?P<name>[A-Za-z_]\w*)", re.DOTALL)
_BARE: Final = re.compile(r"\s*(?P<path>[^()]*\.py)\s*(?P<parameters>\(.*\))?\s*", re.DOTALL)
_ASKED: Final = ("choose", "traverse")
"""The methods of a sampler."""
_MEANT: Final = Meant(
    noun="sampler",
    expected="a subclass of OwnSampler (of equilibrist.solvers), an instance of one, or a function "
    "that returns one",
    result="a sampler whose class derives from OwnSampler (of equilibrist.solvers)",
)


def names_file(spec: str) -> bool:
    """Whether the text of a sampler names one in a Python file."""
    return _FILE.match(spec) is not None


def own_sampler(text: str) -> OwnSampler | None:
    """The sampler of a Python file that a text names, which could as well name a game.

    Args:
        text: `path/file.py:Name`, perhaps with parameters, or a file that defines one sampler and
            no game.

    Returns:
        The sampler; None if the text names something else.

    Raises:
        ConfigError: The file or the sampler fails; as `load_sampler`.
        UnknownNameError: A parameter is not one of the sampler's.
    """
    if text.lstrip().startswith("rules:"):
        return None
    bare = _BARE.fullmatch(text)
    if bare is not None:
        names = names_with_methods(bare["path"], _ASKED, "equilibrist.solvers")
        names = names or tuple(n for n in public_names(bare["path"]) if n in _ASKED)
        games = names_with_methods(bare["path"], METHODS, "equilibrist.games")
        if len(names) != 1 or games:
            return None
        text = f"{bare['path']}:{names[0]}{bare['parameters'] or ''}"
    named = _NAMED.match(text.strip())
    if named is None or not Path(named["path"]).expanduser().is_file():
        return None
    if named["name"] not in public_names(named["path"]):
        return None
    loaded = load_object(named["path"], named["name"], ConfigError)
    if _looks_like_one(loaded):
        return load_sampler(text)
    is_class = isinstance(loaded, type) and issubclass(loaded, OwnSampler)
    returned = getattr(loaded, "__annotations__", {}).get("return", "")
    if is_class or isinstance(loaded, OwnSampler) or "Sampler" in str(returned):
        return load_sampler(text)
    return None


def _looks_like_one(loaded: object) -> bool:
    """Whether something is no sampler, but defines what samplers do, and nothing of a game."""
    if isinstance(loaded, FunctionType):
        return loaded.__name__ in _ASKED
    is_asked = any(callable(getattr(loaded, name, None)) for name in _ASKED)
    return is_asked and not any(hasattr(loaded, name) for name in METHODS)


def load_sampler(spec: str) -> OwnSampler:
    """Load `path/file.py:Name` or `path/file.py:Name(key=value)`; the file is run.

    Args:
        spec: The text.

    Returns:
        The sampler; its `spec` is the shortest text that names it again.

    Raises:
        ConfigError: The text cannot be read, the file or the name is missing, code fails (with the
            user's line), or the name is no sampler.
        UnknownNameError: A parameter is not one of the sampler's.
    """
    spec = spec.strip()
    refuse_bare_file(spec, "sampler", "sampler", "MySampler")
    parsed = parse_spec(spec, "sampler", unreadable("sampler"))
    loaded = load_object(parsed.path, parsed.name, ConfigError)
    if isinstance(loaded, FunctionType) and parsed.name in _ASKED:
        raise ConfigError(
            f"{parsed.path}:{parsed.name} is a function, and a sampler is a class",
            option="sampler",
            given=spec,
            expected=_MEANT.expected,
            place=line_of(loaded),
            remedy=f"make it the method {parsed.name} of a class that derives from OwnSampler, and "
            "name the class",
        )
    made, changed = build_object(
        loaded, parsed.path, parsed.name, parsed.params, (OwnSampler,), _MEANT
    )
    named = copy.copy(made)  # the function may have returned one that others use
    object.__setattr__(named, "spec", format_spec(f"{parsed.path}:{parsed.name}", changed))
    refuse_class(named)
    return named
