"""Push or fold before the flop: stacks, blinds, antes, payouts, and what every ending is worth.

Players act in turn: all-in, or fold. The big blind wins without acting if everyone folds. A seat
with less than its ante and blind posts what it has, the ante first, and does not act; nor does a
seat that faces no bet when all others left are all-in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from equilibrist.errors import UnsupportedError
from equilibrist.parsing.arguments import bad_argument, real_number, several, whole_number
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.hand_checks import check_blinds
from equilibrist.poker.hands.rules import position_names
from equilibrist.poker.preflop.pots import winnings
from equilibrist.poker.tournaments.icm import icm
from equilibrist.poker.tournaments.prizes import (
    MOST_AMOUNT,
    checked_payouts,
    chips_above_0,
    refuse_others_alone,
)
from equilibrist.typing import FloatArray

MOST_SEATS: Final = 6
_EQUAL: Final = 1e-12


@dataclass(frozen=True)
class PushFold:
    """A hand in which every player goes all-in or folds before the flop.

    Amounts are in one unit: big blinds with the default blinds, or chips. Seats are in the order of
    posting: small blind, big blind, then the player under the gun and so on to the button. With two
    players the small blind is the button and acts first.

    Args:
        stacks: The stack of each seat before antes and blinds, two to six; one that has less than
            its ante and blind posts what it has.
        blinds: The small and the big blind.
        ante: What every seat posts besides; antes are not part of the bet to match.
        big_blind_ante: What the big blind posts as an ante for all.
        payouts: The payouts of a tournament from the first place down, in any unit: the value of
            a stack is then its share of the prize pool by the independent chip model. None plays
            for chips.
        others: With payouts, the stacks of players who are not in this hand.

    Raises:
        ConfigError: A number is out of range.
    """

    stacks: tuple[float, ...]
    blinds: tuple[float, float] = (0.5, 1.0)
    ante: float = 0.0
    big_blind_ante: float = 0.0
    payouts: tuple[float, ...] | None = None
    others: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        stacks = chips_above_0("stacks", self.stacks, "stack")
        if not 2 <= len(stacks) <= MOST_SEATS:
            raise bad_argument("stacks", len(stacks), f"two to {MOST_SEATS} stacks")
        blinds = chips_above_0("blinds", self.blinds, "blind")
        if len(blinds) != 2:
            raise bad_argument("blinds", self.blinds, "a small blind and a big blind, such as 1/2")
        check_blinds(blinds)
        for name in ("ante", "big_blind_ante"):
            object.__setattr__(self, name, real_number(name, getattr(self, name), 0.0, MOST_AMOUNT))
        object.__setattr__(self, "stacks", stacks)
        object.__setattr__(self, "blinds", blinds)
        object.__setattr__(
            self, "others", chips_above_0("others", self.others, "stack of another player")
        )
        self._check_payouts()

    def _check_payouts(self) -> None:
        if self.payouts is None:
            refuse_others_alone(self.others)
            return
        players = len(self.stacks) + len(self.others)
        payouts = checked_payouts(self.payouts, players)
        object.__setattr__(self, "payouts", payouts)

    @property
    def seats(self) -> int:
        """The number of players in the hand."""
        return len(self.stacks)

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in the order of acting."""
        return (0, 1) if self.seats == 2 else (*range(2, self.seats), 0, 1)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats: SB, BB, then as `UTG`, `HJ`, `CO`, `BTN`."""
        return position_names(self.seats)

    @cached_property
    def dead(self) -> tuple[float, ...]:
        """What each seat posts that everyone in the hand can win: antes.

        Where a seat is short of the ante that all post, that ante is matched as a bet is, and only
        what the big blind posts as an ante for all is dead.
        """
        antes = [0.0 if self._is_short_of_antes else self.ante] * self.seats
        antes[1] += self.big_blind_ante
        left = [stack - self._matched_ante(seat) for seat, stack in enumerate(self.stacks)]
        return tuple(map(min, antes, left))

    @cached_property
    def put_in(self) -> tuple[float, ...]:
        """What each seat posts that the others must match, before anyone acts."""
        blinds = (*self.blinds, *[0.0] * (self.seats - 2))
        return tuple(
            self._matched_ante(seat)
            + min(blind, self.stacks[seat] - self._matched_ante(seat) - self.dead[seat])
            for seat, blind in enumerate(blinds)
        )

    @cached_property
    def behind(self) -> tuple[float, ...]:
        """What each seat has left once all have posted; 0 for those who are all-in."""
        left = [
            stack - put_in - dead
            for stack, put_in, dead in zip(self.stacks, self.put_in, self.dead, strict=True)
        ]
        return tuple(
            0.0 if chips <= _EQUAL * stack else chips
            for chips, stack in zip(left, self.stacks, strict=True)
        )

    @property
    def _is_short_of_antes(self) -> bool:
        return min(self.stacks) < self.ante

    def _matched_ante(self, seat: int) -> float:
        """The part that a seat posts of an ante that some seat is short of; 0 where none is."""
        return min(self.ante, self.stacks[seat]) if self._is_short_of_antes else 0.0

    def _seats(self, value: object) -> tuple[int, ...]:
        """Numbers of seats; ConfigError for anything else."""
        seats = several("all_in", value, "numbers of seats")
        return tuple(whole_number("all_in", seat, 0, self.seats - 1) for seat in seats)

    def next_turn(self, turn: int, all_in: Sequence[int]) -> int | None:
        """Who decides next.

        Args:
            turn: The position in `order` from which on seats have not acted.
            all_in: The seats that have gone all-in, or called.

        Returns:
            The position in `order` of the next seat that goes all-in or folds; None if the hand
            is over.
        """
        whole_number("turn", turn, 0, self.seats)
        all_in = self._seats(all_in)
        faced = max(*self.put_in, *[self.stacks[seat] - self.dead[seat] for seat in all_in])
        for place in range(turn, self.seats):
            seat = self.order[place]
            answered = any(self.behind[later] for later in self.order[place + 1 :])
            faces = faced - self.put_in[seat] > _EQUAL * faced
            if self.behind[seat] and (faces or answered):
                return place
        return None

    def decision_after(self, choices: Sequence[bool]) -> tuple[int, tuple[int, ...]] | None:
        """Follow a line of play.

        Args:
            choices: Of each seat that acted, in turn, whether it went all-in.

        Returns:
            The seat that decides next and the seats that went all-in before; None if none decides.
        """
        all_in: tuple[int, ...] = ()
        turn = self.next_turn(0, all_in)
        several("choices", choices, "whether each seat that acted went all-in")
        for goes_all_in in choices:
            if turn is None:
                return None
            if goes_all_in:
                all_in = (*all_in, self.order[turn])
            turn = self.next_turn(turn + 1, all_in)
        return None if turn is None else (self.order[turn], all_in)

    def line_to(self, seat: int, all_in: Sequence[int]) -> str:
        """The line to a decision, as `PushFoldSolution.at` takes it.

        Args:
            seat: The seat that decides.
            all_in: The seats that went all-in before it.

        Returns:
            The line, as `PushFoldSolution.lines` describes it: `F-A`.
        """
        letters, before = list[str](), list[int]()
        turn = self.next_turn(0, ())
        while turn is not None and self.order[turn] != seat:
            letters.append("A" if self.order[turn] in all_in else "F")
            before += [self.order[turn]] if letters[-1] == "A" else []
            turn = self.next_turn(turn + 1, before)
        return "-".join(letters)

    def contenders(self, all_in: Sequence[int]) -> tuple[int, ...]:
        """Who can win the pots when these went all-in and all others who could act folded.

        Args:
            all_in: The seats.

        Returns:
            These, those all-in by posting, and who was not asked; ascending.
        """
        asked, all_in = set(), self._seats(all_in)
        turn = self.next_turn(0, ())
        while turn is not None:
            asked.add(self.order[turn])
            before = [seat for seat in self.order[: turn + 1] if seat in all_in]
            turn = self.next_turn(turn + 1, before)
        return tuple(s for s in range(self.seats) if s in all_in or s not in asked)

    @property
    def unit(self) -> str:
        """What values are measured in: `bb`, big blinds, or `prize pool`, shares of it."""
        return "bb" if self.payouts is None else "prize pool"

    @cached_property
    def worth(self) -> tuple[float, ...]:
        """The value of each seat's stack before posting: 0 for chips, else its share by ICM."""
        if self.payouts is None:
            return (0.0,) * self.seats
        return tuple(self._icm(np.array([self.stacks]))[0].tolist())

    def values(self, all_in: Sequence[int]) -> FloatArray:
        """Value the hand for each seat when these are all-in and others have folded.

        Args:
            all_in: The seats that went all-in, or called; if none, everyone who could act folded.

        Returns:
            float64[orders, seats]: gains against the stack before posting, in `unit`, for each
            order of the hands of `contenders(all_in)`, as `pots.weak_orders` lists them.
        """
        all_in = self._seats(all_in)
        contenders = np.zeros(self.seats, np.bool_)
        contenders[list(self.contenders(all_in))] = True
        dead, live = np.array(self.dead), np.array(self.put_in)
        staked = contenders & (np.array(self.behind) == 0.0)
        staked[list(all_in)] = True
        live[staked] = (np.array(self.stacks) - dead)[staked]
        gains = winnings(live, dead, contenders)
        if self.payouts is None:
            return gains / self.blinds[1]
        after = np.array(self.stacks) + gains
        after[after < _EQUAL * sum(self.stacks)] = 0.0
        changes: FloatArray = self._icm(after) - np.array(self.worth)
        return changes

    def _icm(self, stacks: FloatArray) -> FloatArray:
        """Shares of the prize pool, float64[m, seats], with stacks of the seats."""
        assert self.payouts is not None
        others = (
            np.tile(self.others, (len(stacks), 1)) if self.others else np.zeros((len(stacks), 0))
        )
        before = np.array([*self.stacks, *self.others])
        payouts = np.array(self.payouts)
        worth: FloatArray = icm(np.hstack([stacks, others]), payouts / payouts.sum(), before)
        return worth[:, : self.seats]

    def to_dict(self) -> dict[str, Any]:
        """The arguments by name, for JSON.

        Returns:
            Stacks, blinds, antes, payouts and the stacks of others.
        """
        return {
            "stacks": list(self.stacks),
            "blinds": list(self.blinds),
            "ante": self.ante,
            "big_blind_ante": self.big_blind_ante,
            "payouts": None if self.payouts is None else list(self.payouts),
            "others": list(self.others),
        }


