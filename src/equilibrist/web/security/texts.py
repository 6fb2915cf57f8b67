"""Which texts of a request may name games, algorithms and abstractions.

On the command line such a text may name a Python file, which then runs. A request may not: it names
what comes with Equilibrist, what was uploaded, or exactly what the server was started with.
"""

from __future__ import annotations

import re
from typing import Final

from equilibrist.web.errors import ForbiddenError, WebError
from equilibrist.web.settings import Settings

_LONGEST: Final = 2000
_CALL: Final = re.compile(r"\s*[A-Za-z][A-Za-z0-9_+-]*\s*(\([^:/\\]*\))?\s*", re.ASCII)
"""A name with its parameters, and nothing in it that could name a file."""
_FOREIGN: Final = re.compile(r"[:/\\]|\.[A-Za-z]", re.ASCII)
"""What a text has in it that could name a file."""
_RULES: Final = re.compile(r"rules:(?P<name>[a-z_]+)(\([^:/\\]*\))?", re.ASCII)
_NAME: Final = "a name, with parameters in brackets if any"
_PYTHON: Final = re.compile(r"\.py\s*:")
"""What every name of something in a Python file has in it."""
_DROP_PLAYS: Final = ("chance", "uniform")
UPLOADED: Final = "library:"
"""How the name of an uploaded game begins."""


def check_game(text: str, settings: Settings) -> str:
    """Refuse a text that is not a game which a request may name.

    Args:
        text: The game, as a request names it.
        settings: How the server was started.

    Returns:
        How `load_game` names it: what the server was started with, perhaps in a folder of which
        requests know nothing, else the text itself.

    Raises:
        ForbiddenError: A request may not name it.
        WebError: It is too long, or no name with parameters.
    """
    subject = settings.subject
    if subject is not None and subject.kind == "game" and text in (subject.name, subject.text):
        return subject.text
    _check_length("game", text)
    if is_shipped(text):
        return text
    if _FOREIGN.search(text) is None:
        raise _misspelt("game", text)
    raise ForbiddenError(
        f"{text!r} is not a game that the browser may load",
        option="game",
        given=text,
        expected="the name of a game that comes with Equilibrist, or of one that was uploaded",
        remedy="to use rules of your own, start the server with them: "
        "`equilibrist serve rules.py:MyGame`",
    )


def is_shipped(text: str) -> bool:
    """Whether a text can only name a game, or rules, that come with Equilibrist."""
    from equilibrist.rules.module import SHIPPED

    rules = _RULES.fullmatch(text.strip())
    if rules is not None:
        return rules["name"] in SHIPPED
    return _CALL.fullmatch(text) is not None


def check_call(option: str, text: str) -> None:
    """Refuse an algorithm or a sampler that is not one of Equilibrist's.

    Args:
        option: The option, for the error.
        text: The name, with parameters in brackets if any.

    Raises:
        ForbiddenError: It could name a Python file.
        WebError: It is too long, or no name with parameters.
    """
    _check_length(option, text)
    if _CALL.fullmatch(text) is None:
        raise _foreign(option, text)


def check_abstraction(text: str) -> None:
    """Refuse an abstraction that is not one of Equilibrist's; each seat may have one of its own."""
    _check_length("abstraction", text)
    for part in text.split(";"):
        seat, mark, rest = part.partition(":")
        if _CALL.fullmatch(rest if mark and seat.strip().isdecimal() else part) is None:
            raise _foreign("abstraction", text)


def check_option(option: str, text: str) -> None:
    """Refuse the text of an option of a solve that could name a file.

    Args:
        option: The name of the option.
        text: Its value.

    Raises:
        ForbiddenError: It could name a file.
        WebError: It is too long, or no name with parameters where one is expected.
    """
    if option in ("algorithm", "sampler", "averaging", "translate"):
        check_call(option, text)
    elif option == "abstraction":
        check_abstraction(text)
    elif option == "actions":  # labels of actions may hold anything else
        _check_length(option, text)
        if _PYTHON.search(text) is not None:
            raise _foreign(option, text)
    elif option == "drop_play" and text not in _DROP_PLAYS:
        raise ForbiddenError(
            f"{text[:120]!r} cannot be given in the browser",
            option=option,
            given=text[:120],
            expected=", ".join(_DROP_PLAYS),
            remedy="solve with a strategy in a file on the command line",
        )


def _foreign(option: str, text: str) -> WebError:
    if _FOREIGN.search(text) is None:
        return _misspelt(option, text)
    return ForbiddenError(
        f"{option} {text!r} is no name with parameters, and the browser loads no Python files",
        option=option,
        given=text,
        expected=_NAME,
        remedy="solve with it on the command line",
    )


def _misspelt(option: str, text: str) -> WebError:
    """The refusal of what is wrong on the command line, too."""
    return WebError(
        f"{option} is {text!r}; expected {_NAME}", option=option, given=text, expected=_NAME
    )


def _check_length(option: str, text: str) -> None:
    if len(text) > _LONGEST:
        raise WebError(
            f"{option} has {len(text):,} characters; expected at most {_LONGEST:,}",
            option=option,
            given=len(text),
            expected=_LONGEST,
        )
