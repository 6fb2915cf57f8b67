"""The parameters of the compiled rules `rules:holdem` for given rules and sizes.

The compiled rules play as `HoldemGame` does, history by history. They pack an infoset into 128
bits, which limits the moves of a hand: heads-up with a cap fits, six seats only on few streets.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from equilibrist.errors import GameSpecError, UnsupportedError
from equilibrist.poker.betting.bet_sizes import AllIn, BetSize, Multiple, PotShare, Sizes
from equilibrist.poker.cards.decks import STANDARD
from equilibrist.poker.hands.menu import HandMenu
from equilibrist.poker.hands.rules import LIMIT_KINDS, HoldemRules

if TYPE_CHECKING:
    from equilibrist.rules.module import Rules

_MILLION: Final = 1_000_000
_SIZES_EACH: Final = 4
_LIMIT: Final = "limit"


def compiled_rules(rules: HoldemRules, menu: HandMenu | None = None) -> Rules:
    """The rules of a hand for samplers that need no tree.

    Args:
        rules: The rules.
        menu: The sizes that are offered; with limit rules None.

    Returns:
        `rules:holdem` with its parameters; `solve` takes them, or their name.

    Raises:
        UnsupportedError: The menu has sizes that the compiled rules do not know, too many of them,
            or none; or the hand may have more moves than its infosets can hold.
    """
    from equilibrist.rules.module import load_rules

    parameters = rules_parameters(rules, menu)
    try:
        return load_rules("holdem", **parameters)
    except GameSpecError as error:
        if error.option != "fits":
            raise
        raise UnsupportedError(
            "a hand may have more moves than the infosets of the compiled rules can hold",
            option="raise_cap",
            remedy="give a raise cap, fewer sizes, or fewer streets or seats",
        ) from None


def rules_parameters(rules: HoldemRules, menu: HandMenu | None = None) -> dict[str, int]:
    """The parameters of `rules:holdem`.

    Args:
        rules: The rules.
        menu: The sizes that are offered; with limit rules None.

    Returns:
        Integers by name.

    Raises:
        UnsupportedError: As for `compiled_rules`.
    """
    if rules.ranking != STANDARD:
        raise UnsupportedError(
            "the compiled rules rank hands as with 52 cards",
            option="deck",
            given=rules.ranking.name,
            remedy="give the lowest rank in the deck, or `solve` the hand with a tree",
        )
    if menu is None and rules.limit != _LIMIT:
        raise UnsupportedError(
            "the compiled rules need sizes of bets",
            option="bets",
            remedy="give bets and raises, such as 50%,a",
        )
    parameters = {
        "seats": rules.seats,
        "limit": LIMIT_KINDS.index(rules.limit),
        "raise_cap": 0 if rules.raise_cap is None else rules.raise_cap + 1,
        "reopens": 1 if rules.short_all_in_reopens else 2 * (not rules.first_short_all_in_reopens),
        "last_street": rules.final_street,
        "hole_cards": rules.hole_cards,
        "lowest_rank": rules.lowest_rank,
        "suits": rules.suits,
        "per_chip": rules.scale.per_chip,
        "layered_ante": max(
            ante - dead for ante, dead in zip(rules.posted_antes, rules.dead_antes, strict=True)
        ),
    }
    cards = (*rules.board[1:], 0, 0, 0)
    parameters |= dict(zip(("flop", "turn", "river"), cards, strict=False))
    bets = (*rules.bets, *[rules.bets[-1]] * 4)
    parameters |= {f"bet_{street}": bets[street] for street in range(4)}
    for name, amounts in (
        ("stack", rules.stacks),
        ("blind", rules.blinds),
        ("ante", rules.posted_antes),
    ):
        padded = (*amounts, *[0] * 10)
        parameters |= {f"{name}_{seat}": padded[seat] for seat in range(10)}
    if menu is not None and rules.limit != _LIMIT:
        parameters |= _sizes(menu)
    return parameters


def _sizes(menu: HandMenu) -> dict[str, int]:
    parameters = {}
    for street, (bets, raises, cap) in enumerate(
        zip(menu.bets, menu.raises, menu.caps, strict=True)
    ):
        parameters[f"cap_{street}"] = 0 if cap is None else cap + 1
        for k, sizes in enumerate((bets, raises)):
            first = (2 * street + k) * _SIZES_EACH
            for place, code in enumerate(_codes(sizes)):
                parameters[f"size_{first + place}"] = code
    return parameters


def _codes(sizes: Sizes) -> list[int]:
    if len(sizes) > _SIZES_EACH:
        raise UnsupportedError(
            f"a list has {len(sizes)} sizes; the compiled rules take {_SIZES_EACH}",
            option="sizes",
            given=len(sizes),
            expected=f"at most {_SIZES_EACH}",
        )
    return [_code(size) for size in sizes]


def _code(size: BetSize) -> int:
    if isinstance(size, AllIn):
        return -1
    millionths = Fraction(0)
    if isinstance(size, PotShare):
        millionths = size.share * _MILLION
    elif isinstance(size, Multiple):
        millionths = -size.factor * _MILLION
    if millionths and millionths.denominator == 1 and abs(millionths) < 1 << 31:
        return int(millionths)
    raise UnsupportedError(
        f"the compiled rules do not know the size {size}",
        option="sizes",
        given=str(size),
        expected="shares of the pot and multiples with few decimals, or a",
    )
