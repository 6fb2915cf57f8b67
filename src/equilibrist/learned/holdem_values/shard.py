"""A shard: rows of labelled situations that are made, and stored, together."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.learned.holdem_values.labels import Label, label
from equilibrist.learned.holdem_values.situations import (
    BOARD_CARDS,
    DatasetStreet,
    Situation,
    random_situation,
    solved_situations,
)
from equilibrist.learned.holdem_values.solved_streets import solved_street
from equilibrist.parsing.arguments import bad_argument, real_number, whole_number
from equilibrist.poker.cards.cards import card_mask
from equilibrist.poker.cards.combos import without_cards
from equilibrist.poker.postflop.solution.stopping import chips_of

SHARD_ROWS: Final[dict[str, int]] = {"turn": 20, "river": 100}
"""Rows of a shard, by street: some seconds of work, which a kill may lose."""
STREET_ROWS: Final = 200
"""Rows of a shard out of solved spots, each of which leads to some 150 to 250 situations."""
_NO_CARD: Final = -1
_SHARES: Final = ("add_all_in", "force_all_in", "merge")
"""Settings of bets that are shares of the pot."""
_MAX_RATIO: Final = {"turn": 25.0, "river": 100.0}


@dataclass(frozen=True)
class DatasetPlan:
    """What fixes each row of a dataset: rows depend on the plan and their number alone.

    Attributes:
        street: The street that begins: "turn" or "river".
        seed: Fixes boards, chips and ranges.
        target: To which exploitability situations are solved: "0.3%" of the pot.
        solved_share: The share of rows whose ranges are from solved play; others are random.
        max_ratio: The largest stack / pot of rows with random ranges; None for 25 on the turn,
            where deeper stacks take ten times as long, and 100 on the river.
        bets: Bet sizes of both players, as `Spot` takes them.
        raises: Raise sizes of both players.
        add_all_in: As `Spot` takes it.
        force_all_in: As `Spot` takes it.
        merge: As `Spot` takes it.
        whole_streets: Whether rows are all situations to which spots of the street before lead,
            with the values of their solutions; `solved_share` and `max_ratio` say nothing then.
    """

    street: DatasetStreet
    seed: int = 0
    target: str = "0.3%"
    solved_share: float = 0.3
    max_ratio: float | None = None
    bets: str = "100%,a"
    raises: str = "100%,a"
    add_all_in: float | str = 0.0
    force_all_in: float | str = 0.0
    merge: float | str = 0.0
    whole_streets: bool = False

    def __post_init__(self) -> None:
        """Check the values; raises ConfigError."""
        if self.street not in SHARD_ROWS:
            raise bad_argument("street", self.street, "turn or river")
        whole_number("seed", self.seed, 0)
        real_number("solved_share", self.solved_share, 0.0, 1.0)
        ratio = _MAX_RATIO[self.street] if self.max_ratio is None else self.max_ratio
        object.__setattr__(self, "max_ratio", real_number("max_ratio", ratio, 0.1, 1e4))
        chips_of(self.target, 1.0)
        _check_sizes(self)

    @property
    def menu(self) -> dict[str, Any]:
        """The bet sizes, as keys of `Spot`."""
        shares = {name: getattr(self, name) for name in _SHARES}
        return {"bets": self.bets, "raises": self.raises, **shares}

    @property
    def shard_rows(self) -> int:
        """Rows of a whole shard."""
        if self.whole_streets:
            return STREET_ROWS
        return SHARD_ROWS[self.street]

    def to_dict(self) -> dict[str, Any]:
        """The fields, for JSON."""
        return asdict(self)


def _check_sizes(plan: DatasetPlan) -> None:
    """Read settings of bets; raises ConfigError."""
    from equilibrist.poker.postflop.spot.reading import check_sizes, read_pot_share

    check_sizes("bets", plan.bets)
    check_sizes("raises", plan.raises)
    for name in _SHARES:
        object.__setattr__(plan, name, read_pot_share(name, getattr(plan, name)))


class DatasetRows(NamedTuple):
    """Labelled situations, n of them; H hands are those that a board leaves, combos ascending."""

    board: NDArray[np.int8]
    """int8[n, 5]: the canonical board; -1 in place of the river card of a turn."""
    pot: NDArray[np.float64]
    """float64[n]: chips in the middle."""
    stack: NDArray[np.float64]
    """float64[n]: chips that each player has behind."""
    ranges: NDArray[np.float32]
    """float32[n, 2, H]: the weights of both players' hands, each with sum 1."""
    values: NDArray[np.float32]
    """float32[n, 2, H]: counterfactual values in pots, see `labels.Label`; NaN if not known."""
    check_down: NDArray[np.float32]
    """float32[n, 2, H]: the same if nobody bets."""
    gain: NDArray[np.float64]
    """float64[n]: the exploitability at which solving ended, as a share of the pot."""
    iterations: NDArray[np.int32]
    """int32[n]: the iterations that it took."""
    source: NDArray[np.uint8]
    """uint8[n]: 0 random ranges, 1 ranges from solved play, 2 whole streets."""

    def one(self, row: int) -> DatasetRows:
        """Copy a single row, so that keeping it does not keep all others in memory."""
        parts = {name: rows[row : row + 1].copy() for name, rows in self._asdict().items()}
        return DatasetRows(**parts)


