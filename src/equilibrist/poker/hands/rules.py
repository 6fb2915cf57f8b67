"""The rules of a hand of hold'em: seats, forced bets, limits, streets and deck, all in whole units.

`HoldemRules` is one validated value. `betting` plays by it, `showdown` compares hands, `pots`
divides the chips. Seats are numbered in the order of posting: 0 is the small blind, 1 the big
blind, 2 the first to act before the flop. With two seats the small blind has the button.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Final, Literal, get_args

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import bad_argument, check_bool, instance, whole_number
from equilibrist.poker.betting.chips import MOST_CHIPS, WHOLE, ChipScale
from equilibrist.poker.cards.decks import STANDARD, Ranking

Limit = Literal["no-limit", "pot-limit", "limit"]
"""How much a bet or raise may be."""
LIMIT_KINDS: Final[tuple[str, ...]] = get_args(Limit)
STREET_NAMES: Final = ("preflop", "flop", "turn", "river")
"""The names of the streets, from the first."""
MOST_SEATS: Final = 10
_EARLY: Final = ("UTG", "UTG+1", "UTG+2", "UTG+3", "UTG+4", "UTG+5")
_LATE: Final = ("LJ", "HJ", "CO", "BTN")
"""The names of the seats after the blinds, in the order of acting; ten have no blinds at most."""
HOLDEM_BOARD: Final = (0, 3, 1, 1)
"""The board cards dealt before each street of hold'em."""
_MOST_STREETS: Final = len(STREET_NAMES)
_NUM_RANKS: Final = 13


