"""A hand: seats, stacks, blinds, limits, bet sizes and cards, from which rules and trees are made.

Its keys are those of a hand file (TOML), of `Hand`, and of the options of commands.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from pydantic import model_validator

from equilibrist.errors import ConfigError
from equilibrist.poker.betting.bet_sizes import EVERY_BET
from equilibrist.poker.betting.chips import (
    CENTS,
    WHOLE,
    ChipScale,
    amount_of,
    read_units,
    scale_for,
)
from equilibrist.poker.cards.decks import read_deck
from equilibrist.poker.hands.betting_tree import (
    MOST_NODES,
    BettingTree,
    TreeSize,
    betting_tree,
    count_nodes,
)
from equilibrist.poker.hands.compiled import compiled_rules
from equilibrist.poker.hands.fields import ANTE_KINDS
from equilibrist.poker.hands.game import HoldemGame
from equilibrist.poker.hands.hand_checks import (
    check_amounts,
    check_blinds,
    check_button_blind,
    check_caps,
    check_first_bets,
    check_sizes,
    check_stacks,
    check_straddle,
    refuse_sizes,
)
from equilibrist.poker.hands.hand_keys import HandKeys
from equilibrist.poker.hands.menu import HandMenu, lists_played
from equilibrist.poker.hands.named import hand_keys
from equilibrist.poker.hands.reading import (
    at_key,
    at_place,
    exact,
    read_hand_file,
)
from equilibrist.poker.hands.rules import (
    STREET_NAMES,
    HoldemRules,
    same_for_all,
)

if TYPE_CHECKING:
    from equilibrist.rules.module import Rules

_FIXED: Final = "limit"
_BUTTON: Final = "button"
_FIXED_CAP: Final = 3
_BIG_BLINDS: Final = (0.5, 1)
"""The blinds where amounts are in big blinds."""


class Hand(HandKeys):
    """A hand of hold'em from the deal on: rules, and the sizes that are offered. Frozen, hashable.

    Amounts are big blinds, or with `blinds` chips, with at most four decimals. Stacks are those
    before blinds and antes are posted; a seat that has less posts what it has, and is all-in.
    Seats are in the order of posting: small blind, big blind, the first to act and so on; with two
    seats the small blind has the button.

    Args:
        stack: Every seat's stack before posting.
        seats: Seats at the table, 2 to 10.
        stacks: Stacks by seat in place of `stack`: `40/25/100`, or a list.
        blinds: The blinds in chips, `50/100`; None where amounts are big blinds.
        button_blind: The blind of the button in place of both blinds, as in short deck; amounts are
            then chips. With two seats the other seat acts first on every street.
        ante: The ante, dead money.
        ante_kind: Who posts it: `each` seat, or the `big-blind` or the `button` for the table.
        straddle: Straddles of the seats after the big blind: `200`, or `200/400`.
        limit: `no-limit`, `pot-limit` or `limit`.
        fixed_bets: With limit the small and the big bet: `100/200`.
        bets: Sizes of the first bet of a street and of the first raise before the flop: `50%,a`, or
            by street `2.5x|50%|50%|a`; `all` for every amount, here and in `raises`, where it is
            left out. With neither `bets` nor `raises` every amount is offered.
        raises: Sizes of later raises.
        raise_cap: The most raises on a street, not counting its first bet (a blind is one), or by
            street `4|3|3|3`; with limit 3 if left out. Without limit all-in stays possible where
            the list has it.
        last_street: The last street with betting; None for the last of all. Sizes and caps by
            street are for the streets up to it, or for all, and the later ones are not used.
        short_all_in_reopens: Whether an all-in smaller than the last raise lets others raise again.
        first_short_all_in_reopens: Whether, before the first full bet or raise of a street, a
            smaller all-in lets seats that have acted raise again: PokerKit says yes, rule 47 of the
            Tournament Directors Association no.
        unit: What bets are multiples of: 1, 0.1, 0.01 ...; None for the default.
        deck: The lowest rank in the deck, with which hands rank as with 52 cards; or `short` for
            short-deck hold'em (36 cards, a flush beats a full house, A6789 is a straight), or
            `short-trips`, where three of a kind beats a straight, too.
        suits: Suits in the deck.
        hole_cards: Cards of each seat, 1 or 2.
        board: The board cards of each street after the first: `3/1/1`.

    Raises:
        ConfigError: A value is invalid, or the values do not fit together.
        UnknownNameError: A key is unknown.
        BetSizeSyntaxError: A size cannot be read; has its key and position.
    """

    if TYPE_CHECKING:  # what the keys are read from; the fields above say what they become

        def __init__(
            self,
            *,
            stack: float | str | Decimal | None = None,
            seats: int = 2,
            stacks: str | Sequence[float] | None = None,
            blinds: str | Sequence[float] | None = None,
            button_blind: float | str | Decimal = 0,
            ante: float | str | Decimal = 0,
            ante_kind: str = "each",
            straddle: str | float | Sequence[float] = (),
            limit: str = "no-limit",
            fixed_bets: str | Sequence[float] | None = None,
            bets: str = "",
            raises: str = "",
            raise_cap: int | str | Sequence[int | None] | None = None,
            last_street: str | None = None,
            short_all_in_reopens: bool = False,
            first_short_all_in_reopens: bool = True,
            unit: float | None = None,
            deck: str | int = "2",
            suits: int = 4,
            hole_cards: int = 2,
            board: str | int | Sequence[int] = (3, 1, 1),
        ) -> None: ...

    @classmethod
    def from_toml(cls, path: str | os.PathLike[str], **changes: Any) -> Hand:
        """Read a hand file.

        Args:
            path: The file, in TOML.
            **changes: Keys that override those of the file.

        Returns:
            The hand, validated.

        Raises:
            FileFormatError: It is not TOML, or no file, or cannot be read.
            ConfigError: As from `Hand`, and so are UnknownNameError and BetSizeSyntaxError.
        """
        keys = read_hand_file(path) | changes
        with nullcontext() if changes else at_place(path):  # perhaps not the file's fault
            return cls(**keys)

    @classmethod
    def named(cls, name: str, **changes: Any) -> Hand:
        """Make a hand that has a name.

        Args:
            name: Such as `royal(bets=all)`; `royal` is no-limit royal hold'em of two rounds, and
                `hand(stack=20)` has no keys but those in brackets.
            **changes: Keys that override those of the name.

        Returns:
            The hand, validated.

        Raises:
            UnknownNameError: No hand has that name, or a key is unknown.
            ConfigError: The keys cannot be read, or as from `Hand`.
        """
        return cls(**hand_keys(name) | changes)

    @staticmethod
    def _plain(keys: dict[str, Any]) -> dict[str, Any]:
        """The keys as texts where lists may have gaps."""
        cap = keys.get("raise_cap")
        if isinstance(cap, tuple):
            keys["raise_cap"] = "|".join(
                "none" if street_cap is None else str(street_cap) for street_cap in cap
            )
        return keys

    @property
    def in_big_blinds(self) -> bool:
        """Whether amounts are big blinds; else chips."""
        return self.blinds is None and not self.button_blind

    @property
    def name(self) -> str:
        """What the hand is called as a game: `hand(stack=10)`, with the keys that are given."""
        keys = self._plain(self.model_dump(exclude_defaults=True))
        return f"hand({','.join(f'{key}={_written(value)}' for key, value in keys.items())})"

    @cached_property
    def rules(self) -> HoldemRules:
        """The rules of the hand."""
        units, seats = self._units, self.seats
        button, big = 0 if seats == 2 else seats - 1, units(self._blinds[1])
        if self.button_blind:
            blinds = [big if seat == button else 0 for seat in range(seats)]
        else:
            small = units(self._blinds[0])
            blinds = [small, big, *map(units, self.straddle), *[0] * seats][:seats]
        deck = read_deck(self.deck)
        payer = button if self.ante_kind == _BUTTON else 1
        ante, streets = units(self.ante), len(self.board) + 1
        last = streets - 1
        if self.last_street is not None:
            last = STREET_NAMES.index(self.last_street)
        if last >= streets:
            raise ConfigError(
                f"there is no {self.last_street}",
                option="last_street",
                given=self.last_street,
                expected=f"one of {', '.join(STREET_NAMES[:streets])}",
                remedy="give more streets with the key board",
            )
        fixed = self.limit == _FIXED
        bets: tuple[int, ...] = ()
        if fixed or not big:
            sizes = self._fixed_bets
            bets = tuple(sizes[2 * street >= max(2, streets)] for street in range(streets))
        return HoldemRules(
            stacks=same_for_all(units(self.stack), seats)
            if self.stacks is None and self.stack is not None
            else tuple(map(units, self.stacks or ())),
            blinds=tuple(blinds),
            antes=same_for_all(ante, seats)
            if self.ante_kind == ANTE_KINDS[0]
            else tuple(ante if seat == payer else 0 for seat in range(seats)),
            limit=self.limit,  # type: ignore[arg-type]
            bets=bets,
            raise_cap=self._rules_cap if fixed else None,
            short_all_in_reopens=self.short_all_in_reopens,
            first_short_all_in_reopens=self.first_short_all_in_reopens,
            last_street=last,
            board=(0, *self.board),
            hole_cards=self.hole_cards,
            lowest_rank=deck.lowest_rank,
            ranking=deck.ranking,
            suits=self.suits,
            scale=self._scale,
        )

    @cached_property
    def menu(self) -> HandMenu | None:
        """The sizes that are offered; None for every legal amount, which with limit is one."""
        if self.limit == _FIXED or not (self.bets or self.raises):
            return None
        with at_key("bets"):
            bets = lists_played(self.rules, self.bets)
            HandMenu.read(self.rules, bets)
        with at_key("raises"):
            raises = lists_played(self.rules, self._played_raises)
            HandMenu.read(self.rules, raises=raises)
        return HandMenu.read(self.rules, bets, raises, self._caps)

    def game(self) -> HoldemGame:
        """The hand as a game, for `solve` with a tiny deck, and for play.

        Returns:
            A `Game` with public states.
        """
        return HoldemGame(self.rules, self.menu, self.name)

    def compiled(self) -> Rules:
        """The hand as compiled rules, for samplers that need no tree.

        Returns:
            `rules:holdem` with its parameters.

        Raises:
            UnsupportedError: Its sizes, or the number of its moves, are beyond these rules.
        """
        return compiled_rules(self.rules, self.menu)

    def size(self) -> TreeSize:
        """The size of the betting tree, without building it.

        Returns:
            Counts and bytes.

        Raises:
            MemoryBudgetError: The betting has too many distinct states to enumerate.
        """
        return count_nodes(self.rules, self.menu)

    def tree(self, most_nodes: int = MOST_NODES) -> BettingTree:
        """The betting tree.

        Args:
            most_nodes: The most nodes that are built.

        Returns:
            The tree.

        Raises:
            MemoryBudgetError: It is larger; nothing has been allocated.
        """
        return betting_tree(self.rules, self.menu, most_nodes)

    @property
    def _blinds(self) -> tuple[float, ...]:
        if self.button_blind:
            return 0, self.button_blind
        return _BIG_BLINDS if self.blinds is None else self.blinds

    @property
    def _fixed_bets(self) -> tuple[int, int]:
        """The small and the big bet in units; ConfigError where they are not known."""
        big = self._blinds[1]
        bets = self.fixed_bets or (big, 2 * big)
        if not min(bets):
            raise ConfigError(
                "without blinds the size of a bet is not known",
                option="fixed_bets",
                remedy="give the smallest bets of the first and of the later streets, such as 2/4",
            )
        return self._units(bets[0]), self._units(bets[1])

    @property
    def _rules_cap(self) -> int | None:
        cap = self.raise_cap
        if isinstance(cap, tuple):
            raise ConfigError(
                "limit games have one cap for all streets",
                option="raise_cap",
                given="|".join(map(str, cap)),
                remedy="give one number",
            )
        return _FIXED_CAP if cap is None else cap

    @property
    def _played_raises(self) -> str:
        """The sizes of later raises: every one, where every first bet is offered and none given."""
        return self.raises or (EVERY_BET if self.bets.strip().lower() == EVERY_BET else "")

    @property
    def _caps(self) -> int | tuple[int | None, ...] | None:
        """The caps of the streets with betting."""
        cap = self.raise_cap
        if isinstance(cap, tuple) and len(cap) == len(self.board) + 1:
            return cap[: self.rules.final_street + 1]
        return cap

    @cached_property
    def _scale(self) -> ChipScale:
        if self.unit is not None:
            return ChipScale.of(self.unit)
        coarsest = CENTS if self.in_big_blinds else WHOLE
        return scale_for((amount for _, amount in self._amounts), coarsest)

    @property
    def _amounts(self) -> list[tuple[str, float]]:
        """All amounts with their keys."""
        amounts = [("ante", self.ante), ("blinds", self._blinds[0]), ("blinds", self._blinds[1])]
        for key in ("stacks", "straddle", "fixed_bets"):
            amounts += [(key, amount) for amount in getattr(self, key) or ()]
        return amounts if self.stack is None else [*amounts, ("stack", self.stack)]

    def _units(self, amount: float) -> int:
        units = exact(amount) * self._scale.per_chip
        return units.numerator // units.denominator

    @model_validator(mode="after")
    def _fits_together(self) -> Hand:
        check_stacks(self.stack, self.stacks, self.seats)
        check_button_blind(self.button_blind, self.blinds, self.straddle, self.ante_kind)
        check_blinds(self._blinds)
        check_straddle(self._blinds[1], self.straddle, self.seats)
        if self.unit is not None:
            for key, amount in self._amounts:
                if amount:
                    read_units(key, amount, self._scale)
        check_amounts(self._amounts, self._scale, "big blinds" if self.in_big_blinds else "chips")
        try:
            _ = self.rules
        except ConfigError as error:
            if error.option == "stacks" and self.stacks is None:
                error.option = "stack"
            raise
        if self.limit == _FIXED:
            refuse_sizes(self.bets, self.raises)
        else:
            check_caps(self._caps, self.rules.final_street + 1)
            if self.menu is not None:
                check_sizes(self.menu, self._scale)
                check_first_bets(self.rules, self.menu, self.bets)
        return self


def _written(value: object) -> str:
    if isinstance(value, tuple):
        return "/".join(str(amount_of(exact(amount))) for amount in value)
    return f'"{value}"' if "," in str(value) else str(value)
