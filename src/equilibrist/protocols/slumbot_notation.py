"""The betting of a hand as Slumbot's calls write it: `b200c/kb300f`.

Letters are `k` (check), `c`, `f`, and `b` with the total of the *street*; streets are separated by
slashes.
"""

from __future__ import annotations

import re
from typing import Final

from equilibrist.parsing.arguments import bad_argument
from equilibrist.protocols.acpc.betting import CALL, FOLD, PASSIVE, RAISE, AcpcAction, Betting
from equilibrist.protocols.acpc.histories import actions_of
from equilibrist.protocols.acpc.rules import AcpcRules

CHECK: Final = "k"
BET: Final = "b"
_WORDS: Final = re.compile(r"[kcf]|b\d{1,12}|/", re.ASCII)


def slumbot_text(betting: Betting) -> str:
    """Write the betting of a hand.

    Args:
        betting: The betting.

    Returns:
        Such as `b200c/kb300f`.
    """
    at, text = Betting.start(betting.rules), ""
    for action in actions_of(betting.text):
        text += increment(at, action)
        written = len(at.text)
        at = at.play(action)
        text += "/" * at.text.count("/", written)
    return text


def increment(betting: Betting, action: AcpcAction) -> str:
    """Write an action.

    Args:
        betting: The betting before it.
        action: A legal action.

    Returns:
        `k`, `c`, `f`, or `b` with the total of the street.
    """
    if action.kind == CALL:
        return CALL if betting.choices().can_fold else CHECK
    return action.kind if action.size is None else f"{BET}{action.size - betting.earlier_streets}"


def read_increment(betting: Betting, text: str) -> AcpcAction | None:
    """Read an action, whether legal or not.

    Args:
        betting: The betting before it.
        text: `k`, `c`, `f`, or `b` with the total of the street.

    Returns:
        The action; None for another text, and for a check where there is something to call, or a
        call where there is nothing.
    """
    if text == "/" or not _WORDS.fullmatch(text):
        return None
    if text[0] == BET:
        return AcpcAction(RAISE, betting.earlier_streets + int(text[1:]))
    if text == FOLD:
        return AcpcAction(FOLD)
    return PASSIVE if (text == CALL) == betting.choices().can_fold else None


def read_betting(rules: AcpcRules, text: str) -> Betting:
    """Read the betting of a hand.

    Args:
        rules: The rules.
        text: Such as `b200c/kb300f`; the slashes of streets that are dealt out may be left out.

    Returns:
        The betting.

    Raises:
        ConfigError: It cannot be read.
        LineSyntaxError: The rules do not allow an action.
    """
    words = _WORDS.findall(text)
    betting = Betting.start(rules)
    for word in words:
        if word == "/":  # the streets follow from the actions
            continue
        action = None if betting.is_over else read_increment(betting, word)
        if action is None:
            raise bad_argument("action", text[:200], f"an action in place of {word}")
        betting = betting.play(action)
    if "".join(words) != text:
        raise bad_argument("action", text[:200], "actions such as b200c/kk/")
    return betting
