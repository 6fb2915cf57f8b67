"""What the server refuses: errors with the status of the answer, and the document of an error."""

from __future__ import annotations

import ast
import errno
import os
import re
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from equilibrist.errors import EquilibristError, OutputError
from equilibrist.options.solve_options import COMPARE_RUNS, SOLVE_OPTIONS
from equilibrist.poker.postflop.spot.fields import RUN_OPTIONS, SPOT_OPTIONS

_FULL: Final = frozenset(
    os.strerror(getattr(errno, name, errno.ENOSPC)) for name in ("ENOSPC", "EDQUOT")
)
"""What the system says where a disk has no room left, or no more for this user."""
_QUOTED: Final = re.compile(r"`([^`\n]+)`")
_FILES: Final = re.compile(r" \([^()]*\.py:[^()]*\)")
_FUNCTIONS: Final = re.compile(
    r" \(\w+\(\)(?:[^()]|\(\))*\)"
    r"|,(?: or)? a function \w+\([^()]*\) as \w+\.py:\w+"
    r"|,(?: or)? \w+\.py:\w+"
)
"""Hints at functions of rules, and at functions and classes in files of Python."""
_TRUTH: Final = re.compile(r"\bTrue or False\b")
_LISTS: Final = re.compile(r"`equilibrist (games|algorithms|samplers)`")
_FLAG: Final = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]*)(?![\w-])")
_GIVEN: Final = re.compile(r"(?<!\w)('(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\")(?!\w)")
"""What somebody has given, as errors have it: in quotation marks."""
_GAMES: Final = "`equilibrist games`"
_LISTED: Final = " (/api/games lists them)"
_CALLED: Final = {"sampling": "sampler", "pattern": "match"}
"""Arguments of Python's functions, and what requests call them."""
_SHOULD: Final = re.compile(r"^(?:Input|Value|String|List|JSON) should (?:be |have )?")
"""How pydantic begins to say what it expected."""
_EXPECTED: Final = {
    "greater_than_equal": "a number of at least {ge}",
    "greater_than": "a number above {gt}",
    "less_than_equal": "a number of at most {le}",
    "less_than": "a number below {lt}",
    **dict.fromkeys(("int_parsing", "int_type", "int_from_float"), "a whole number"),
    **dict.fromkeys(("float_parsing", "float_type", "finite_number"), "a number"),
    **dict.fromkeys(("bool_parsing", "bool_type"), "true or false"),
    "string_type": "a text",
    "string_too_long": "at most {max_length} characters",
    "string_too_short": "at least {min_length} characters",
    "list_type": "a list",
    "too_long": "at most {max_length} entries",
    "too_short": "at least {min_length} entries",
    **dict.fromkeys(("dict_type", "model_type", "model_attributes_type"), "an object"),
}
"""What was expected, by the types of pydantic's errors."""
_FIELDS: Final = ("option", "given", "expected", "place", "remedy")


class WebError(EquilibristError):
    """A request that is refused; `status` is that of the answer."""

    status: ClassVar[int] = 422


class UnauthorizedError(WebError):
    """Nobody has signed in."""

    status: ClassVar[int] = 401


class ForbiddenError(WebError):
    """Whoever asks may not do that."""

    status: ClassVar[int] = 403


class NotFoundError(WebError):
    """There is no such thing."""

    status: ClassVar[int] = 404


class ConflictError(WebError):
    """What was asked for cannot be done as things are."""

    status: ClassVar[int] = 409


class TooLargeError(WebError):
    """More bytes than are taken."""

    status: ClassVar[int] = 413


class StalledError(WebError):
    """A request that does not arrive."""

    status: ClassVar[int] = 408


class DiskError(WebError):
    """More than the disk of the server has room for."""

    status: ClassVar[int] = 507


class LimitError(WebError):
    """More at once than the server takes on."""

    status: ClassVar[int] = 429


def name_of_field(document: Any, report: Mapping[str, Any], start: int = 0) -> str:
    """The field of which pydantic says that it is wrong, as whoever has sent it names it.

    Where a field may be of several kinds, pydantic puts the name of one behind that of the field.

    Args:
        document: What was sent.
        report: What pydantic says: `type` and `loc`, the way to the field.
        start: How many steps of the way lie before the document.

    Returns:
        The names of fields and places in lists with dots between them.
    """
    *way, last = report["loc"][start:] or [""]
    names = []
    for step in way if report["type"] == "missing" else [*way, last]:
        is_field = isinstance(document, Mapping) and step in document
        if is_field or (isinstance(document, list) and isinstance(step, int)):
            document = document[step]
            names.append(str(step))
    return ".".join([*names, str(last)] if report["type"] == "missing" else names)