def make_shard(
    plan: DatasetPlan, number: int, rows: int, stop: Callable[[], bool] = lambda: False
) -> DatasetRows | None:
    """Draw and solve the first rows of a shard.

    Args:
        plan: What fixes the rows.
        number: Which shard, from 0.
        rows: How many of its rows.
        stop: Asked before each row whether to give up.

    Returns:
        The rows; None if it gave up.
    """

    def generator(part: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence([plan.seed, number, part]))

    if plan.whole_streets:
        made = _of_streets(plan, generator, rows, stop)
    else:
        made = _one_by_one(plan, generator, rows, stop)
    if made is None:
        return None
    held = [without_cards(card_mask(situation.cards)) for situation, _ in made]

    def over_hands(name: str, of: int) -> NDArray[np.float32]:
        return np.stack(
            [
                np.asarray(getattr(pair[of], name)[:, hands], np.float32)
                for pair, hands in zip(made, held, strict=True)
            ]
        )

    empty = [_NO_CARD] * (5 - BOARD_CARDS[plan.street])
    return DatasetRows(
        board=np.array([[*situation.cards, *empty] for situation, _ in made], np.int8),
        pot=np.array([situation.pot for situation, _ in made], np.float64),
        stack=np.array([situation.stack for situation, _ in made], np.float64),
        ranges=over_hands("ranges", 0),
        values=over_hands("values", 1),
        check_down=over_hands("check_down", 1),
        gain=np.array([row.gain for _, row in made], np.float64),
        iterations=np.array([row.iterations for _, row in made], np.int32),
        source=np.array([situation.source for situation, _ in made], np.uint8),
    )


def _one_by_one(
    plan: DatasetPlan,
    generator: Callable[[int], np.random.Generator],
    rows: int,
    stop: Callable[[], bool],
) -> list[tuple[Situation, Label]] | None:
    """Situations, each of which is solved for its label."""
    solved = [
        int((row + 1) * plan.solved_share) > int(row * plan.solved_share)
        for row in range(plan.shard_rows)
    ]
    wanted = sum(solved) if any(solved[:rows]) else 0
    from_play = iter(solved_situations(plan.street, generator(0), wanted))
    made = []
    for row in range(rows):
        if stop():
            return None
        situation = (
            next(from_play)
            if solved[row]
            else random_situation(plan.street, generator(row + 1), plan.max_ratio or math.inf)
        )
        made.append((situation, label(situation, plan.menu, plan.target)))
    return made


def _of_streets(
    plan: DatasetPlan,
    generator: Callable[[int], np.random.Generator],
    rows: int,
    stop: Callable[[], bool],
) -> list[tuple[Situation, Label]] | None:
    """Situations with the values of the solutions that lead to them."""
    made: list[tuple[Situation, Label]] = []
    spots = 0
    while len(made) < rows:
        if stop():
            return None
        left = plan.shard_rows - len(made)
        made += solved_street(plan.street, generator(spots), plan.menu, plan.target, left)
        spots += 1
    return made[:rows]