def push_fold_of(keys: dict[str, Any]) -> PushFold:
    """A game from what `PushFold.to_dict` gave."""
    lists = {name: tuple(keys[name]) for name in ("stacks", "blinds", "others")}
    payouts = None if keys["payouts"] is None else tuple(keys["payouts"])
    return PushFold(**{**keys, **lists, "payouts": payouts})


_RULES: Final = {
    "limit": "no-limit",
    "straddle": (),
    "button_blind": 0,
    "deck": "2",
    "suits": 4,
    "hole_cards": 2,
    "board": (3, 1, 1),
}
"""What the rules of a hand have to be."""


def push_fold_keys(hand: Hand) -> dict[str, Any]:
    """Read what `push_fold` takes from a hand.

    Bet sizes and streets do not matter: every seat goes all-in or folds before the flop.

    Args:
        hand: The hand.

    Returns:
        `stack`, a stack for each seat, `blinds`, `ante` and `big_blind_ante`.

    Raises:
        UnsupportedError: The hand has a straddle, a limit, or another deck than hold'em.
    """
    for key, needed in _RULES.items():
        value = getattr(hand, key)
        if value != needed:
            raise UnsupportedError(
                f"push or fold is no-limit hold'em with two blinds, and the hand has {key} {value}",
                option=key,
                given=value,
                expected=needed,
                remedy=f"leave {key} out of the hand",
            )
    rules = hand.rules
    stacks, blinds = (
        [amount / rules.scale.per_chip for amount in amounts]
        for amounts in (rules.stacks, rules.blinds[:2])
    )
    if hand.ante and hand.ante_kind == "button":
        raise UnsupportedError(
            "push or fold has antes of each seat or of the big blind, and the hand one of the "
            "button",
            option="ante_kind",
            given=hand.ante_kind,
            expected="each",
            remedy="give ante_kind each or big-blind",
        )
    of_each = hand.ante_kind == "each"
    return {
        "stack": stacks,
        "blinds": tuple(blinds),
        "ante": float(hand.ante) if of_each else 0.0,
        "big_blind_ante": 0.0 if of_each else float(hand.ante),
    }
