"""Push or fold before the flop as a hand at a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.play.bets import BetLimits
from equilibrist.play.hands.game import HandGame, TableState
from equilibrist.poker.betting.actions import CALL, FOLD, Action, Kind
from equilibrist.poker.hands.betting import acting_seats, legal
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.menu import normalize
from equilibrist.poker.hands.state import FOLDED, HandState
from equilibrist.poker.preflop.pots import weak_orders
from equilibrist.poker.preflop.push_fold.game import PushFold
from equilibrist.typing import FloatArray

_BIG_BLINDS: Final = (0.5, 1.0)
"""The blinds where amounts are big blinds."""
_PERCENT: Final = 100.0


class PushFoldGame(HandGame):
    """Push or fold as a hand: every seat folds, or puts in all that it has.

    With payouts of a tournament, payoffs are changes of the share of the prize pool, in percent.

    Args:
        pushes: The game of push or fold.

    Raises:
        ConfigError: The amounts are none that hands have: with more than four decimals, with both
            kinds of antes, or with equal blinds or none, after which a seat may check.
    """

    def __init__(self, pushes: PushFold) -> None:
        """Set the table; the class describes the argument."""
        super().__init__(_hand_of(pushes))
        self.pushes = pushes

    @property
    def name(self) -> str:
        """The name of the game, such as `pushfold(stacks=10/10)`."""
        return f"pushfold(stacks={'/'.join(f'{stack:g}' for stack in self.pushes.stacks)})"

    @property
    def unit(self) -> str:
        """What payoffs are: `big blinds`, `chips` or `% of the prize pool`."""
        return super().unit if self.pushes.payouts is None else "% of the prize pool"

    @property
    def chips_of_unit(self) -> float:
        """What a payoff of 1 is in chips: of prizes a percent is one of all chips in play.

        That is what prizes are worth a chip on average; of the stacks at the table a chip is worth
        more to the short ones.
        """
        if self.pushes.payouts is None:
            return 1.0
        return (sum(self.pushes.stacks) + sum(self.pushes.others)) / _PERCENT

    @property
    def payoff_bounds(self) -> tuple[tuple[float, float], ...]:
        """The least and the most that each seat can win, in `unit`."""
        if self.pushes.payouts is None:
            return super().payoff_bounds
        return ((-_PERCENT, _PERCENT),) * self.num_players

    def legal(self, state: TableState) -> tuple[Action, ...]:
        """Fold, and all-in: a call where nobody could call more.

        Args:
            state: A state at which a seat acts.

        Returns:
            The two actions.
        """
        push = CALL
        if legal(self.rules, state.betting).most:
            push = normalize(self.rules, state.betting, Action(Kind.ALL_IN))
        return FOLD, push

    def bet_limits(self, key: str) -> BetLimits | None:
        """None: no other bet is mapped to all-in.

        Args:
            key: The key of the infoset.
        """
        return None

    def settled(self, betting: HandState, compared: Sequence[int] | None) -> list[float]:
        """Settle the pots when the betting is over.

        Args:
            betting: The betting.
            compared: The strength of each seat's hand; None where one seat is left.

        Returns:
            The payoffs by seat.
        """
        if self.pushes.payouts is None:
            return super().settled(betting, compared)
        live = [seat for seat in range(self.num_players) if betting.is_live(seat)]
        (acted,) = acting_seats(self.rules, betting.line[:1])
        moves = zip(acted, betting.line[0], strict=True)
        all_in = [seat for seat, action in moves if action != FOLD]
        if betting.kind == FOLDED or compared is None:
            return _in_percent(self.pushes.values(all_in)[0])
        better = sorted({compared[seat] for seat in live}, reverse=True)
        ranks = np.array([better.index(compared[seat]) for seat in live])
        order = int(np.flatnonzero((weak_orders(len(live)) == ranks).all(axis=1))[0])
        return _in_percent(self.pushes.values(all_in)[order])

    def fold_value(self, seat: int, all_in: Sequence[int]) -> float:
        """A seat's payoff in `unit` at the fold that ends the hand; others are all-in before."""
        value = float(self.pushes.values(all_in)[0][seat])
        return self.in_unit(value)

    def in_unit(self, value: float) -> float:
        """A value of the solution, in `unit`."""
        return value * (self.pushes.blinds[1] if self.pushes.payouts is None else _PERCENT)


def _in_percent(shares: FloatArray) -> list[float]:
    return [_PERCENT * float(share) for share in shares]


def _hand_of(pushes: PushFold) -> Hand:
    """The hand with these stacks, blinds and antes."""
    if pushes.ante and pushes.big_blind_ante:
        raise ConfigError(
            "hands at a table have one kind of ante, and the solution has two",
            option="big_blind_ante",
            given=pushes.big_blind_ante,
            remedy="solve push or fold with one of them",
        )
    small, big = pushes.blinds
    if small == big:
        raise ConfigError(
            "with equal blinds the small blind may check at a table, and in push or fold it folds",
            option="blinds",
            given=f"{small:g}/{big:g}",
            remedy="solve push or fold with a small blind below the big blind",
        )
    turn = pushes.next_turn(0, ())
    if turn is not None and max(pushes.put_in) <= pushes.put_in[pushes.order[turn]]:
        raise ConfigError(
            "antes leave nobody a blind: seats may check at a table, and in push or fold they fold",
            option="ante",
            given=pushes.ante,
            remedy="solve push or fold with smaller antes",
        )
    return Hand(
        stacks=pushes.stacks,
        seats=pushes.seats,
        blinds=None if pushes.blinds == _BIG_BLINDS else pushes.blinds,
        ante=pushes.ante or pushes.big_blind_ante,
        ante_kind="big-blind" if pushes.big_blind_ante else "each",
        bets="a",
        raises="a",
        last_street="preflop",
    )
