"""How large the bets of a game are: by the numbers in labels, and as shares of the pot.

The size of an action is the number at the end of its label: 2 of `bet 2`; actions without one, such
as `fold`, have no size. What a share of the pot is, a game says in one of two ways. Its
`infoset_facts(key)` has a `pot`, what lies there when the player is to act: then a bet of 2 into a
pot of 4 is a half. Or it has a method `pot_fractions(key, labels)`, which returns a number for each
action, and None for those that are no bets; this is for raises, and for labels without numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite
from typing import Any

from equilibrist.errors import GameSpecError
from equilibrist.formatting.escaping import repr_short
from equilibrist.parsing.user_code import failure_text, pass_interrupts
from equilibrist.tree.compile import GameTree

Sizes = tuple[float | None, ...]
"""One number for each action of an infoset; None for an action that is no bet."""

_SIZE = re.compile(r"(?:(?P<verb>.*\S)\s+)?(?P<size>\d+(?:\.\d+)?)")


def split_label(label: str) -> tuple[str, float | None]:
    """The words of a label and the number at its end: ("bet", 2.0) of `bet 2`."""
    match = _SIZE.fullmatch(label.strip())
    if match is None:
        return label.strip(), None
    return match["verb"] or "", float(match["size"])


class BetSizes:
    """The sizes of actions of one game, asked for once and remembered.

    Args:
        tree: The compiled game.
    """

    def __init__(self, tree: GameTree) -> None:
        """Ask nothing yet."""
        self.tree = tree
        self._shares: dict[int, Sizes] = {}

    @property
    def has_shares(self) -> bool:
        """Whether the game has what shares of the pot are asked from."""
        if self._method("pot_fractions") is not None:
            return True
        facts = self._method("infoset_facts")
        if facts is None or not self.tree.num_infosets:
            return False
        try:
            return "pot" in self._facts(0)
        except _UntoldError as error:
            raise self._error(error, 0, "translate") from None

    def plain(self, infoset: int) -> Sizes:
        """The numbers at the end of the labels."""
        return tuple(split_label(label)[1] for label in self.tree.action_labels[infoset])

    def shares(self, infoset: int, option: str = "translate") -> Sizes:
        """The sizes as shares of the pot; GameSpecError where the game does not tell them.

        The error is one of `option`: `actions`, or `translate`.
        """
        if infoset not in self._shares:
            method = self._method("pot_fractions")
            try:
                shares = (
                    self._of_pot(infoset)
                    if method is None
                    else self._shares_by_game(infoset, method)
                )
            except _UntoldError as error:
                raise self._error(error, infoset, option) from None
            self._shares[infoset] = shares
        return self._shares[infoset]

    def measured(self, infoset: int) -> Sizes:
        """Shares of the pot where the game tells them, else the plain numbers."""
        return self.shares(infoset) if self.has_shares else self.plain(infoset)

    def _method(self, name: str) -> Any:
        return getattr(self.tree.game, name, None)

    def _facts(self, infoset: int) -> dict[str, Any]:
        key = self.tree.infoset_keys[infoset]
        facts = self._asked("infoset_facts", infoset, key)
        return dict(facts.items() if isinstance(facts, Mapping) else facts)

    def _asked(self, method: str, infoset: int, *arguments: Any) -> Any:
        try:
            return self._method(method)(*arguments)
        except BaseException as error:
            pass_interrupts(error)
            raise _UntoldError(
                f"{method} raised: {failure_text(error)}", type(error).__name__
            ) from None

    def _of_pot(self, infoset: int) -> Sizes:
        plain = self.plain(infoset)
        if all(size is None for size in plain):
            return plain
        pot = self._pot(infoset)
        return tuple(None if size is None else size / pot for size in plain)

    def _pot(self, infoset: int) -> float:
        if self._method("infoset_facts") is None:
            raise _UntoldError("it does not say how large the pot is", None)
        facts = self._facts(infoset)
        if "pot" not in facts:
            raise _UntoldError("infoset_facts has no `pot`", list(facts))
        value = facts["pot"]
        try:
            pot = float(value.replace(",", "") if isinstance(value, str) else value)
        except (TypeError, ValueError):
            pot = 0.0
        if not isfinite(pot) or pot <= 0.0:
            raise _UntoldError("the `pot` of infoset_facts is no positive number", value)
        return pot

    def _shares_by_game(self, infoset: int, method: Any) -> Sizes:
        key, labels = self.tree.infoset_keys[infoset], self.tree.action_labels[infoset]
        answer = self._asked("pot_fractions", infoset, key, labels)
        try:
            shares = tuple(None if size is None else float(size) for size in answer)
        except (TypeError, ValueError):
            shares = ()
        bad = any(size is not None and not (isfinite(size) and size >= 0.0) for size in shares)
        if len(shares) != len(labels) or bad:
            why = f"pot_fractions gave {repr_short(answer)} for the actions {', '.join(labels)}"
            raise _UntoldError(why, answer)
        return shares

    def _error(self, untold: _UntoldError, infoset: int, option: str) -> GameSpecError:
        key = self.tree.infoset_keys[infoset]
        remedy = (
            "let infoset_facts(key) of the game include ('pot', 4.0), or let "
            "pot_fractions(key, labels) return a number for each bet and None for other actions"
        )
        other = "translate by nearest or half" if option == "translate" else "give sizes as numbers"
        return GameSpecError(
            f"{self.tree.name}: bets as shares of the pot are needed, and at infoset {key!r} "
            f"{untold}",
            option=option,
            given=untold.given,
            expected="a `pot` in infoset_facts(key), or a method pot_fractions(key, labels)",
            place=f"infoset {key!r}",
            remedy=f"{other}, which needs no pot, or {remedy}",
        )


class _UntoldError(Exception):
    """Why no shares of the pot are known, and what the game gave instead."""

    def __init__(self, why: str, given: object) -> None:
        super().__init__(why)
        self.given = given
