"""A spot: a board, two ranges, the pot, the stacks, and the bets that the players may make.

Its keys are those of a spot file (TOML), of `Spot`, and of the options of `equilibrist postflop`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from decimal import Decimal
from functools import cached_property
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import numpy as np
from pydantic import (
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import instance, real_number, whole_number
from equilibrist.poker.betting.bet_sizes import Street, Thresholds
from equilibrist.poker.betting.chips import MOST_CHIPS
from equilibrist.poker.betting.public_tree import WalkedBetting
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import Menus, street_menus
from equilibrist.poker.cards.cards import parse_board, refuse_outside_deck
from equilibrist.poker.cards.decks import FULL_DECK, Deck, read_deck
from equilibrist.poker.cards.isomorphism import symmetries
from equilibrist.poker.equities.drawn_folds import DrawnBunching
from equilibrist.poker.equities.folded import EXACT_FOLDED, free_folded
from equilibrist.poker.equities.pair_weights import Bunching
from equilibrist.poker.postflop.spot.fields import SEATS, SPOT_KEYS
from equilibrist.poker.postflop.spot.keyed import Keyed
from equilibrist.poker.postflop.spot.lock import Lock
from equilibrist.poker.postflop.spot.reading import (
    at_place,
    check_keys,
    check_sizes,
    read_amount,
    read_board,
    read_folded_ranges,
    read_lines,
    read_locks,
    read_pot_share,
    read_range,
    read_stacks,
    unit_of,
    with_range_files,
    with_ranges_of_deck,
    with_smaller_stack,
)
from equilibrist.poker.postflop.spot.resolved_locks import LockedNode, locked_nodes, symmetries_with
from equilibrist.poker.postflop.spot.toml import parse_spot, read_spot_file
from equilibrist.poker.postflop.spot.validation import (
    betting_warnings,
    refuse_folded,
    refuse_ranges,
    refuse_unused,
)
from equilibrist.poker.postflop.spot.value_unit import ValueUnit
from equilibrist.poker.ranges.range import Range, drop_negligible
from equilibrist.poker.tournaments.prizes import (
    Prizes,
    checked_payouts,
    chips_above_0,
    read_payouts,
    refuse_others_alone,
    written_amounts,
)
from equilibrist.typing import Int32Array

_RangeText = Annotated[Range, PlainSerializer(Range.__str__), WithJsonSchema({"type": "string"})]
_Lock = Annotated[Lock, PlainSerializer(Lock.to_dict), WithJsonSchema({"type": "object"})]
_SIZES: Final = ("bets", "raises", "donks", "oop_bets", "oop_raises", "ip_bets", "ip_raises")
"""Keys of lists of bet sizes."""


class Spot(Keyed):
    """A heads-up hold'em spot from the flop, the turn or the river on. Frozen, hashable.

    Chips have at most four decimals; thresholds and the rake are fractions, or texts such as `15%`.
    Bet sizes are texts (`parse_sizes`), one list for all streets or three for flop, turn and river.

    Args:
        board: 3, 4 or 5 cards, such as `QsJh2h`.
        oop: The range of the player out of position, who acts first.
        ip: The range of the player in position.
        pot: The chips in the middle.
        stack: The effective stack in chips, the smaller of both stacks.
        deck: The lowest rank in the deck, or `short` for short-deck hold'em (36 cards, a flush
            beats a full house, A6789 is a straight), or `short-trips`, where three of a kind beats
            a straight, too. Hands with cards that the deck lacks are left out.
        folded: The ranges of players who folded before the flop. Nobody else holds their cards
            (bunching): a pair of hands counts as often as they can hold hands beside it. That is
            counted exactly for one or two of them; of more, up to eight, hands are drawn.
        bets: Bet sizes of both players: `60%`, or by street `52%|55%|70%`.
        raises: Raise sizes of both players: `2.5x`, or by street.
        oop_bets: Bet sizes out of position, in place of `bets`.
        oop_raises: Raise sizes out of position, in place of `raises`.
        ip_bets: Bet sizes in position, in place of `bets`.
        ip_raises: Raise sizes in position, in place of `raises`.
        donks: Donk bet sizes, out of position after calling on the previous street: `||50%`.
        add_all_in: Add all-in where it is at most this share of the pot.
        all_in_without_sizes: Whether `add_all_in` also adds where a player has no sizes.
        force_all_in: Make a bet all-in if a call would leave at most this share of the pot.
        merge: Drop sizes that are this close to a larger one.
        raise_cap: The maximum number of raises on a street; None for no cap.
        min_bet: The smallest bet in chips.
        unit: What bets are multiples of: 1, 0.1, 0.01 ... chips; None for the largest that fits.
        rake: The share of the pot that the house takes.
        rake_cap: The maximum rake in chips; None for no cap.
        added_lines: Lines without cards whose actions are added: `X-B150`.
        removed_lines: Lines without cards whose last action is removed.
        locks: Node locks: `Lock`, or texts such as `B120: AA,KK = Call 100%`.
        payouts: The payouts of a tournament from the first place down, in any unit, or a text such
            as `50,30,20`. Values are then expected prizes in this unit, by the independent chip
            model; pots and bets stay chips. None plays for chips.
        others: With payouts, the stacks of players who are not in the hand.
        stacks: With payouts, the chips that each player has behind, OOP first, where they differ;
            the smaller one is the effective stack, and `stack` can be left out.

    Raises:
        ConfigError: A value is invalid, or the values do not fit together.
        UnknownNameError: A key is unknown.
        NotationError: A card, range, size, line or lock cannot be read; has its key and position.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    board: str = Field(description=SPOT_KEYS["board"])
    oop: _RangeText = Field(description=SPOT_KEYS["oop"])
    ip: _RangeText = Field(description=SPOT_KEYS["ip"])
    pot: int | float = Field(description=SPOT_KEYS["pot"])
    stack: int | float = Field(description=SPOT_KEYS["stack"])
    deck: str = Field(default=FULL_DECK.name, description=SPOT_KEYS["deck"])
    folded: tuple[_RangeText, ...] = Field(default=(), description=SPOT_KEYS["folded"])
    bets: str = Field(default="", description=SPOT_KEYS["bets"])
    raises: str = Field(default="", description=SPOT_KEYS["raises"])
    oop_bets: str | None = Field(default=None, description=SPOT_KEYS["oop_bets"])
    oop_raises: str | None = Field(default=None, description=SPOT_KEYS["oop_raises"])
    ip_bets: str | None = Field(default=None, description=SPOT_KEYS["ip_bets"])
    ip_raises: str | None = Field(default=None, description=SPOT_KEYS["ip_raises"])
    donks: str = Field(default="", description=SPOT_KEYS["donks"])
    add_all_in: float = Field(default=0.0, description=SPOT_KEYS["add_all_in"])
    all_in_without_sizes: bool = Field(default=False, description=SPOT_KEYS["all_in_without_sizes"])
    force_all_in: float = Field(default=0.0, description=SPOT_KEYS["force_all_in"])
    merge: float = Field(default=0.0, description=SPOT_KEYS["merge"])
    raise_cap: int | None = Field(default=None, description=SPOT_KEYS["raise_cap"])
    min_bet: int | float = Field(default=1, description=SPOT_KEYS["min_bet"])
    unit: int | float | None = Field(default=None, description=SPOT_KEYS["unit"])
    rake: float = Field(default=0.0, description=SPOT_KEYS["rake"])
    rake_cap: float | None = Field(default=None, description=SPOT_KEYS["rake_cap"])
    added_lines: tuple[str, ...] = Field(default=(), description=SPOT_KEYS["added_lines"])
    removed_lines: tuple[str, ...] = Field(default=(), description=SPOT_KEYS["removed_lines"])
    locks: tuple[_Lock, ...] = Field(default=(), description=SPOT_KEYS["locks"])
    payouts: tuple[float, ...] | None = Field(default=None, description=SPOT_KEYS["payouts"])
    others: tuple[float, ...] = Field(default=(), description=SPOT_KEYS["others"])
    stacks: tuple[int | float, int | float] | None = Field(
        default=None, description=SPOT_KEYS["stacks"]
    )

    if TYPE_CHECKING:  # what the keys are read from; the fields above say what they become

        def __init__(
            self,
            *,
            board: str,
            oop: Range | str,
            ip: Range | str,
            pot: float | str | Decimal,
            stack: float | str | Decimal | None = None,
            deck: str = "2",
            folded: Sequence[Range | str] | Range | str = (),
            bets: str = "",
            raises: str = "",
            oop_bets: str | None = None,
            oop_raises: str | None = None,
            ip_bets: str | None = None,
            ip_raises: str | None = None,
            donks: str = "",
            add_all_in: float | str = 0.0,
            all_in_without_sizes: bool = False,
            force_all_in: float | str = 0.0,
            merge: float | str = 0.0,
            raise_cap: int | None = None,
            min_bet: float | str | Decimal = 1,
            unit: float | str | Decimal | None = None,
            rake: float | str = 0.0,
            rake_cap: float | None = None,
            added_lines: Sequence[str] = (),
            removed_lines: Sequence[str] = (),
            locks: Sequence[Lock | str | Mapping[str, Any]] = (),
            payouts: Sequence[float] | str | None = None,
            others: Sequence[float] | str = (),
            stacks: Sequence[float | str | Decimal] | str | None = None,
        ) -> None: ...

    @classmethod
    def from_toml(cls, path: str | os.PathLike[str], **changes: Any) -> Spot:
        """Read a spot file.

        Args:
            path: The file, in TOML. Its ranges may be names of files, relative to its folder, as
                `poker.read_range_file` reads them.
            **changes: Keys that override those of the file.

        Returns:
            The spot, validated.

        Raises:
            FileFormatError: It is not TOML, or no file, or cannot be read.
            ConfigError: As from `Spot`, and so are UnknownNameError and NotationError.
        """
        keys = read_spot_file(path)
        keys |= changes
        with nullcontext() if changes else at_place(path):  # perhaps not the file's fault
            return cls(**with_range_files(keys, Path(path).parent))

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """The cards of the board."""
        return parse_board(self.board)

    @cached_property
    def whole_deck(self) -> Deck:
        """The deck, with its ranking of hands."""
        return read_deck(self.deck)

    def runout_probability(self, count: int) -> float:
        """The probability of one runout, given the hands of both players, and those folded.

        Args:
            count: How many cards it has, in their order.

        Returns:
            The probability: 1 / 45 for a turn and 1 / 1980 for a turn and a river on a flop of 52
            cards.
        """
        unseen = self.whole_deck.size - len(self.cards) - 4 - 2 * len(self.folded)
        return 1 / prod(range(unseen - count + 1, unseen + 1))

    @property
    def first_street(self) -> Street:
        """The first street: 0 flop, 1 turn, 2 river."""
        return (0, 1, 2)[len(self.cards) - 3]

    @cached_property
    def ranges(self) -> tuple[Range, Range]:
        """The ranges out of position and in position, after card removal by board and deck.

        Hands whose weight is below 1e-30 of the largest are dropped, too.
        """
        taken = (*self.whole_deck.absent, *self.cards)
        oop, ip = (
            Range.from_weights(drop_negligible(whole.without(taken).weights))
            for whole in (self.oop, self.ip)
        )
        return oop, ip

    @cached_property
    def bunching(self) -> Bunching | None:
        """What the folded ranges leave to pairs of hands; None if there are none."""
        if not self.folded:
            return None
        deck = self.whole_deck
        free_folded(self.folded, self.cards, (), deck)  # refuses those of which no hand is left
        weights = np.array([held.without(deck.absent).weights for held in self.folded])
        counts_all = len(weights) <= EXACT_FOLDED
        return (Bunching if counts_all else DrawnBunching)(weights, self.cards)

    @cached_property
    def locked_nodes(self) -> tuple[LockedNode, ...]:
        """The nodes at which locks fix something."""
        return locked_nodes(self.locks, self.rules(), self.cards, self.ranges)

    @property
    def symmetries(self) -> Int32Array:
        """int32[G]: the suit symmetries, locks included, as indices into `SUIT_PERMUTATIONS`."""
        return np.array(self._symmetries, np.int32)

    @property
    def is_raked(self) -> bool:
        """Whether the house takes a share of pots, so that payoffs have no constant sum."""
        return self.rake > 0

    @property
    def has_constant_sum(self) -> bool:
        """Whether what one player wins the other loses: without rake, and for chips."""
        return not self.is_raked and self.payouts is None

    @cached_property
    def prizes(self) -> Prizes | None:
        """The payouts with all stacks of the tournament; None in play for chips."""
        if self.payouts is None:
            return None
        return Prizes(self.payouts, self.stacks or (self.stack,) * 2, self.others)

    @cached_property
    def value_unit(self) -> ValueUnit:
        """What values are measured in: chips, or prizes."""
        return ValueUnit.of(self.pot, self.rules().scale.per_chip, self.prizes)

    @property
    def measure_name(self) -> str:
        """The name of the mean gain of best responses.

        That is exploitability; with rake, and where play is for prizes, mean gain.
        """
        return "exploitability" if self.has_constant_sum else "mean gain"

    def rules(self) -> BettingRules:
        """The betting rules of the spot.

        Returns:
            The rules, made once per spot.
        """
        return self._rules

    @cached_property
    def betting(self) -> WalkedBetting:
        """The betting, enumerated once and shared by all users.

        Raises MemoryBudgetError if it is too large to enumerate.
        """
        return WalkedBetting.of(self._rules)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on sizes that may not be meant: raises that cannot act, all-in not added."""
        return tuple(warning.text for warning in betting_warnings(self.betting))

    @cached_property
    def _symmetries(self) -> tuple[int, ...]:
        group = symmetries(self.cards, [held.weights for held in (*self.ranges, *self.folded)])
        return tuple(symmetries_with(self.locked_nodes, group).tolist())

    @cached_property
    def _rules(self) -> BettingRules:
        return BettingRules(
            pot=self.pot,
            stack=self.stack,
            menus=self._menus,
            first_street=self.first_street,
            thresholds=Thresholds(
                self.add_all_in, self.force_all_in, self.merge, self.all_in_without_sizes
            ),
            min_bet=self.min_bet,
            unit=self._unit,
            raise_cap=self.raise_cap,
            rake_rate=self.rake,
            rake_cap=self.rake_cap,
            added=self.added_lines,
            removed=self.removed_lines,
            lowest_rank=self.whole_deck.lowest_rank,
        )

    @cached_property
    def _unit(self) -> float:
        chips = {"pot": self.pot, "stack": self.stack, "min_bet": self.min_bet}
        chips |= {f"stacks[{k}]": stack for k, stack in enumerate(self.stacks or ())}
        return unit_of(self.unit, chips, self._menus, self.added_lines)

    @cached_property
    def _menus(self) -> tuple[Menus, Menus]:
        (oop_bets, oop_raises), (ip_bets, ip_raises) = (
            (self._text(seat, "bets"), self._text(seat, "raises")) for seat in SEATS
        )
        return street_menus(oop_bets, oop_raises, self.donks), street_menus(ip_bets, ip_raises)

    def _text(self, seat: str, kind: str) -> str:
        """A player's own list, or the list for both players."""
        own = getattr(self, f"{seat}_{kind}")
        return str(getattr(self, kind) if own is None else own)

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, keys: Any) -> Any:
        return with_ranges_of_deck(check_keys(with_smaller_stack(keys), list(cls.model_fields)))

    @field_validator("board", mode="before")
    @classmethod
    def _board(cls, text: object) -> str:
        return read_board(text)

    @field_validator("deck", mode="before")
    @classmethod
    def _deck(cls, value: object) -> str:
        return read_deck(value).name

    @field_validator(*SEATS, mode="before")
    @classmethod
    def _range(cls, value: object, info: Any) -> Range:
        return read_range(info.field_name, value)

    @field_validator("folded", mode="before")
    @classmethod
    def _folded(cls, value: object, info: Any) -> tuple[Range, ...]:
        return read_folded_ranges(value, info.data.get("deck", FULL_DECK))

    @field_validator("pot", "stack", "min_bet", "unit", mode="before")
    @classmethod
    def _chips(cls, chips: object, info: Any) -> float | None:
        return read_amount(info.field_name, chips)

    @field_validator("payouts", mode="before")
    @classmethod
    def _payouts(cls, payouts: object) -> tuple[float, ...] | None:
        return None if payouts is None else read_payouts(payouts)

    @field_validator("others", mode="before")
    @classmethod
    def _others(cls, others: object) -> tuple[float, ...]:
        return chips_above_0("others", written_amounts("others", others), "stack of another player")

    @field_validator("stacks", mode="before")
    @classmethod
    def _stacks(cls, stacks: object) -> tuple[float, ...] | None:
        return None if stacks is None else read_stacks(stacks)

    @field_validator("raise_cap", mode="before")
    @classmethod
    def _raise_cap(cls, most: object) -> int | None:
        return None if most is None else whole_number("raise_cap", most, 0)

    @field_validator("rake_cap", mode="before")
    @classmethod
    def _rake_cap(cls, chips: object) -> float | None:
        if isinstance(chips, str | Decimal):
            with suppress(ValueError):  # what is no number is named as it stands
                chips = float(chips)
        return None if chips is None else real_number("rake_cap", chips, 0.0, float(MOST_CHIPS))

    @field_validator("rake", "add_all_in", "force_all_in", "merge", mode="before")
    @classmethod
    def _share(cls, value: object, info: Any) -> float:
        return read_pot_share(info.field_name, value)

    @field_validator("all_in_without_sizes", mode="before")
    @classmethod
    def _switch(cls, value: object, info: Any) -> bool:
        return instance(info.field_name, value, bool, "True or False")

    @field_validator(*_SIZES, mode="before")
    @classmethod
    def _sizes(cls, text: object, info: Any) -> str | None:
        return check_sizes(info.field_name, text)

    @field_validator("added_lines", "removed_lines", mode="before")
    @classmethod
    def _lines(cls, lines: object, info: Any) -> tuple[str, ...]:
        return read_lines(info.field_name, lines)

    @field_validator("locks", mode="before")
    @classmethod
    def _read_locks(cls, value: object) -> tuple[Lock, ...]:
        return read_locks(value)

    @model_validator(mode="after")
    def _fits_together(self) -> Spot:
        self._check_prizes()
        _ = self._unit
        refuse_outside_deck("board", self.cards, self.whole_deck.lowest_rank)
        with at_place("added_lines"):
            self.model_copy(update={"removed_lines": ()}).rules()
        with at_place("removed_lines"):
            self.rules()
        refuse_unused(self.rules(), {key: getattr(self, key) for key in _SIZES})
        refuse_ranges(self.board, (self.oop, self.ip), self.ranges)
        if self.bunching is not None:
            refuse_folded(self.cards, self.ranges, self.bunching)
        with at_place("locks"):
            _ = self.locked_nodes
        return self

    def _check_prizes(self) -> None:
        """Refuse keys that go with payouts alone, and those that do not go with them."""
        if self.payouts is None:
            refuse_others_alone(self.others)
            if self.stacks is not None:
                raise ConfigError(
                    "the stacks of both players matter with payouts alone",
                    option="stacks",
                    given=list(self.stacks),
                    remedy="give stack, the smaller of them, in their place",
                )
            return
        checked_payouts(self.payouts, len(SEATS) + len(self.others))
        if self.stacks is not None and min(self.stacks) != self.stack:
            raise ConfigError(
                f"stack is {self.stack:g}, and the smaller of the stacks {min(self.stacks):g}",
                option="stack",
                given=self.stack,
                expected=min(self.stacks),
                remedy="leave out stack or stacks",
            )
        for key, given in (("rake", self.rake), ("folded", self.folded)):
            if given:
                raise ConfigError(
                    f"{key} is for play for chips, and payouts are given",
                    option=key,
                    remedy=f"leave out {key} or payouts",
                )


def checked_spot(spot: object) -> Spot:
    """A spot, or ConfigError that says how to make one."""
    remedy = "make one with poker.Spot(board=..., ...) or poker.Spot.from_toml(path)"
    return instance("spot", spot, Spot, "a poker.Spot", remedy=remedy)


def game_name(spot: Spot) -> str:
    """Name the spot as a game: `holdem(board=...,pot=...,stack=...)`, with its deck if short."""
    deck = "" if spot.deck == FULL_DECK.name else f",deck={spot.deck}"
    return f"holdem(board={spot.board},pot={spot.pot},stack={spot.stack}{deck})"


def spot_from_text(text: str) -> Spot:
    """The spot in a text of `Spot.to_toml`; raises what `Spot` raises, and ValueError."""
    return Spot(**parse_spot(text))
