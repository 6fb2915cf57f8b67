"""Menus of bet sizes for a whole hand: which of the legal amounts a tree offers.

Sizes are written as for spots, streets separated by bars, the first before the flop. `bets` are
sizes of the first bet of a street, before the flop of the first raise; `raises` are sizes of all
later raises. The pot of a share includes what the seat has to call, as everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

from equilibrist.errors import BetSizeSyntaxError
from equilibrist.poker.betting.actions import CALL, CHECK, FOLD, Action, Kind
from equilibrist.poker.betting.bet_size_parser import parse_lists
from equilibrist.poker.betting.bet_sizes import (
    AllIn,
    BetSize,
    EveryBet,
    Situation,
    Sizes,
    Street,
)
from equilibrist.poker.hands.betting import covering, legal, wager
from equilibrist.poker.hands.rules import STREET_NAMES, HoldemRules
from equilibrist.poker.hands.state import DECISION, HandState

_LAST: Final = 2
"""The number that sizes have for the last street, of those from the flop on."""


@dataclass(frozen=True)
class HandMenu:
    """The bet sizes of all seats, by street.

    Attributes:
        bets: The sizes of the first bet, before the flop of the first raise.
        raises: The sizes of later raises.
        caps: The most raises, not counting the first bet; a blind is a first bet. After them only
            all-in is offered, where the list has it. None for no cap.
    """

    bets: tuple[Sizes, ...]
    raises: tuple[Sizes, ...]
    caps: tuple[int | None, ...]

    @classmethod
    def read(
        cls,
        rules: HoldemRules,
        bets: str = "",
        raises: str = "",
        caps: Sequence[int | None] | int | None = None,
    ) -> HandMenu:
        """Read the sizes of a hand.

        Args:
            rules: The rules; their streets with betting are those of the lists.
            bets: Sizes of bets, such as `50%, a` or `2.5x|50%|50%|100%`. Before the flop, where
                blinds are a bet, they may be multiples.
            raises: Sizes of raises, likewise.
            caps: The most raises on a street, one number or one a street; None for no cap.

        Returns:
            The menu.

        Raises:
            BetSizeSyntaxError: A size cannot be read; the error has the position.
        """
        streets = STREET_NAMES[: rules.final_street + 1]
        if caps is None or isinstance(caps, int):
            caps = (caps,) * len(streets)
        opens_with_raise = any(rules.blinds)
        first = parse_lists(bets, streets, raises=True)
        if "|" in bets or not opens_with_raise:
            for street in range(opens_with_raise, len(streets)):
                _refuse_raises_only(bets, first[street])
        return cls(first, parse_lists(raises, streets, raises=True), tuple(caps))

    def sizes(self, rules: HoldemRules, state: HandState) -> Sizes:
        """The sizes of the seat to act; at the cap those of all-in alone.

        Args:
            rules: The rules.
            state: A decision.

        Returns:
            The sizes of the menu, whether legal or not.
        """
        street = state.street
        sizes = (self.raises if state.wagers else self.bets)[street]
        if not _multiplied(rules, state):  # one list for all streets may have multiples
            sizes = tuple(size for size in sizes if not size.only_raises)
        cap = self.caps[street]
        if cap is not None and state.wagers >= cap + rules.opens_with_bet(street):
            ends_all_in = any(isinstance(size, AllIn | EveryBet) for size in sizes)
            sizes = (AllIn(),) if ends_all_in else ()
        return sizes


def lists_played(rules: HoldemRules, text: str) -> str:
    """The lists of the streets with betting, of sizes that are given for all streets.

    Args:
        rules: The rules.
        text: Sizes for all streets of the board, or for those with betting; one list for all.

    Returns:
        The text, without the lists after the last street with betting.

    Raises:
        BetSizeSyntaxError: A size of these cannot be read.
    """
    pieces, streets = text.split("|"), rules.final_street + 1
    if len(pieces) != len(rules.board) or len(pieces) == streets:
        return text
    parse_lists(text, STREET_NAMES[: len(pieces)], raises=True)
    return "|".join(pieces[:streets])


def _refuse_raises_only(text: str, sizes: Sequence[BetSize]) -> None:
    for size in sizes:
        if size.only_raises:
            raise BetSizeSyntaxError(
                f"{size} is for raises only; write a bet as 50%, 100c, 2e or a",
                text,
                text.rindex(str(size)) if str(size) in text else 0,
                option="bets",
                given=str(size),
            )


def offered_totals(rules: HoldemRules, menu: HandMenu | None, state: HandState) -> list[int]:
    """The totals of bets and raises that the seat to act is offered, ascending, in units.

    Sizes are raised to the smallest legal total, and lowered to the largest that anyone can call.

    Args:
        rules: The rules.
        menu: The menu; None for every legal amount, which under limit is one.
        state: A decision.

    Returns:
        Totals of the street.
    """
    can = legal(rules, state)
    if not can.most:
        return []
    top = min(can.most, max(can.least, covering(rules, state)))
    if menu is None or rules.limit == "limit":
        return list(range(can.least, top + 1))
    bet = max(state.bets)
    before = state.pot - bet - state.bets[state.player]  # sizes add the bet and the call
    multiplied = _multiplied(rules, state)
    street = cast(Street, _LAST - rules.final_street + state.street)
    raises = max(0, state.wagers - rules.opens_with_bet(state.street))
    situation = Situation(before, bet, top, street, raises, rules.scale)
    wanted = [
        total
        for size in menu.sizes(rules, state)
        for total in size.totals(
            situation._replace(bet=multiplied) if size.only_raises else situation, can.least
        )
    ]
    return sorted({min(max(total, can.least), top) for total in wanted})


def _multiplied(rules: HoldemRules, state: HandState) -> int:
    """The amount that multiples are of: the highest bet; the smallest where antes left no blind."""
    bet = max(state.bets)
    if not bet and not state.street and any(rules.blinds):
        return rules.bets[0]
    return bet


def offered(rules: HoldemRules, menu: HandMenu | None, state: HandState) -> tuple[Action, ...]:
    """The actions that the seat to act is offered: fold, check or call, then bets by size.

    Args:
        rules: The rules.
        menu: The menu; None for every legal amount.
        state: A state; only at decisions there are any.

    Returns:
        The actions, with amounts in chips.
    """
    if state.kind != DECISION:
        return ()
    passive = (FOLD, CALL) if max(state.bets) > state.bets[state.player] else (CHECK,)
    totals = offered_totals(rules, menu, state)
    return (*passive, *(wager(rules, state, total) for total in totals))


def normalize(rules: HoldemRules, state: HandState, action: Action) -> Action:
    """The action with its proper kind at a state: bet, raise or all-in.

    Args:
        rules: The rules.
        state: A decision.
        action: An action, such as `A` without an amount, or a bet that is all-in.

    Returns:
        The action as `offered` has it.
    """
    if action.kind not in {Kind.BET, Kind.RAISE, Kind.ALL_IN}:
        return action
    if action == Action(Kind.ALL_IN):
        can = legal(rules, state)
        return wager(rules, state, min(can.most, max(can.least, covering(rules, state))))
    return wager(rules, state, rules.scale.units(action.amount))
