"""Checks of the values that a game's methods return, shared by the walk and `check_game`.

Each function gives the value, or raises `WrongAnswerError` with what is wrong and the remedy. The
walk makes a `GameError` of it, `check_game` a `Problem`, both with the history.

Rows (of labels, probabilities, payoffs) have an order, a length and an index: tuples, lists,
arrays of one dimension; no texts, dicts, sets or generators. Numbers are what turns into a float
without loss of meaning: int, float, bool, Fraction, Decimal and NumPy's real scalars; no texts, no
complex numbers.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence, Set
from typing import Any

from equilibrist.errors import GameError
from equilibrist.formatting.amounts import counted
from equilibrist.formatting.escaping import repr_short
from equilibrist.game import CHANCE, TERMINAL

_MAX_PLAYERS = 127
_PROBABILITY_TOLERANCE = 1e-9
"""How far from 1 the probabilities of one chance node may add up."""
LARGEST_PAYOFF = 1e150
"""Payoffs no further from 0 than this can be added up and squared without overflow."""
_LIKE_TEXT = (str, bytes, bytearray)


class WrongAnswerError(Exception):
    """A result that violates the protocol: `given`, or the invalid part of a row."""

    def __init__(self, kind: str, message: str, remedy: str, *, given: object) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.remedy = remedy
        self.given = given

    def at(self, history: Sequence[str]) -> GameError:
        """The error of the walk at the history of the result."""
        return GameError(
            self.message, history, kind=self.kind, given=self.given, remedy=self.remedy
        )


def read_num_players(count: Any) -> int:
    """The attribute `num_players`: an int (not a bool) from 1 to `_MAX_PLAYERS`."""
    if isinstance(count, int) and not isinstance(count, bool) and 1 <= count <= _MAX_PLAYERS:
        return count
    raise WrongAnswerError(
        "players",
        f"num_players is {repr_short(count)}, not an int from 1 to {_MAX_PLAYERS}",
        "set num_players to the number of players",
        given=count,
    )


def read_player(answer: Any, num_players: int) -> int:
    """Who acts: 0..num_players-1, `CHANCE` or `TERMINAL`."""
    try:
        player = operator.index(answer)
    except Exception:  # not an integer, or a user's object that fails
        player = TERMINAL - 1
    if player in (CHANCE, TERMINAL) or 0 <= player < num_players:
        return player
    raise WrongAnswerError(
        "players",
        f"player() gave {repr_short(answer)}, not a player",
        f"return an int: 0 to {num_players - 1}, CHANCE ({CHANCE}) or TERMINAL ({TERMINAL})",
        given=answer,
    )


def read_labels(answer: Any, distinct: bool) -> tuple[str, ...]:
    """Action labels: texts, at least one, all different if `distinct`."""
    if isinstance(answer, str):
        raise WrongAnswerError(
            "labels",
            f"actions() gave the text {answer!r} instead of a sequence of texts",
            f"return a tuple; a single action is written ({answer!r},) with a comma",
            given=answer,
        )
    labels = _row(answer, "labels", "actions()", "texts")
    if not labels:
        raise WrongAnswerError(
            "labels",
            "actions() is empty, though the game is not over here",
            "return at least one action, or TERMINAL from player()",
            given=answer,
        )
    for label in labels:
        if not isinstance(label, str):
            raise WrongAnswerError(
                "labels",
                f"actions() contains {repr_short(label)}, which is not a text",
                "make every label a str",
                given=label,
            )
        _check_text(label, "labels", "actions()")
    labels = tuple(map(str.__str__, labels))  # subclasses, as NumPy's, become plain texts
    if distinct and len(set(labels)) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        raise WrongAnswerError(
            "labels",
            f"actions() lists the label {twice!r} twice: {list(labels)}",
            "give every action of a player its own label",
            given=twice,
        )
    return labels


def read_probabilities(answer: Any, labels: Sequence[str]) -> tuple[float, ...]:
    """One finite probability of at least 0 per outcome, adding up to 1."""
    values = _numbers(answer, "probabilities", "chance()")
    if len(values) != len(labels):
        raise WrongAnswerError(
            "probabilities",
            f"chance() gave {counted(len(values), 'number')} for {counted(len(labels), 'outcome')}",
            "return one probability per label of actions(), in the same order",
            given=len(values),
        )
    for value, label in zip(values, labels, strict=True):
        if not 0 <= value <= 1 + _PROBABILITY_TOLERANCE:
            raise WrongAnswerError(
                "probabilities",
                f"chance() gave {value!r} as the probability of {label!r}",
                "probabilities are finite numbers from 0 to 1",
                given=value,
            )
    total = math.fsum(values)
    if abs(total - 1) > _PROBABILITY_TOLERANCE:
        raise WrongAnswerError(
            "probabilities",
            f"the probabilities of chance() add up to {total!r}",
            f"make them add up to 1 (within {_PROBABILITY_TOLERANCE:g})",
            given=total,
        )
    return values


def read_payoffs(answer: Any, num_players: int) -> tuple[float, ...]:
    """One payoff per player, finite and at most `LARGEST_PAYOFF` from 0."""
    values = _numbers(answer, "payoffs", "payoffs()")
    if len(values) != num_players:
        raise WrongAnswerError(
            "payoffs",
            f"payoffs() gave {counted(len(values), 'number')} for {counted(num_players, 'player')}",
            "return one payoff per player",
            given=len(values),
        )
    for player, value in enumerate(values):
        if not math.isfinite(value):
            raise WrongAnswerError(
                "payoffs",
                f"payoffs() gave {value!r} for player {player}",
                "payoffs must be finite numbers",
                given=value,
            )
        if abs(value) > LARGEST_PAYOFF:
            raise WrongAnswerError(
                "payoffs",
                f"payoffs() gave {value!r} for player {player}, which is beyond "
                f"{LARGEST_PAYOFF:g}: sums over it could overflow",
                f"measure payoffs in a larger unit, so that none is beyond {LARGEST_PAYOFF:g}",
                given=value,
            )
    return values


def read_key(answer: Any, method: str = "infoset()") -> str:
    """The key of an infoset, or of a public state."""
    if isinstance(answer, str):
        _check_text(answer, "key", method)
        return str.__str__(answer)
    raise WrongAnswerError(
        "key",
        f"{method} gave {repr_short(answer)} of type {type(answer).__name__}, which is not a text",
        "return a str, for instance by joining what is known",
        given=answer,
    )


def read_facts(answer: Any, method: str) -> tuple[tuple[str, str], ...]:
    """An infoset in words: (name, what it is) pairs of texts."""
    pairs = [_listed(pair) for pair in _listed(answer) or ()]
    if _listed(answer) is None or not all(pair and _are_texts(pair, 2) for pair in pairs):
        raise WrongAnswerError(
            "words",
            f"{method} gave {repr_short(answer)}, not pairs of texts",
            "return a tuple of (name, what it is)",
            given=answer,
        )
    return tuple((pair[0], pair[1]) for pair in pairs if pair)


def read_words(answer: Any, count: int) -> tuple[tuple[str, ...], ...]:
    """The names of each of `count` actions."""
    rows = [_listed(row) for row in _listed(answer) or ()]
    if len(rows) != count or not all(row and _are_texts(row, len(row)) for row in rows):
        raise WrongAnswerError(
            "words",
            f"action_words() gave {repr_short(answer)} for {count} actions",
            "return a tuple of texts for each action",
            given=answer,
        )
    return tuple(tuple(row) for row in rows if row)


def _listed(answer: Any) -> list[Any] | None:
    return list(answer) if isinstance(answer, list | tuple) else None


def _are_texts(row: list[Any], count: int) -> bool:
    return len(row) == count and all(isinstance(text, str) for text in row)


def _check_text(text: str, kind: str, method: str) -> None:
    """Refuse lone surrogates, which cannot be encoded in UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise WrongAnswerError(
            kind,
            f"{method} gave {text!a}, which holds half of a surrogate pair",
            "use whole characters",
            given=text,
        ) from None


