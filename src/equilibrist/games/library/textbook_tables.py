"""Classics in normal form whose tables follow from a rule and its parameters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, ClassVar, Final

from equilibrist.games.library.matrix import MatrixState, NormalFormGame
from equilibrist.games.parameters import parameter

MAX_CELLS: Final = 250_000
"""Cells up to which a table is written down."""


@dataclass(frozen=True)
class _RuledTable(NormalFormGame):
    """A table that follows from a rule; a subclass says `action_labels` and `pay`."""

    def pay(self, cell: MatrixState) -> tuple[float, ...]:
        """The players' payoffs where they take the actions with these numbers."""
        raise NotImplementedError

    def tables(self) -> Sequence[Any]:
        shape = [len(names) for names in self.action_labels()]
        paid = {cell: self.pay(cell) for cell in product(*map(range, shape))}

        def nested(player: int, cell: MatrixState) -> Any:
            if len(cell) == len(shape):
                return paid[cell][player]
            return [nested(player, (*cell, index)) for index in range(shape[len(cell)])]

        return [nested(player, ()) for player in range(len(shape))]

    def check_cells(self, cells: int, name: str) -> None:
        """Raises GameSpecError for a table of too many cells; `name` is the parameter to lower."""
        if cells > MAX_CELLS:
            limit = f"so low that the table has at most {MAX_CELLS:,} cells, not {cells:,}"
            raise self.refuse(name, getattr(self, name), limit)


@lru_cache(maxsize=8)
def _forces(soldiers: int, fields: int) -> tuple[tuple[int, ...], ...]:
    """All ways to spread soldiers over battlefields, most on the first one first."""
    if fields == 1:
        return ((soldiers,),)
    return tuple(
        (first, *rest)
        for first in range(soldiers, -1, -1)
        for rest in _forces(soldiers - first, fields - 1)
    )


@dataclass(frozen=True)
class ColonelBlotto(_RuledTable):
    """Two colonels spread their soldiers over battlefields; the larger force takes a field.

    Émile Borel, "La théorie du jeu et les équations intégrales à noyau symétrique", 1921; Oliver
    Gross and Robert Wagner, "A continuous Colonel Blotto game", RAND RM-408, 1950. With equally
    many soldiers the value is 0.

    Attributes:
        soldiers: Soldiers of the row player.
        enemies: Soldiers of the column player.
        fields: Battlefields.
        returns_type: `win_loss`: 1 to who takes more fields. `point_difference`: fields taken less
            fields lost.
    """

    game_name: ClassVar[str] = "colonel_blotto"
    aliases: ClassVar[tuple[str, ...]] = ("blotto",)
    summary: ClassVar[str] = "Colonel Blotto: soldiers spread over battlefields"

    soldiers: int = parameter("integer", 6, "soldiers of the row player", minimum=1, maximum=500)
    enemies: int = parameter(
        "integer",
        None,
        "soldiers of the column player",
        minimum=1,
        maximum=500,
        default_text="soldiers",
    )
    fields: int = parameter("integer", 3, "battlefields", minimum=2, maximum=10)
    returns_type: str = parameter(
        "choice",
        "win_loss",
        "1 to who takes more fields, or fields taken less fields lost",
        choices=("win_loss", "point_difference"),
    )

    def filled_in(self) -> dict[str, Any]:
        return {"enemies": self.soldiers}

    def prepare(self) -> None:
        own, other = (
            math.comb(count + self.fields - 1, self.fields - 1)
            for count in (self.soldiers, self.enemies)
        )
        self.check_cells(own * other, "soldiers" if own >= other else "enemies")
        super().prepare()

    def action_labels(self) -> Sequence[Sequence[str]]:
        return [
            ["-".join(map(str, force)) for force in _forces(count, self.fields)]
            for count in (self.soldiers, self.enemies)
        ]

    def pay(self, cell: MatrixState) -> tuple[float, ...]:
        own = _forces(self.soldiers, self.fields)[cell[0]]
        other = _forces(self.enemies, self.fields)[cell[1]]
        taken = sum((a > b) - (a < b) for a, b in zip(own, other, strict=True))
        if self.returns_type == "win_loss":
            taken = (taken > 0) - (taken < 0)
        return (taken, -taken)


@dataclass(frozen=True)
class Morra(_RuledTable):
    """Both show fingers and guess those of the other; who alone is right gets all fingers shown.

    Melvin Dresher, "Games of Strategy: Theory and Applications", 1961, with two fingers: in
    equilibrium nobody guesses the own number, and one finger with the guess 2 is played with
    probability 4/7 to 3/5; value 0.

    Attributes:
        fingers: The most that may be shown.
    """

    game_name: ClassVar[str] = "morra"
    aliases: ClassVar[tuple[str, ...]] = ("two_finger_morra",)
    summary: ClassVar[str] = "Morra: show fingers, and guess those of the other"

    fingers: int = parameter("integer", 2, "the most that may be shown", minimum=2, maximum=10)

    def _choices(self) -> list[tuple[int, int]]:
        """What may be shown, and guessed."""
        counts = range(1, self.fingers + 1)
        return [(shown, guess) for shown in counts for guess in counts]

    def action_labels(self) -> Sequence[Sequence[str]]:
        return [[f"{shown}-guess-{guess}" for shown, guess in self._choices()]] * 2

    def pay(self, cell: MatrixState) -> tuple[float, ...]:
        (own, guess), (other, other_guess) = (self._choices()[index] for index in cell)
        won = (own + other) * ((guess == other) - (other_guess == own))
        return (won, -won)


