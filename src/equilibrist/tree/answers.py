"""Reading the answers of a game's methods: each function says what is wrong, or gives the value.

All raise `WrongAnswerError`, which `check_game` turns into a `Problem` with its history.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence, Set
from typing import Any

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.tree.demands import PROBABILITY_TOLERANCE


class WrongAnswerError(Exception):
    """A method's answer that breaks the protocol."""

    def __init__(self, kind: str, message: str, remedy: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.remedy = remedy


def read_player(answer: Any, num_players: int) -> int:
    """Who acts: 0..num_players-1, `CHANCE` or `TERMINAL`."""
    try:
        player = operator.index(answer)
    except TypeError:
        player = TERMINAL - 1
    if player in (CHANCE, TERMINAL) or 0 <= player < num_players:
        return player
    raise WrongAnswerError(
        "players",
        f"player() gave {_shown(answer)}, not a player",
        f"return 0 to {num_players - 1}, CHANCE ({CHANCE}) or TERMINAL ({TERMINAL})",
    )


def read_labels(answer: Any, distinct: bool) -> tuple[str, ...]:
    """Action labels: texts, at least one, all different if `distinct`."""
    if isinstance(answer, str):
        raise WrongAnswerError(
            "labels",
            f"actions() gave the text {answer!r} instead of a sequence of texts",
            f"return a tuple; a single action is written ({answer!r},) with a comma",
        )
    if isinstance(answer, Set) or not hasattr(answer, "__len__") or not hasattr(answer, "__iter__"):
        raise WrongAnswerError(
            "labels",
            f"actions() gave {_shown(answer)}, which has no order or no length",
            "return a tuple or list of texts",
        )
    labels = tuple(answer)
    if not labels:
        raise WrongAnswerError(
            "labels",
            "actions() is empty, though the game is not over here",
            "return at least one action, or TERMINAL from player()",
        )
    for label in labels:
        if not isinstance(label, str):
            raise WrongAnswerError(
                "labels",
                f"actions() contains {_shown(label)}, which is not a text",
                "make every label a str",
            )
        _check_text(label, "labels", "actions()")
    if distinct and len(set(labels)) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        raise WrongAnswerError(
            "labels",
            f"actions() lists the label {twice!r} twice: {list(labels)}",
            "give every action of a player its own label",
        )
    return labels


def read_probabilities(answer: Any, labels: Sequence[str]) -> tuple[float, ...]:
    """One finite probability of at least 0 per outcome, adding up to 1."""
    values = _numbers(answer, "probabilities", "chance()")
    if len(values) != len(labels):
        raise WrongAnswerError(
            "probabilities",
            f"chance() gave {len(values)} probabilities for {len(labels)} outcomes",
            "return one probability per label of actions(), in the same order",
        )
    for value, label in zip(values, labels, strict=True):
        if not 0 <= value <= 1 + PROBABILITY_TOLERANCE:
            raise WrongAnswerError(
                "probabilities",
                f"chance() gave {value!r} as the probability of {label!r}",
                "probabilities are finite numbers from 0 to 1",
            )
    total = math.fsum(values)
    if abs(total - 1) > PROBABILITY_TOLERANCE:
        raise WrongAnswerError(
            "probabilities",
            f"the probabilities of chance() add up to {total!r}",
            f"make them add up to 1 (within {PROBABILITY_TOLERANCE:g})",
        )
    return values


def read_payoffs(answer: Any, num_players: int) -> tuple[float, ...]:
    """One finite payoff per player."""
    values = _numbers(answer, "payoffs", "payoffs()")
    if len(values) != num_players:
        raise WrongAnswerError(
            "payoffs",
            f"payoffs() gave {len(values)} numbers for {num_players} players",
            "return one payoff per player",
        )
    for player, value in enumerate(values):
        if not math.isfinite(value):
            raise WrongAnswerError(
                "payoffs",
                f"payoffs() gave {value!r} for player {player}",
                "payoffs must be finite numbers",
            )
    return values


def read_key(answer: Any) -> str:
    """An infoset key."""
    if isinstance(answer, str):
        _check_text(answer, "key", "infoset()")
        return answer
    raise WrongAnswerError(
        "key",
        f"infoset() gave {_shown(answer)}, which is not a text",
        "return a str, for instance by joining what the player knows",
    )


def _check_text(text: str, kind: str, method: str) -> None:
    """Refuse lone surrogates, which no file and no terminal can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise WrongAnswerError(
            kind,
            f"{method} gave {text!a}, which holds half of a surrogate pair",
            "use whole characters",
        ) from None


def _numbers(answer: Any, kind: str, method: str) -> tuple[float, ...]:
    try:
        return tuple(float(value) for value in answer)
    except (TypeError, ValueError, OverflowError):
        raise WrongAnswerError(
            kind,
            f"{method} gave {_shown(answer)}, not a sequence of numbers",
            "return a tuple of numbers",
        ) from None


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:  # a user's object may fail to print itself
        return f"an object of type {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."