def _row(answer: Any, kind: str, method: str, content: str) -> tuple[Any, ...]:
    """The elements of a result that is a sequence."""
    if type(answer) is tuple:
        return answer
    try:
        if not isinstance(answer, (*_LIKE_TEXT, Mapping, Set)) and _is_indexed(answer):
            return tuple(answer)
    except Exception:  # noqa: S110 - a user's object that fails is not a row
        pass
    raise WrongAnswerError(
        kind,
        f"{method} gave {repr_short(answer)} of type {type(answer).__name__}, not a sequence of "
        f"{content}",
        f"return a tuple or list of {content}",
        given=answer,
    )


def _is_indexed(answer: Any) -> bool:
    methods = ("__len__", "__iter__", "__getitem__")
    return getattr(answer, "ndim", 1) == 1 and all(hasattr(answer, name) for name in methods)


def _numbers(answer: Any, kind: str, method: str) -> tuple[float, ...]:
    row = _row(answer, kind, method, "numbers")
    for value in row:
        if not _is_number(value):
            raise WrongAnswerError(
                kind,
                f"{method} contains {repr_short(value)} of type {type(value).__name__}, "
                "which is not a number",
                "return a tuple or list of numbers",
                given=value,
            )
    try:
        return tuple(map(float, row))
    except Exception:
        raise WrongAnswerError(
            kind,
            f"{method} gave {repr_short(answer)}, which does not fit into floating-point numbers",
            "return numbers that float() takes",
            given=answer,
        ) from None


def _is_number(value: Any) -> bool:
    """Whether `value` is a real number, or a NumPy array of no dimension that holds one."""
    if isinstance(value, float | int):
        return True
    if isinstance(value, (*_LIKE_TEXT, complex)) or getattr(value, "ndim", 0) != 0:
        return False
    if getattr(getattr(value, "dtype", None), "kind", "f") not in "fiub":
        return False
    return hasattr(type(value), "__float__") or hasattr(type(value), "__index__")