@dataclass(frozen=True)
class HoldemRules:
    """The rules of one hand. Amounts are whole numbers of the unit of `scale`.

    Attributes:
        stacks: The chips of each seat before anything is posted, 2 to 10 seats. A seat that has
            less than its ante and blind posts what it has, the ante first, and is all-in.
        blinds: The forced bet of each seat: blinds, then straddles; 0 for seats that post none.
        antes: What each seat puts in before the blinds, as no part of the bet to match.
        limit: `no-limit`, `pot-limit` or `limit`.
        bets: By street the smallest bet, and the smallest step of a raise; with `limit` the only
            one. Without it the largest forced bet before the flop, later the big blind.
        raise_cap: The most raises on a street, not counting the first bet; a blind is a first bet.
            None for no cap.
        short_all_in_reopens: Whether an all-in that raises by less than the last bet or raise lets
            those raise again who would otherwise only call or fold. Casinos say no.
        first_short_all_in_reopens: Whether, before the first full bet or raise of a street, a
            smaller all-in lets those raise again who have acted, such as a seat that called the big
            blind. PokerKit says yes, rule 47 of the Tournament Directors Association no.
        last_street: The last street with betting; the rest of the board is dealt after it.
        board: How many board cards are dealt before each street, at most four streets.
        hole_cards: Cards dealt to each seat, 1 or 2.
        lowest_rank: The lowest rank in the deck: 0 for deuces, 8 for tens.
        suits: Suits in the deck, 1 to 4.
        ranking: How hands of five cards and more compare.
        scale: How many units are in a chip.

    Raises:
        ConfigError: A value is out of range, or the values do not fit together; has the option,
            the place and the remedy.
    """

    stacks: tuple[int, ...]
    blinds: tuple[int, ...]
    antes: tuple[int, ...] = ()
    limit: Limit = "no-limit"
    bets: tuple[int, ...] = ()
    raise_cap: int | None = None
    short_all_in_reopens: bool = False
    first_short_all_in_reopens: bool = True
    last_street: int | None = None
    board: tuple[int, ...] = HOLDEM_BOARD
    hole_cards: int = 2
    lowest_rank: int = 0
    suits: int = 4
    ranking: Ranking = STANDARD
    scale: ChipScale = field(default=WHOLE)

    by_server: ClassVar[bool] = False
    """Whether raises go by the dealer of the Annual Computer Poker Competition, see `betting`."""

    def __post_init__(self) -> None:
        self._check_streets()
        seats = len(instance("stacks", self.stacks, tuple, "one stack per seat, as a tuple"))
        if not 2 <= seats <= MOST_SEATS:
            raise bad_argument("seats", seats, f"2 to {MOST_SEATS} seats")
        self._fill_in("antes", (0,) * seats if self.antes == () else self.antes)
        for name, least in (("stacks", 1), ("blinds", 0), ("antes", 0)):
            _check_amounts(name, getattr(self, name), seats, least)
        self._check_posts()
        if self.limit not in LIMIT_KINDS:
            raise bad_argument("limit", self.limit, f"one of {', '.join(LIMIT_KINDS)}")
        if self.raise_cap is not None:
            whole_number("raise_cap", self.raise_cap, 0, 100)
        check_bool("short_all_in_reopens", self.short_all_in_reopens)
        check_bool("first_short_all_in_reopens", self.first_short_all_in_reopens)
        self._check_bets()
        self._check_deck()

    def _fill_in(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check_streets(self) -> None:
        board = instance("board", self.board, tuple, "cards dealt before each street, as a tuple")
        if not 1 <= len(board) <= _MOST_STREETS or board[0] != 0:
            raise bad_argument("board", board, "1 to 4 streets, the first without board cards")
        for cards in board[1:]:
            whole_number("board", cards, 1, 5)
        last = len(board) - 1
        street = last if self.last_street is None else self.last_street
        self._fill_in("last_street", whole_number("last_street", street, 0, last))

    def _check_posts(self) -> None:
        if not any(self.blinds) and not any(self.antes):
            raise ConfigError(
                "nobody posts anything", option="blinds", remedy="give blinds or an ante"
            )

    def _check_bets(self) -> None:
        streets = len(self.board)
        if self.bets == ():
            if not any(self.blinds) or self.limit == "limit":
                raise ConfigError(
                    "the size of a bet is not known",
                    option="bets",
                    remedy="give the smallest bet of each street",
                )
            self._fill_in("bets", (max(self.blinds), *[self.big_blind] * (streets - 1)))
        _check_amounts("bets", self.bets, streets, 1)

    def _check_deck(self) -> None:
        whole_number("hole_cards", self.hole_cards, 1, 2)
        whole_number("lowest_rank", self.lowest_rank, 0, _NUM_RANKS - 1)
        whole_number("suits", self.suits, 1, 4)
        if self.lowest_rank < instance("ranking", self.ranking, Ranking, "a ranking").lowest_rank:
            raise bad_argument(
                "lowest_rank", self.lowest_rank, f"at least {self.ranking.lowest_rank}"
            )
        needed = self.hole_cards * self.seats + sum(self.board)
        if len(self.deck) < needed:
            raise ConfigError(
                f"the deck has {len(self.deck)} cards, and a hand needs {needed}",
                option="deck",
                given=len(self.deck),
                expected=f"at least {needed}",
                remedy="give a lower rank, fewer seats or fewer cards",
            )
        if self.hole_cards + sum(self.board) > 7:
            raise bad_argument(
                "board", self.board, f"at most {7 - self.hole_cards} board cards in all"
            )

    @property
    def seats(self) -> int:
        """How many seats."""
        return len(self.stacks)

    @property
    def final_street(self) -> int:
        """The last street with betting, as `last_street`, which is never None once checked."""
        assert self.last_street is not None
        return self.last_street

    @cached_property
    def posted_antes(self) -> tuple[int, ...]:
        """What each seat puts in as its ante: all that it has, if that is less.

        Of an ante that all seats post, what no other seat could match goes back.
        """
        return tuple(a + b for a, b in zip(self._matched_antes, self.dead_antes, strict=True))

    @cached_property
    def posted_blinds(self) -> tuple[int, ...]:
        """What each seat puts in as its blind or straddle: all that its ante left, if less."""
        return tuple(
            min(blind, max(0, stack - ante))
            for blind, stack, ante in zip(self.blinds, self.stacks, self.antes, strict=True)
        )

    @cached_property
    def dead_antes(self) -> tuple[int, ...]:
        """The part of the posted antes that every live seat can win, whatever it has put in.

        These are the antes, where all seats can post what is asked of all. Else a seat wins of the
        ante of all seats no more from each of them than it has put in itself, as of any bet, and
        what a seat posts besides, such as the ante of the big blind, is dead.
        """
        if not self._is_short_of_antes:
            return tuple(map(min, self.antes, self.stacks))
        common = min(self.antes)
        return tuple(
            min(ante - common, max(0, stack - common))
            for ante, stack in zip(self.antes, self.stacks, strict=True)
        )

    @property
    def _is_short_of_antes(self) -> bool:
        """Whether a seat has less than the ante that all seats post."""
        return min(self.stacks) < min(self.antes)

    @cached_property
    def _matched_antes(self) -> tuple[int, ...]:
        """What each seat posts of the ante of all seats, if a seat is short of it; else zeros."""
        if not self._is_short_of_antes:
            return (0,) * self.seats
        common = min(self.antes)
        put_in = [min(common, stack) for stack in self.stacks]
        matched = sorted(put_in)[-2]
        return tuple(min(chips, matched) for chips in put_in)

    @property
    def big_blind(self) -> int:
        """The big blind in units, straddles aside, or the button's; else the largest ante."""
        return self.blinds[1] or max(self.blinds) or max(self.antes)

    @cached_property
    def deck(self) -> tuple[int, ...]:
        """The cards of the deck, ascending, `4 * rank + suit`; of three suits the last three."""
        suits = range(4 - self.suits, 4)
        return tuple(4 * rank + s for rank in range(self.lowest_rank, _NUM_RANKS) for s in suits)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The seats from the left of the button: who acts first after the flop, and odd chips."""
        heads_up = self.seats == 2 and any(self.blinds)
        return (1, 0) if heads_up else tuple(range(self.seats))

    @cached_property
    def opener(self) -> int:
        """The seat that would act first before the flop: left of the largest forced bet."""
        if not any(self.blinds):
            return self.order[0]
        largest = max(range(self.seats), key=lambda seat: (self.blinds[seat], seat))
        return (largest + 1) % self.seats

    @cached_property
    def positions(self) -> tuple[str, ...]:
        """The names of the seats by what they post: `SB`, `BB`, then `UTG` to `BTN`.

        Where neither of the first two seats posts a blind, as with a blind of the button or antes
        alone, all are named as the seats behind the blinds are.
        """
        if any(self.blinds[:2]) and not self._is_button_blind:
            return position_names(self.seats)
        return self._in_order(position_names(self.seats, has_small=False, has_big=False))

    @cached_property
    def seat_words(self) -> tuple[str, ...]:
        """The seats in words by what they post: `small blind`, `big blind`, `seat 3` ... `button`.

        Where neither of the first two posts a blind they are `seat 1`, `seat 2` and so on.
        """
        if any(self.blinds[:2]) and not self._is_button_blind:
            return seat_words(self.seats)
        numbered = [f"seat {seat + 1}" for seat in range(self.seats)]
        numbered[self.order[-1]] = "button"
        return tuple(numbered)

    @property
    def _is_button_blind(self) -> bool:
        """Whether the button alone posts a blind; with two seats that is seat 0."""
        return self.seats == 2 and self.blinds[0] > 0 and not self.blinds[1]

    def _in_order(self, names: Sequence[str]) -> tuple[str, ...]:
        """Names in the order of `order`, by seat."""
        by_seat = dict(zip(self.order, names, strict=True))
        return tuple(by_seat[seat] for seat in range(self.seats))

    def first_to_act(self, street: int) -> int:
        """The seat that acts first on a street, if it can.

        Args:
            street: 0 before the flop.

        Returns:
            The seat.
        """
        return self.order[0] if street else self.opener

    def opens_with_bet(self, street: int) -> bool:
        """Whether the first wager of a street is a bet; where blinds are one, it is a raise.

        Blinds count as one even where antes leave nobody a chip to post them with.

        Args:
            street: 0 before the flop.

        Returns:
            True for a bet.
        """
        return street > 0 or not any(self.blinds)

    def most_wagers(self, street: int) -> int | None:
        """The most bets and raises on a street, blinds not counted.

        Args:
            street: 0 before the flop.

        Returns:
            The number; None for no cap.
        """
        return None if self.raise_cap is None else self.raise_cap + self.opens_with_bet(street)


def position_names(seats: int, *, has_small: bool = True, has_big: bool = True) -> tuple[str, ...]:
    """The names of the seats.

    Args:
        seats: Seats at the table, 2 to 10.
        has_small: Whether somebody has the small blind.
        has_big: Whether somebody has the big blind.

    Returns:
        In the order of posting: `SB`, `BB`, then from `UTG` to `BTN`.
    """
    blinds = ["SB"] * has_small + ["BB"] * has_big
    others = seats - len(blinds)
    if seats == 2 and len(blinds) < seats:  # the first of them is as good as under the gun
        return (*blinds, *("UTG", "BTN")[-others:])
    late = others if others < len(_LATE) else min(others - 1, len(_LATE))
    return (*blinds, *_EARLY[: others - late], *_LATE[len(_LATE) - late :])


def seat_words(seats: int) -> tuple[str, ...]:
    """The seats in words, as tables of two seats call them.

    Args:
        seats: Seats at the table, 2 to 10.

    Returns:
        In the order of posting: `small blind`, `big blind`, then `seat 3` and so on to `button`.
    """
    others = [f"seat {number}" for number in range(3, seats)]
    return ("small blind", "big blind", *others, "button")[:seats]


def _check_amounts(name: str, amounts: object, count: int, least: int) -> None:
    listed = instance(name, amounts, tuple, f"{count} whole numbers, as a tuple")
    if len(listed) != count:
        raise bad_argument(name, listed, f"{count} numbers", label=f"the list {name}")
    for amount in listed:
        whole_number(name, amount, least, MOST_CHIPS)


def same_for_all(amount: int, seats: int) -> tuple[int, ...]:
    """An amount that every seat has, for `stacks` and `antes`."""
    return (amount,) * seats


def posted(seats: int, amounts: Sequence[int]) -> tuple[int, ...]:
    """Forced bets of the first seats, 0 for the others, for `blinds`."""
    return (*amounts, *[0] * (seats - len(amounts)))
