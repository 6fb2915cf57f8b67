"""`Decision`: what the hands of a seat do at one decision of hold'em, whoever solved it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import whole_number
from equilibrist.poker.betting.actions import Action
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.combos import (
    CLASS_NAMES,
    CLASS_OF_COMBO,
    NUM_CLASSES,
    NUM_COMBOS,
    combo_name,
)
from equilibrist.poker.decisions.grid_pictures import draw_grid
from equilibrist.poker.ranges.range import Range, to_digits
from equilibrist.typing import FloatArray, Int64Array

LEAST_ARRIVING: Final = 1e-4
"""A hand that comes to a point less often than this, as it is dealt, is said not to arrive."""
NOT_REACHED: Final = "not reached"
"""What is said of lines and hands that do not arrive."""
_DIGITS: Final = 3
"""Significant digits of weights in ranges."""
_LEAST_REACH: Final = 1e-3
"""Hands that take an action less often are left out of its range."""


@dataclass(frozen=True, eq=False)
class Decision:
    """What the hands of a seat do at a decision.

    Arrays have a column for each hand: the 169 classes, in the order of `CLASS_NAMES`, or the 1,326
    combos, in the order of `FIRST_CARD`. Hands that the deck lacks or the board blocks have a
    column, too, with 0 combos. H is the number of columns, A that of actions.

    Attributes:
        line: The actions before it, such as `R2.5-C|X`; empty at the root. Of a spot with cards; of
            push or fold `F` and `A` alone, see `PushFoldSolution.lines`.
        seat: The number of the seat that acts, in the order of the solution's `seats`.
        seat_name: Its name, as the solution calls it: `BTN`, `small blind`, `OOP`.
        street: `preflop`, `flop`, `turn` or `river`.
        actions: What the seat may do.
        combos: float64[H]: hands of each column that may be held, 0 to 12.
        reach: float64[H]: how often the seat brings such a hand here, 0 to 1.
        strategy: float64[A, H]: how often each action is taken; 0 for hands of which the solution
            says nothing.
        ev: float64[H]: what the hand wins with the strategy, in the unit of the solution; None
            where the solution has no such figures, NaN for hands that have none.
        action_ev: float64[A, H]: what each action wins, by the same rules.
        board: The public cards.
        reached: How often play gets here, where the solution says it.
    """

    line: str
    seat: int
    seat_name: str
    street: str
    actions: tuple[Action, ...]
    combos: FloatArray
    reach: FloatArray
    strategy: FloatArray
    ev: FloatArray | None = None
    action_ev: FloatArray | None = None
    board: tuple[int, ...] = ()
    reached: float | None = None

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def decision(self) -> Decision:
        """The decision itself: of nodes of spots, which have more to say, it is a part."""
        return self

    @property
    def is_by_class(self) -> bool:
        """Whether columns are the 169 classes, not combos."""
        return len(self.combos) == NUM_CLASSES

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns: `AA`, `AKs` ..., or `2d2c` ... `AsAh`."""
        return CLASS_NAMES if self.is_by_class else tuple(map(combo_name, range(NUM_COMBOS)))

    @property
    def codes(self) -> tuple[str, ...]:
        """The actions as lines write them: `F`, `C`, `R2.5`."""
        return tuple(action.code for action in self.actions)

    @property
    def dealt(self) -> Int64Array:
        """int64[n]: the columns of hands that may be held."""
        return np.flatnonzero(self.combos)

    @property
    def place(self) -> str:
        """Where it is in words: `after R2.5-C`, `after C-X| on Td9d6h`, or `at the start`."""
        board = f" on {card_names(self.board)}" if self.board else ""
        return f"after {self.line}{board}" if self.line else f"at the start{board}"

    @property
    def frequencies(self) -> FloatArray:
        """float64[A]: how often each action is taken by the hands that get here."""
        weights = self.combos * self.reach
        total = weights.sum()
        return self.strategy @ weights / total if total > 0 else np.zeros(len(self.actions))

    def count(self, action: int) -> float:
        """Count the combos that take an action, by their reach.

        Args:
            action: Its number.

        Returns:
            The number; a hand counts by its reach and its frequency.
        """
        return float((self.reach * self.strategy[self._checked(action)] * self.combos).sum())

    def mixed(self, action: int) -> dict[str, float]:
        """The hands that take an action, and others as well.

        Args:
            action: Its number.

        Returns:
            How often each of them takes it, by its name.
        """
        shares = self.strategy[self._checked(action)]
        both = self.dealt[((shares > 0) & (shares < 1))[self.dealt]]
        names = self.names
        return {names[k]: float(shares[k]) for k in both}

    def column(self, combo: int) -> int:
        """The column of a combo.

        Args:
            combo: Its number.

        Returns:
            That of its class, where columns are classes.
        """
        return int(CLASS_OF_COMBO[combo]) if self.is_by_class else combo

    def mixture(self, combo: int) -> tuple[float, ...] | None:
        """The probabilities of the actions with a hand.

        Args:
            combo: Its number.

        Returns:
            One probability per action; None where the solution says nothing of the hand.
        """
        shares = np.maximum(self.strategy[:, self.column(combo)].astype(np.float64), 0.0)
        total = float(shares.sum())
        return tuple((shares / total).tolist()) if total > 0.0 else None

    def values(self, combo: int) -> tuple[float, ...] | None:
        """The EV of each action with a hand.

        Args:
            combo: Its number.

        Returns:
            A value per action; None where the solution has none for the hand.
        """
        if self.action_ev is None:
            return None
        values = self.action_ev[:, self.column(combo)]
        return tuple(values.tolist()) if np.isfinite(values).all() else None

    def over_combos(self, columns: FloatArray) -> FloatArray:
        """Numbers of columns as numbers of combos.

        Args:
            columns: float64[..., H].

        Returns:
            float64[..., 1326].
        """
        return columns[..., CLASS_OF_COMBO] if self.is_by_class else columns

    def by_class(self) -> Decision:
        """Merge the columns of combos into one for each hand class.

        A decision that has a column for each class already is returned as it is.

        Returns:
            Means over the combos of each class, weighted by their reach; those of a class that
            never gets here count alike.
        """
        if self.is_by_class:
            return self
        dealt = np.where(self.combos > 0, 1.0, 0.0)
        combos, held = _class_sums(dealt), _class_sums(self.reach * dealt)
        weights = np.where(held[CLASS_OF_COMBO] > 0, self.reach * dealt, dealt)

        def means(rows: FloatArray | None) -> FloatArray | None:
            if rows is None:
                return None
            flat = rows.reshape(-1, NUM_COMBOS)
            finite_weights = [np.where(np.isfinite(row), weights, 0.0) for row in flat]
            sums = [
                _class_sums(w * np.nan_to_num(row))
                for w, row in zip(finite_weights, flat, strict=True)
            ]
            totals = np.maximum([*map(_class_sums, finite_weights)], 1e-300)
            return np.where(totals > 1e-300, np.array(sums) / totals, np.nan).reshape(
                *rows.shape[:-1], NUM_CLASSES
            )

        taken = np.array([_class_sums(weights * row) for row in self.strategy])
        return replace(
            self,
            combos=combos,
            reach=held / np.maximum(combos, 1.0),
            strategy=taken / np.maximum(_class_sums(weights), 1e-300),
            ev=means(self.ev),
            action_ev=means(self.action_ev),
        )

    def range(self, action: int | None = None) -> Range:
        """The hands that take an action.

        Args:
            action: Its number; None for all hands that get here.

        Returns:
            The range, with weights to three significant digits; hands whose weight is below 0.0005
            of the largest are left out.
        """
        weights = self.reach * (self.combos > 0)
        if action is not None:
            weights = weights * self.strategy[self._checked(action)]
        return Range.from_weights(self.over_combos(to_digits(weights, _DIGITS, least=5e-4)))

    def range_text(self, action: int) -> str:
        """The hands that take an action, as ranges are written: `AA,AKs:0.5`.

        Args:
            action: Its number.

        Returns:
            A range that `postflop` takes; empty where no hand does.
        """
        weights = self.reach * self.strategy[self._checked(action)] * (self.combos > 0)
        return ",".join(
            name if weight > 0.9995 else f"{name}:{weight:.{_DIGITS}g}"
            for name, weight in zip(self.names, weights.tolist(), strict=True)
            if weight >= _LEAST_REACH
        )

    def columns_of(self, hands: str) -> list[int]:
        """The columns of hands.

        Args:
            hands: A range, such as `AhKh,77+`.

        Returns:
            Their numbers, ascending; that of a class if any hand of it is meant.

        Raises:
            RangeSyntaxError: The text is no range.
            ConfigError: None of the hands may be held here.
        """
        meant = np.flatnonzero(Range(hands).weights)
        columns = np.unique(CLASS_OF_COMBO[meant]) if self.is_by_class else meant
        chosen = [k for k in columns.tolist() if self.combos[k]]
        if not chosen:
            raise ConfigError(
                f"no hand of {hands} is dealt here",
                option="KEY",
                given=hands,
                remedy="give hands of the deck, such as AhKh or 77+",
            )
        return chosen

    def draw(self, path: str | os.PathLike[str], title: str | None = None) -> None:
        """Draw the strategy as a 13x13 grid, whose cells are filled up to the reach.

        Args:
            path: The file, .svg or .png.
            title: What stands above it; by default the seat and the place.

        Raises:
            ConfigError: The name of the file ends otherwise.
            OutputError: The file cannot be written.
        """
        shown = self.by_class()
        title = f"{self.seat_name} {self.place}" if title is None else title
        draw_grid(path, shown.reach, shown.strategy, self.actions, title)

    def to_dict(self) -> dict[str, Any]:
        """Give all figures as plain values.

        Returns:
            A document, as `--json` prints it: line, seat, actions, `frequencies` and `ranges` of
            the actions, and `hands` with their figures, None where there are none; `reached`, and
            after the flop `street` and `board`, where they are known.
        """
        shown = self.dealt.tolist()
        reached = {} if self.reached is None else {"reached": self.reached}
        cards = {"street": self.street, "board": card_names(self.board)} if self.board else {}
        return {
            "line": self.line,
            **cards,
            "seat": self.seat_name,
            "actions": list(self.codes),
            **reached,
            "frequencies": self.frequencies.tolist(),
            "ranges": {code: self.range_text(k) for k, code in enumerate(self.codes)},
            "hands": {self.names[k]: self._hand_document(k) for k in shown},
        }

    def _hand_document(self, k: int) -> dict[str, Any]:
        return {
            "reach": float(self.reach[k]),
            "strategy": self.strategy[:, k].tolist(),
            "ev": None if self.ev is None else finite_or_none(self.ev[k]),
            "action_ev": (
                None
                if self.action_ev is None
                else [*map(finite_or_none, self.action_ev[:, k].tolist())]
            ),
        }

    def _checked(self, action: int) -> int:
        return whole_number("action", action, 0, len(self.actions) - 1)


def finite_or_none(number: float) -> float | None:
    """A number for JSON, which has no NaN."""
    return float(number) if np.isfinite(number) else None


def off_path(absent: Sequence[str]) -> str:
    """Say that seats never come to a point; empty for none.

    Args:
        absent: The names of the seats.

    Returns:
        One sentence, without a full stop.
    """
    if not absent:
        return ""
    comes = "comes" if len(absent) == 1 else "come"
    return f"{NOT_REACHED}: {' and '.join(absent)} never {comes} here"


def _class_sums(numbers: FloatArray) -> FloatArray:
    """float64[169]: sums over the combos of each class."""
    return np.bincount(CLASS_OF_COMBO, numbers, NUM_CLASSES).astype(np.float64, copy=False)
