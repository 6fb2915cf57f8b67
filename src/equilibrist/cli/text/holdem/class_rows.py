"""What single classes of hands do at a decision before the flop: a table, a document, a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from equilibrist.cli.text.output import heading, note, show_json, show_table
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import chips, percent

if TYPE_CHECKING:
    from equilibrist.poker.betting.actions import Action
    from equilibrist.poker.preflop.exact.solution import PreflopNode
    from equilibrist.poker.preflop.multiway.solution import MultiwayNode
    from equilibrist.typing import FloatArray


@dataclass(frozen=True)
class ClassRows:
    """A decision, with a column for each class of hands.

    Attributes:
        title: Who decides where.
        names: The classes.
        reach: float64[R]: how often each gets there.
        actions: The codes of the actions.
        strategy: float64[A, R].
        values: float64[A, R]: what each action wins, or gains.
        moves: The actions as objects.
        valued: What the values are called.
    """

    title: str
    names: Sequence[str]
    reach: FloatArray
    actions: Sequence[str]
    strategy: FloatArray
    values: FloatArray
    moves: Sequence[Action]
    valued: str = "EV"

    @classmethod
    def of_node(cls, node: PreflopNode | MultiwayNode) -> Self:
        """Those of a node of an exact solution, or of a hand of several seats."""
        return cls(
            f"{node.seat_name} after {node.line or 'the deal'}",
            node.names, node.reach, node.actions, node.strategy, node.action_ev, node.moves,
        )  # fmt: skip

    def draw(self, path: Path) -> None:
        """Draw the 13x13 grid; raises OutputError."""
        import numpy as np

        from equilibrist.poker.cards.combos import CLASS_NAMES
        from equilibrist.poker.postflop.solution.grid_pictures import draw_grid

        places = [CLASS_NAMES.index(name) for name in self.names]
        reach = np.zeros(len(CLASS_NAMES))
        strategy = np.zeros((len(self.actions), len(CLASS_NAMES)))
        reach[places], strategy[:, places] = self.reach, self.strategy
        draw_grid(path, reach, strategy, tuple(self.moves), self.title)
        note(f"the grid of {self.title} drawn to {path}")

    def show(self, hands: str, *, json: bool) -> None:
        """Print what hands do; raises ConfigError for those that the deck does not have.

        Args:
            hands: A range, such as `AhKh,77+`.
            json: Whether it is printed as a document.
        """
        chosen = self._chosen(hands)
        if json:
            show_json({"decision": self.title, "hands": [self._document(k) for k in chosen]})
            return
        heading(self.title)
        columns = ["hand", "reach", *self.actions, *(f"{self.valued} {a}" for a in self.actions)]
        rows = [
            [
                self.names[k],
                percent(float(self.reach[k]), 1),
                *(percent(float(share), 1) for share in self.strategy[:, k]),
                *(chips(float(value)) for value in self.values[:, k]),
            ]
            for k in chosen
        ]
        show_table(columns, rows)

    def _document(self, k: int) -> dict[str, Any]:
        return {
            "hand": self.names[k],
            "reach": float(self.reach[k]),
            "strategy": dict(zip(self.actions, self.strategy[:, k].tolist(), strict=True)),
            self.valued.lower(): dict(
                zip(self.actions, map(_or_none, self.values[:, k].tolist()), strict=True)
            ),
        }

    def _chosen(self, hands: str) -> list[int]:
        """The columns of hands; all hands of a class do the same."""
        import numpy as np

        from equilibrist.poker.cards.combos import CLASS_NAMES, CLASS_OF_COMBO
        from equilibrist.poker.ranges.range import Range

        meant = {CLASS_NAMES[k] for k in CLASS_OF_COMBO[np.flatnonzero(Range(hands).weights)]}
        chosen = [k for k, name in enumerate(self.names) if name in meant]
        if not chosen:
            raise ConfigError(
                f"no hand of {hands} is dealt here",
                option="KEY",
                given=hands,
                remedy="give hands of the deck, such as AhKh or 77+",
            )
        return chosen


def _or_none(number: float) -> float | None:
    return number if number == number else None