@dataclass(frozen=True)
class TravelersDilemma(_RuledTable):
    """Two travellers name a claim for equal luggage; the lower one is paid to both, with a bonus.

    Kaushik Basu, "The traveler's dilemma: paradoxes of rationality in game theory", American
    Economic Review 84, 1994. Who claims less gets the bonus, who claims more pays it. With a bonus
    above 1 the only equilibrium is that both claim least.

    Attributes:
        lowest: The lowest claim.
        highest: The highest claim.
        bonus: What who claims less gets from who claims more.
    """

    game_name: ClassVar[str] = "travelers_dilemma"
    aliases: ClassVar[tuple[str, ...]] = ("travellers_dilemma",)
    summary: ClassVar[str] = "the traveler's dilemma: whoever claims less gets a bonus"

    lowest: int = parameter("integer", 2, "the lowest claim", minimum=0, maximum=10_000)
    highest: int = parameter("integer", 100, "the highest claim", minimum=1, maximum=10_000)
    bonus: float = parameter("number", 2, "what the lower claim gets from the higher", minimum=0)

    def prepare(self) -> None:
        if self.lowest >= self.highest:
            raise self.refuse("lowest", self.lowest, f"below the highest claim, {self.highest}")
        self.check_cells((self.highest - self.lowest + 1) ** 2, "highest")
        super().prepare()

    def action_labels(self) -> Sequence[Sequence[str]]:
        return [[str(claim) for claim in range(self.lowest, self.highest + 1)]] * 2

    def pay(self, cell: MatrixState) -> tuple[float, ...]:
        paid = self.lowest + min(cell)
        extra = self.bonus * ((cell[0] < cell[1]) - (cell[0] > cell[1]))
        return (paid + extra, paid - extra)


@dataclass(frozen=True)
class VolunteersDilemma(_RuledTable):
    """All get something if anybody volunteers, which costs who does.

    Andreas Diekmann, "Volunteer's dilemma", Journal of Conflict Resolution 29, 1985. In the
    symmetric equilibrium nobody is the (n - 1)-th root of cost / benefit likely to volunteer: more
    players, and it is less likely that anybody does.

    Attributes:
        players: How many players.
        benefit: What everybody gets if somebody volunteers.
        cost: What each volunteer pays.
    """

    game_name: ClassVar[str] = "volunteers_dilemma"
    aliases: ClassVar[tuple[str, ...]] = ("volunteer",)
    summary: ClassVar[str] = "the volunteer's dilemma: one must, and nobody wants to"

    players: int = parameter("integer", 3, "number of players", minimum=2, maximum=10)
    benefit: float = parameter("number", 2, "to all if anybody volunteers", minimum=0)
    cost: float = parameter("number", 1, "of each who volunteers", minimum=0)

    def action_labels(self) -> Sequence[Sequence[str]]:
        return [["volunteer", "wait"]] * self.players

    def pay(self, cell: MatrixState) -> tuple[float, ...]:
        benefit = self.benefit if 0 in cell else 0
        return tuple(benefit - self.cost * (action == 0) for action in cell)


@dataclass(frozen=True)
class BeautyContest(_RuledTable):
    """Everybody names a number; who is nearest to a fraction of the average shares a prize of 1.

    Hervé Moulin, "Game Theory for the Social Sciences", 1986; Rosemarie Nagel, "Unraveling in
    guessing games: an experimental study", American Economic Review 85, 1995. Dominated numbers
    are left out again and again until 0 remains, or 0 and 1 in whole numbers.

    Attributes:
        players: How many players.
        highest: The highest number.
        fraction: The fraction of the average.
    """

    game_name: ClassVar[str] = "beauty_contest"
    aliases: ClassVar[tuple[str, ...]] = ("guess_two_thirds", "p_beauty_contest")
    summary: ClassVar[str] = "guess two thirds of the average"

    players: int = parameter("integer", 3, "number of players", minimum=2, maximum=10)
    highest: int = parameter("integer", 10, "the highest number", minimum=1, maximum=1000)
    fraction: float = parameter(
        "number", 2 / 3, "of the average", minimum=0, maximum=1, default_text="two thirds"
    )

    def prepare(self) -> None:
        self.check_cells((self.highest + 1) ** self.players, "highest")
        super().prepare()

    def action_labels(self) -> Sequence[Sequence[str]]:
        return [[str(number) for number in range(self.highest + 1)]] * self.players

    def pay(self, cell: MatrixState) -> tuple[float, ...]:
        # In units of 1 / players, with one rounding: numbers equally near must be equal.
        goal = round(self.fraction * sum(cell), 9)
        distances = [abs(number * self.players - goal) for number in cell]
        nearest = min(distances)
        near = [distance - nearest < 1e-6 for distance in distances]
        return tuple(is_near / sum(near) for is_near in near)
