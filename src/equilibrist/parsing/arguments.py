"""Checks of arguments: a ConfigError names the argument, its value and what was expected.

Types are checked before values are looked at, since comparing anything with anything may fail.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from numbers import Integral, Real
from pathlib import Path
from typing import Any, Final, TypeVar

from equilibrist.errors import ConfigError
from equilibrist.formatting.escaping import repr_short

T = TypeVar("T")
MOST_THREADS: Final = 4096
"""The most threads that anything may be asked to use."""
MOST_EVERY: Final = 10**9
"""The longest wait between two averages: the number of walks must fit the integers of kernels."""


def bad_argument(
    name: str,
    value: object,
    expected: str,
    *,
    label: str | None = None,
    place: str | None = None,
    remedy: str | None = None,
) -> ConfigError:
    """The error that says `name` is `value`, where `expected` was; `label` is its name in prose."""
    message = "" if label is None else f"{label} is {repr_short(value)}; expected {expected}"
    return ConfigError(
        message, option=name, given=value, expected=expected, place=place, remedy=remedy
    )


def whole_number(name: str, value: object, least: int, most: int | None = None) -> int:
    """An int from `least` to `most`, also one of NumPy's; no bool and no float."""
    if not isinstance(value, bool) and isinstance(value, Integral):
        number = int(value)
        if number >= least and (most is None or number <= most):
            return number
    limits = f"of at least {least}" if most is None else f"from {least} to {most}"
    raise bad_argument(name, value, f"a whole number {limits}")


def optional_whole_number(
    name: str, value: object, least: int, most: int | None = None
) -> int | None:
    """An int from `least` to `most`; or None, where the caller leaves it to us."""
    return None if value is None else whole_number(name, value, least, most)


def real_number(
    name: str,
    value: object,
    least: float,
    most: float,
    label: str | None = None,
    *,
    is_above: bool = False,
) -> float:
    """A number from `least` to `most`, as a float; no bool, no text, no NaN.

    Both limits are allowed, but `least` is not where the number `is_above` it.
    """
    if is_above:
        limits = f"a number above {least:g}"
        limits += f" and at most {most:g}" if math.isfinite(most) else ""
    elif math.isfinite(least):
        limits = f"a number from {least:g} to {most:g}"
    else:
        limits = f"a number of at most {most:g}"
    if not isinstance(value, bool) and isinstance(value, Real):
        with suppress(OverflowError):
            if least <= (number := float(value)) <= most and not (is_above and number == least):
                return number
    raise bad_argument(name, value, limits, label=label)


def finite_number(name: str, value: object, label: str | None = None) -> float:
    """Any number as a float, but for NaN and the infinities."""
    if not isinstance(value, bool) and isinstance(value, Real):
        with suppress(OverflowError):
            if math.isfinite(number := float(value)):
                return number
    raise bad_argument(name, value, "a finite number", label=label)


def instance(
    name: str, value: object, kind: type[T], expected: str, *, remedy: str | None = None
) -> T:
    """An object of a class, and nothing else."""
    if isinstance(value, kind):
        return value
    raise bad_argument(name, value, expected, remedy=remedy)


def several(name: str, values: Any, expected: str) -> Any:
    """A list or the like; no single text, which would be taken letter by letter."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise bad_argument(name, values, expected)
    return values


def check_bool(name: str, value: object) -> bool:
    """True or False, and nothing that merely counts as one of them."""
    if isinstance(value, bool):
        return value
    raise bad_argument(name, value, "True or False")


def file_name(name: str, value: object) -> Path:
    """A path, from a str or a path object; `~` is the home folder."""
    path = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(path, str) or not path:
        raise bad_argument(name, value, "the name of a file")
    with suppress(RuntimeError):  # ~name, where nobody has the name, is a file like others
        return Path(path).expanduser()
    return Path(path)


def same_file(path: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    """Whether two names lead to one file, which need not exist."""
    return os.path.realpath(path) == os.path.realpath(other)


def refuse_same_files(files: Mapping[str, Path | None]) -> None:
    """ConfigError where two options, of which None names no file, name one."""
    earlier: dict[str, Path] = {}
    for name, path in files.items():
        for other, another in earlier.items():
            if path is not None and same_file(path, another):
                raise ConfigError(
                    f"`{other}` and `{name}` are the same file",
                    option=name,
                    given=path,
                    remedy="give each its own",
                )
        if path is not None:
            earlier[name] = path


def resumed_file(resume: object, checkpoint: object) -> Path | None:
    """The file that a run continues from, None for a new run; ConfigError for what is none.

    `resume` is the file, or True for `checkpoint`.
    """
    if resume is None or resume is False:
        return None
    if resume is not True:
        return file_name("resume", resume)
    if checkpoint is None:
        raise ConfigError(
            "resume needs a file",
            option="resume",
            given=True,
            remedy="give `checkpoint`, the file to resume from and to save to",
        )
    return file_name("checkpoint", checkpoint)


def saving_every(seconds: object, default: float, *, is_saved: bool) -> float:
    """The seconds between two checkpoints; ConfigError for others than the default without any."""
    every = real_number("checkpoint_every", seconds, 0.0, 1e9)
    if not is_saved and every != default:
        raise ConfigError(
            "checkpoint_every says how often a run is saved",
            option="checkpoint_every",
            given=every,
            remedy="give `checkpoint`",
        )
    return every


def function(name: str, value: object) -> Callable[..., Any]:
    """Something that can be called."""
    if callable(value):
        return value
    raise bad_argument(name, value, "a function or None")
