"""Whether the keys of a hand fit together: stacks and seats, straddles, sizes and caps.

Each function raises ConfigError with the key, what was given, and the remedy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import counted
from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.betting.bet_sizes import Chips, EveryBet, PotShare
from equilibrist.poker.betting.chips import MOST_CHIPS, ChipScale, read_units
from equilibrist.poker.hands.betting import legal, start
from equilibrist.poker.hands.menu import HandMenu, offered_totals
from equilibrist.poker.hands.rules import STREET_NAMES, HoldemRules
from equilibrist.poker.hands.state import DECISION


def check_stacks(stack: float | None, stacks: Sequence[float] | None, seats: int) -> None:
    """Refuse stacks that are given twice, or not for each seat."""
    if stacks is None:
        return
    if stack is not None:
        raise ConfigError(
            "both stack and stacks are given", option="stacks", remedy="keep one of them"
        )
    if len(stacks) != seats:
        raise ConfigError(
            f"{counted(len(stacks), 'stack')} cannot be those of {seats} seats",
            option="stacks",
            given=len(stacks),
            expected=seats,
            remedy="give one for each seat, the small blind's first, or set the seats to "
            f"{len(stacks)}",
        )


def check_blinds(blinds: Sequence[float]) -> None:
    """Refuse a small blind that is larger than the big one."""
    small, big = blinds
    if small > big:
        raise ConfigError(
            f"the small blind of {small:g} is larger than the big blind of {big:g}",
            option="blinds",
            given=f"{small:g}/{big:g}",
            expected=f"a small blind of at most {big:g}",
            remedy=f"give the small blind first, such as {big:g}/{small:g}",
        )


def check_button_blind(
    button_blind: float, blinds: object, straddle: Sequence[float], ante_kind: str
) -> None:
    """Refuse other forced bets beside the button's blind."""
    if not button_blind:
        return
    others = {
        "blinds": blinds is not None,
        "straddle": bool(straddle),
        "ante_kind": ante_kind == "big-blind",
    }
    for key, given in others.items():
        if given:
            raise ConfigError(
                f"with button_blind the button alone posts a blind, and {key} is given",
                option=key,
                remedy=f"leave out {key} or button_blind",
            )


def check_amounts(amounts: Iterable[tuple[str, float]], scale: ChipScale, called: str) -> None:
    """Refuse amounts, by their keys, that are too large in units of the scale."""
    most = MOST_CHIPS // scale.per_chip
    for key, amount in amounts:
        if amount > most:
            raise bad_argument(key, amount, f"at most {most:,} {called}")


def check_decisions(rules: HoldemRules) -> None:
    """Refuse rules under which posting puts everybody all-in, so that nobody ever acts."""
    if start(rules).kind != DECISION:
        raise ConfigError(
            "nobody acts: blinds and antes leave at most one seat with chips, and the cards decide",
            option="stack",
            remedy="`equilibrist preflop pushfold` says what each seat wins in such a hand; for "
            "betting give larger stacks, or smaller blinds and antes",
        )


def check_offered(menu: HandMenu | None, limit: str) -> None:
    """Refuse a hand whose betting cannot be enumerated, since every amount is offered."""
    if menu is None and limit != "limit":
        raise ConfigError(
            "without sizes of bets every amount would be offered",
            option="bets",
            remedy="give some, such as 50%,a or by street 2.5x,a|50%,a, or `all` for every amount",
        )


def check_straddle(big_blind: float, straddle: Sequence[float], seats: int) -> None:
    """Refuse straddles of seats that are not there, or that do not rise."""
    amounts = (big_blind, *straddle)
    if len(straddle) > seats - 2:
        raise ConfigError(
            f"{counted(len(straddle), 'straddle')} cannot be posted by {seats} seats",
            option="straddle",
            given=len(straddle),
            expected=f"at most {seats - 2}",
            remedy="the seats after the big blind straddle; give more seats",
        )
    for below, amount in zip(amounts, amounts[1:], strict=False):
        if amount <= below:
            raise ConfigError(
                f"the straddle of {amount} is not above {below}",
                option="straddle",
                given=amount,
                expected=f"more than {below}",
                remedy="a straddle is usually twice the big blind, or the straddle before it",
            )


def refuse_sizes(bets: str, raises: str) -> None:
    """Refuse sizes of a limit game."""
    for key, sizes in (("bets", bets), ("raises", raises)):
        if sizes:
            raise ConfigError(
                f"{key} are given for a limit game, whose bets have one size",
                option=key,
                given=sizes,
                remedy="remove them, or give fixed_bets",
            )


def check_caps(raise_cap: int | tuple[int | None, ...] | None, streets: int) -> None:
    """Refuse caps by street that are not given for each street with betting."""
    if isinstance(raise_cap, tuple) and len(raise_cap) != streets:
        raise ConfigError(
            f"{counted(len(raise_cap), 'cap')} cannot be those of "
            f"{counted(streets, 'street')} with betting",
            option="raise_cap",
            given=len(raise_cap),
            expected=streets,
            remedy="give one number for all streets, or one for each",
        )


def check_sizes(menu: HandMenu, scale: ChipScale) -> None:
    """Refuse sizes without effect, and chips that are no multiple of the unit."""
    for sizes in (size for row in (*menu.bets, *menu.raises) for size in row):
        if isinstance(sizes, PotShare) and not sizes.share:
            raise ConfigError(
                "the size 0% has no effect", option="bets", given="0%", remedy="remove it"
            )
        if isinstance(sizes, Chips):
            read_units("bets", sizes.chips, scale, "a size in chips")


def check_first_bets(rules: HoldemRules, menu: HandMenu, bets: str) -> None:
    """Refuse streets with sizes of which none is ever offered."""
    root = start(rules)
    for street in range(rules.final_street + 1):
        if street == 0:
            may_raise = root.player >= 0 and legal(rules, root).most > 0
            every = any(isinstance(size, EveryBet) for size in menu.sizes(rules, root))
            offers = not may_raise or every or bool(offered_totals(rules, menu, root))
        else:
            offers = any(not size.only_raises for size in menu.bets[street])
        if not offers and (menu.bets[street] or menu.raises[street]):
            name = STREET_NAMES[street]
            raise ConfigError(
                f"no bet on the {name} is legal" if street else "no first raise is legal",
                option="bets",
                given=bets,
                place=name,
                remedy="give a size of bets for that street, such as 50%, or a larger cap; "
                "or `none` in both lists; or end the betting before it with last_street",
            )