def expected_by(report: Mapping[str, Any]) -> str:
    """What a part of a request should be, in words that follow "expected".

    Args:
        report: What pydantic says of it: `type`, `msg`, and perhaps `ctx` with limits.
    """
    words = _EXPECTED.get(report["type"])
    if words is None:
        return _SHOULD.sub("", str(report["msg"]))
    return words.format(**report.get("ctx", {}))


def error_document(error: BaseException) -> dict[str, Any]:
    """The sentence of an error, and its fields, with options as requests name them."""
    document: dict[str, Any] = {"error": as_requested(str(error)), "kind": type(error).__name__}
    for name in _FIELDS:
        document[name] = getattr(error, name, None)
    for name in ("expected", "remedy"):
        if isinstance(document[name], str):
            document[name] = as_requested(document[name])
    option = document["option"]
    if isinstance(option, str) and option.startswith("--"):  # a flag of the command line
        document["option"] = option.removeprefix("--").replace("-", "_")
    if option in _CALLED:
        document["option"] = _CALLED[option]
        document["error"] = re.sub(rf"^{option}\b", _CALLED[option], document["error"])
    return document


def as_requested(sentence: str) -> str:
    """A sentence of an error or a help text in which options are told as a request has them.

    Args:
        sentence: Options stand in backquotes, alone, as `sampling="external"`, or in a call of
            `solve`; or as flags, `--drop-below`. Hints that name functions or files of Python are
            left out, which no request may. Commands in backquotes stay, but for those that list
            what the API lists.
    """
    sentence = _FILES.sub(lambda match: _LISTED if _GAMES in match[0] else "", sentence)
    sentence = _LISTS.sub(r"/api/\1", _FUNCTIONS.sub("", sentence))
    sentence = _TRUTH.sub("true or false", sentence)
    sentence = _QUOTED.sub(lambda match: _requested(match[1]) or match[0], sentence)
    pieces = sentence.split("`")
    pieces[::2] = map(_without_flags, pieces[::2])
    return "`".join(pieces)


def _without_flags(text: str) -> str:
    """A text in which flags are named as requests name them, but for what stands in quotes."""
    parts = _GIVEN.split(text)
    parts[::2] = [_FLAG.sub(lambda match: _named(match[1]), part) for part in parts[::2]]
    return "".join(parts)


def _named(flag: str) -> str:
    """The name that requests have for an option of the command line, without its hyphens."""
    for options in (SOLVE_OPTIONS, RUN_OPTIONS, SPOT_OPTIONS, COMPARE_RUNS):
        for name, option in options.items():
            if f"--{flag}" in option.flags_of(name):
                return name
    return flag.replace("-", "_")


def _requested(code: str) -> str | None:
    """The words of a request for code of Python; None for what is no option and no call of ours."""
    if code in _CALLED:
        return f"`{_CALLED[code]}`"
    if flag := _FLAG.fullmatch(code):
        return f"`{_named(flag[1])}`"
    try:
        call = ast.parse(code if code.endswith(")") else f"_({code})", mode="eval").body
        assert isinstance(call, ast.Call)
        called, texts = ast.unparse(call.func), [ast.literal_eval(text) for text in call.args]
        given = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError, AssertionError):
        return None
    options = [f"`{_CALLED.get(name, name)}: {_text(value)}`" for name, value in given.items()]
    if called == "_" and options and not texts:
        return ", ".join(options)
    if called != "solve" or not 1 <= len(texts) <= 2:
        return None
    options = [f"`algorithm: {text}`" for text in texts[1:]] + options
    return f"solve the game {texts[0]}" + (f" with {', '.join(options)}" if options else "")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def error_of(document: Mapping[str, Any]) -> WebError:
    """The error that a document of `error_document` tells, such as one that a worker has sent.

    Args:
        document: The document; of its fields some may be missing.
    """
    fields: Any = {name: document.get(name) for name in _FIELDS}
    problem = str(document["error"]).removesuffix(f"; {fields['remedy']}")
    return WebError(problem, **fields)


def status_of(error: EquilibristError) -> int:
    """The status of the answer to a request that raised this."""
    if isinstance(error, OutputError):
        return 507 if error.given in _FULL else 409
    return error.status if isinstance(error, WebError) else 422
