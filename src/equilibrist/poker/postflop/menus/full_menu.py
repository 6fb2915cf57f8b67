"""The full menu of a street, and the spots in which a seat has some of its sizes.

A menu is the list of a seat's bets on one street. All else stays as the spot has it: raises, donk
bets, other streets, thresholds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final

import numpy as np

from equilibrist.errors import ConfigError, EquilibristError, UnsupportedError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.betting.bet_size_parser import parse_sizes, sizes_text
from equilibrist.poker.betting.bet_sizes import (
    STREETS,
    AllIn,
    BetSize,
    EveryBet,
    PotShare,
    Situation,
    Sizes,
    Street,
    amounts,
)
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.street_tree import ACTION
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.postflop.spot.value_unit import refuse_prizes

DEFAULT_STEPS: Final = "10%"
"""Between two sizes of the full menu."""
LARGEST: Final = Fraction(2)
"""The largest of them below all-in, in pots."""
_SMALLEST_STEP: Final = Fraction(1, 100)


def read_steps(steps: str) -> Sizes:
    """The sizes of a full menu.

    Args:
        steps: One share of the pot, which is the step from one size to the next, up to 200 %, with
            all-in; or a list of sizes, such as `33%, 75%, a`.

    Returns:
        The sizes.

    Raises:
        ConfigError: The step is out of range, or the list holds `all` or 0%.
        BetSizeSyntaxError: A size cannot be read.
    """
    try:
        sizes = parse_sizes(steps)
    except EquilibristError as error:
        error.option = "steps"
        raise
    match sizes:
        case ():
            raise bad_argument("steps", steps, "a step such as 10%, or a list of sizes")
        case (PotShare(step),):
            if not _SMALLEST_STEP <= step <= LARGEST:
                raise bad_argument("steps", steps, "a step from 1% to 200%")
            return (*(PotShare(n * step) for n in range(1, int(LARGEST / step) + 1)), AllIn())
        case _ if EveryBet() in sizes:
            raise bad_argument(
                "steps", steps, "sizes one by one", remedy="give a step such as 5%, or a list"
            )
        case _ if any(isinstance(size, PotShare) and not size.share for size in sizes):
            raise bad_argument("steps", steps, "sizes above 0%")
        case _:
            return sizes


def check_searchable(spot: Spot) -> None:
    """Refuse spots in which the loss of a menu is not defined.

    Args:
        spot: The spot.

    Raises:
        UnsupportedError: It has rake.
        ConfigError: It has locks, or keys that change lists of sizes one by one.
    """
    refuse_prizes(spot, "a study of menus")
    if spot.is_raked:
        raise UnsupportedError(
            "a spot with rake has no single value against which losses could be measured",
            option="rake",
            given=spot.rake,
            remedy="leave out the rake",
        )
    reasons = {
        "locks": "nodes are locked by their bets, which menus change",
        "merge": "merging takes sizes out of the full menu that a small one keeps",
        "added_lines": "lines that are added have bets of their own beside the menus",
        "removed_lines": "lines that are removed have bets that a menu may lack",
    }
    for key, reason in reasons.items():
        if value := getattr(spot, key):
            raise ConfigError(
                f"no menus are found in a spot with {key}: {reason}",
                option=key,
                given=value if key == "merge" else len(value),
                remedy=f"leave out {key}",
            )


def read_street(spot: Spot, street: object) -> Street:
    """The street whose menus are meant; None for the first.

    Args:
        spot: The spot.
        street: `flop`, `turn` or `river`, in any case of letters.

    Returns:
        The number of the street.

    Raises:
        ConfigError: There is no such street in the spot.
    """
    first = spot.first_street
    if street is None:
        return first
    name = street.lower() if isinstance(street, str) else street
    if name not in STREETS[first:]:
        raise bad_argument("street", street, " or ".join(STREETS[first:]))
    return (0, 1, 2)[STREETS.index(name)]


@dataclass(frozen=True)
class MenuGames:
    """The games in which menus are compared: a spot with other bets on one street.

    Attributes:
        spot: The spot.
        street: The street of the menus.
        sizes: The full menu of each seat, ascending; sizes that are the same bet everywhere count
            once.
    """

    spot: Spot
    street: Street
    sizes: tuple[Sizes, Sizes]

    @classmethod
    def of(cls, spot: Spot, street: Street, steps: str) -> MenuGames:
        """The games of a spot, with full menus that `read_steps` reads."""
        grid = read_steps(steps)
        whole = cls(spot, street, (grid, grid))
        distinct = [whole._distinct(seat, grid) for seat in (0, 1)]
        return cls(spot, street, (distinct[0], distinct[1]))

    @cached_property
    def full(self) -> Spot:
        """The spot in which both seats have their full menus."""
        return self.with_menus({})

    def with_menus(self, menus: Mapping[int, Sizes]) -> Spot:
        """The spot in which some seats have a small menu, and others the full one.

        Args:
            menus: Sizes by seat.

        Returns:
            The spot. Its amounts are multiples of the same unit, whatever the sizes.
        """
        lists = {seat: menus.get(seat, self.sizes[seat]) for seat in (0, 1)}
        return _with_bets(self.spot, self.street, lists, self._unit)

    def saved(self, menus: Mapping[int, Sizes]) -> Spot:
        """The spot in which some seats have a small menu, and others the sizes that they had."""
        return _with_bets(self.spot, self.street, menus, None)

    @cached_property
    def _unit(self) -> float:
        lists = dict(enumerate(self.sizes))
        return _with_bets(self.spot, self.street, lists, None).rules().unit

    def root_amounts(self, seat: int) -> list[float] | None:
        """In chips, the bets of the full menu where the seat acts first; None on later streets."""
        if self.street != self.spot.first_street:
            return None
        rules = self.full.rules()
        (situation,) = self._situations(seat)
        return [rules.scale.chips(_totals(rules, size, situation)[0]) for size in self.sizes[seat]]

    def _situations(self, seat: int) -> list[Situation]:
        """Where a seat may bet on the street."""
        rules, tree = self.full.rules(), self.full.betting.tree
        stack = rules.scale.units(self.spot.stack)
        acts = (tree.kind == ACTION) & (tree.player == seat) & (tree.street == self.street)
        unbet = np.flatnonzero(acts & (tree.paid[:, 0] == tree.paid[:, 1]))
        pairs = {(int(tree.pot[node]), stack - int(tree.paid[node, 0])) for node in unbet}
        return [
            Situation(pot, 0, behind, self.street, 0, rules.scale) for pot, behind in sorted(pairs)
        ]

    def _distinct(self, seat: int, sizes: Sizes) -> Sizes:
        """The sizes that differ somewhere, ascending; of equal ones all-in, or the first."""
        rules, situations = self.full.rules(), self._situations(seat)
        by_bets: dict[tuple[tuple[int, ...], ...], BetSize] = {}
        for size in sorted(sizes, key=lambda size: not isinstance(size, AllIn)):
            by_bets.setdefault(tuple(_totals(rules, size, each) for each in situations), size)
        return tuple(size for _, size in sorted(by_bets.items(), key=lambda entry: entry[0]))


def _totals(rules: BettingRules, size: BetSize, situation: Situation) -> tuple[int, ...]:
    """The bets of a menu of one size, in units."""
    least = min(rules.scale.units(rules.min_bet), situation.all_in)
    return tuple(amounts((size,), situation, least, rules.thresholds))


def _with_bets(spot: Spot, street: Street, lists: Mapping[int, Sizes], unit: float | None) -> Spot:
    """A spot with other bets of some seats on one street."""
    texts = {f"{name}_bets": getattr(spot, f"{name}_bets") for name in SEATS}
    for seat, sizes in lists.items():
        menus = spot.rules().menus[seat]
        by_street = [sizes_text(sizes if n == street else menus[n].bets) for n in range(3)]
        texts[f"{SEATS[seat]}_bets"] = _joined(by_street, spot.first_street)
    keys: dict[str, object] = dict(texts)
    oop, ip = texts.values()
    if oop is not None and ip is not None:  # they leave nothing to the list of both
        keys["bets"] = ""
        if oop == ip:
            keys = {"bets": oop, "oop_bets": None, "ip_bets": None}
    return spot.replace(**keys) if unit is None else spot.replace(**keys, unit=unit)


def _joined(by_street: list[str], first: int) -> str:
    """The lists of the streets from `first` on as one text."""
    if len({*by_street[first:]}) == 1:
        return by_street[first]
    return "|".join([""] * first + by_street[first:])
