"""Reading the answers of people: one action of those that are open, from standard input."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Final

from equilibrist.cli.text.output import flush, prompt, show
from equilibrist.errors import ConfigError
from equilibrist.formatting.escaping import escape_control_chars

QUIT: Final = ("q", "quit", "exit")
_HELP: Final = ("?", "help")
RANGES: Final = "ai"
"""What shows the AI's mixture."""
_ATTEMPTS: Final = 100
"""How many lines may be typed for one action; a longer input does not come from a person."""
Meant = Callable[[str], "int | None"]
"""The action that a text means beyond the names of actions; None if it means none, and ConfigError
if it means one that is not possible."""


class QuitError(Exception):
    """A person quits."""


class EndOfInputError(Exception):
    """Nothing more will be typed."""


def read_line(text: str, *, is_terminal: bool) -> str:
    """One line, asked for by `text` at a terminal; raises `EndOfInputError`."""
    if is_terminal:
        prompt(text)
    else:
        flush()
    try:
        line = "" if sys.stdin is None else sys.stdin.readline()
    except (OSError, ValueError):  # the descriptor was closed under us
        line = ""
    if not line:
        if is_terminal:
            show()
        raise EndOfInputError
    return line


def shown(words: Sequence[Sequence[str]]) -> list[str]:
    """The best word for each action, in one line."""
    return [escape_control_chars(best) for best, *_ in words]


def show_actions(actions: Sequence[str], words: Sequence[Sequence[str]]) -> None:
    """List what may be typed."""
    named = zip(shown(words), map(escape_control_chars, actions), strict=True)
    texts = [word if word == label else f"{word} ({label})" for word, label in named]
    numbered = "  ".join(f"{i}) {text}" for i, text in enumerate(texts, 1))
    show(f"  actions: {numbered}   (? explains, q ends)")


def ask_action(
    name: str,
    actions: Sequence[str],
    words: Sequence[Sequence[str]],
    *,
    is_terminal: bool,
    meant: Meant | None = None,
    ranges: Callable[[], None] | None = None,
) -> int:
    """The index of the action that is typed.

    `ranges` shows what `RANGES` asks for. Raises QuitError, EndOfInputError, and ConfigError if
    `_ATTEMPTS` lines bring none.
    """
    text = ""
    for _ in range(_ATTEMPTS):
        text = read_line(f"{name}> ", is_terminal=is_terminal).strip()
        if text in _HELP and text not in actions:
            _explain(words, takes_bets=meant is not None, has_ranges=ranges is not None)
        elif ranges is not None and text.lower() == RANGES and text not in actions:
            ranges()
        else:
            index, why = read_action(text, words)
            if index is None and meant is not None:
                try:
                    index = meant(text)
                except ConfigError as error:
                    why = f"{error}."
            if index is not None:
                return index
            if text.lower() in QUIT:
                raise QuitError
            show(why)
        show_actions(actions, words)
    raise ConfigError(
        f"{_ATTEMPTS} lines in a row were no action, the last one "
        f"{escape_control_chars(text)!r:.80}",
        option="action",
        given=text,
        remedy=f"answer with one of {', '.join(shown(words))}, or q to end",
    )


def _explain(words: Sequence[Sequence[str]], *, takes_bets: bool, has_ranges: bool) -> None:
    show("Type the name of an action, the beginning of it, or its number in the list.")
    for names in words:
        if len(names) > 1:
            first, *others = map(escape_control_chars, names)
            show(f"{first} is understood as {' or '.join(others)} too.")
    if takes_bets:
        show("A bet of any size may be typed, such as bet 37: the total on the street.")
        show("It is mapped to one of the bets of the solution, which the coach then judges.")
    if has_ranges:
        show(f"{RANGES} shows how often the AI takes each action with its whole range.")
    show("q ends the session: a hand that is not over does not count.")


def read_action(text: str, words: Sequence[Sequence[str]]) -> tuple[int | None, str]:
    """The index of the action that a person means, or None and why it is not clear.

    `words` are what each action may be called, one of them its label. A whole word, else a number
    counted from 1, else the beginning of words of one action only, in which numbers are whole:
    `bet 3` is not `Bet 3.5`. Case does not matter unless words differ in nothing else.
    """
    called = [(i, word) for i, row in enumerate(words) for word in row]
    folded = [(i, word.casefold()) for i, word in called]
    typed = text.casefold()
    for fitting in ({i for i, w in called if w == text}, {i for i, w in folded if w == typed}):
        if len(fitting) == 1:
            return fitting.pop(), ""
    if text.isascii() and text.isdecimal() and len(text) < 10 and 1 <= int(text) <= len(words):
        return int(text) - 1, ""
    begun = sorted({i for i, word in folded if typed and _begins(typed, word)})
    if len(begun) == 1:
        return begun[0], ""
    if not typed:
        return None, "Nothing was typed."
    quoted = text if len(text) <= 40 else f"{text[:37]}..."
    if begun:
        return None, f"{quoted!r} could be {' or '.join(words[i][0] for i in begun[:5])}."
    return None, f"{quoted!r} is not one of the actions."


def _begins(typed: str, word: str) -> bool:
    """Whether a word begins with what was typed, of a number with all of it."""
    if not word.startswith(typed):
        return False
    following = word[len(typed) : len(typed) + 1]
    return not (typed[-1:].isdecimal() and (following.isdecimal() or following in {".", ","}))
