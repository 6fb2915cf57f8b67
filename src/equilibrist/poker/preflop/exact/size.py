"""The size of a game, counted before anything is allocated."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final, NamedTuple

from equilibrist.errors import MemoryBudgetError
from equilibrist.formatting.amounts import bytes_text, counted
from equilibrist.parsing.arguments import whole_number
from equilibrist.poker.cards.isomorphism import SUIT_PERMUTATIONS
from equilibrist.poker.hands.menu import HandMenu
from equilibrist.poker.hands.rules import STREET_NAMES
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.tree.walk.budget import default_memory

_RANKS: Final = 13
_NUMBER_BYTES: Final = 4
_ROW_BYTES: Final = 13
"""Of the tables of a row."""
_BOARD_BYTES: Final = 300
_PAIR_BYTES: Final = 2
_FIXED: Final = 150_000_000
"""The program, its libraries and the working memory of a few threads."""


class StreetSize(NamedTuple):
    """The size of a street."""

    street: str
    boards: int
    """Boards up to suits."""
    rows: int
    """Classes of hands on all of them."""
    slots: int
    """Actions at the decisions of both players, the cards left out."""
    num_bytes: int
    """Regrets and strategy sums, tables, and matrices of showdowns before the last card."""


class ExactSize(NamedTuple):
    """The size of a game."""

    streets: tuple[StreetSize, ...]
    num_bytes: int


def classes(cards: tuple[int, ...], lowest_rank: int = 0) -> int:
    """Count the deals of several sets of cards that differ by more than the names of suits.

    By Burnside's lemma: the mean over all permutations of suits of the deals that each leaves
    unchanged, which is the coefficient of a product over the cycles of cards.

    Args:
        cards: The cards of each set.
        lowest_rank: The lowest rank in the deck.

    Returns:
        The number.
    """
    total = 0
    for permutation in SUIT_PERMUTATIONS.tolist():
        lengths = _cycles(permutation)
        ways = {(0,) * len(cards): 1}
        for _ in range(_RANKS - lowest_rank):
            for length in lengths:
                ways = _with_cycle(ways, cards, length)
        total += ways.get(cards, 0)
    return total // len(SUIT_PERMUTATIONS)


def _cycles(permutation: list[int]) -> list[int]:
    left, lengths = set(range(len(permutation))), []
    while left:
        start = place = min(left)
        length = 0
        while place in left:
            left.remove(place)
            place = permutation[place]
            length += 1
        assert place == start
        lengths.append(length)
    return lengths


def _with_cycle(
    ways: dict[tuple[int, ...], int], most: tuple[int, ...], length: int
) -> dict[tuple[int, ...], int]:
    """The ways to fill the sets after a cycle of cards, which goes into one of them or none."""
    ways_after = dict(ways)
    for held, count in ways.items():
        for k in range(len(most)):
            if held[k] + length <= most[k]:
                new = (*held[:k], held[k] + length, *held[k + 1 :])
                ways_after[new] = ways_after.get(new, 0) + count
    return ways_after


def exact_size(game: ExactGame) -> ExactSize:
    """Count a game without allocating it.

    Args:
        game: The game.

    Returns:
        Its size.

    Raises:
        MemoryBudgetError: The betting alone is too large to enumerate.
    """
    streets = street_sizes(game, game.size.actions)
    return ExactSize(streets, _FIXED + sum(street.num_bytes for street in streets))


def street_sizes(game: ExactGame, actions: Sequence[int]) -> tuple[StreetSize, ...]:
    """Count the streets of an engine on all boards of a game, perhaps with other betting.

    Args:
        game: The game.
        actions: The actions at all decisions of each street.

    Returns:
        The size of each street.
    """
    rules = game.rules
    share = 1.0
    streets = []
    for s, name in enumerate(STREET_NAMES[: len(game.dealt)]):
        dealt = game.dealt[1 : s + 1]
        boards = classes(dealt, rules.lowest_rank) if dealt else 1
        rows = classes((2, *dealt), rules.lowest_rank)
        if s == 1 and game.flops is not None:
            share = min(1.0, game.flops / boards)
        if s:
            boards, rows = max(1, round(share * boards)), max(1, round(share * rows))
        slots = actions[s]
        num_bytes = rows * (2 * _NUMBER_BYTES * slots + _ROW_BYTES) + boards * _BOARD_BYTES
        if s and sum(rules.board[s + 1 :]):
            # Rows of a board vary with its suits, which makes their squares larger than the mean's.
            num_bytes += round(_PAIR_BYTES * 1.15 * rows * rows / boards)
        streets.append(StreetSize(name, boards, rows, slots, num_bytes))
    return tuple(streets)


def check_fits(game: ExactGame, memory: int | None = None, *, beside: int = 0) -> ExactSize:
    """The size of a game, if it fits into memory.

    Args:
        game: The game.
        memory: The most bytes that it may take, by default half of the machine's memory.
        beside: The bytes of what is kept beside it.

    Returns:
        The size.

    Raises:
        MemoryBudgetError: The game is larger; the error says by street what is needed, and what
            would fit.
    """
    limit = default_memory() if memory is None else whole_number("memory", memory, 1)
    size = exact_size(game)
    needed = size.num_bytes + beside
    if needed <= limit:
        return size
    needs = ", ".join(
        f"{street.street} {bytes_text(street.num_bytes)} ({counted(street.rows, 'hand')} of "
        f"{counted(street.boards, 'board')}, {counted(street.slots, 'action')} each)"
        for street in size.streets
    )
    if beside:
        needs += f", {bytes_text(beside)} for what is solved beside it"
    raise MemoryBudgetError(
        f"the game needs {bytes_text(needed)} ({needs}), which exceeds the limit of "
        f"{bytes_text(limit)}",
        size.streets[-1].rows,
        remedy=_remedy(game, limit - beside),
        option="memory",
        given=limit,
        expected=needed,
    )


def _remedy(game: ExactGame, limit: int) -> str:
    """Find what would fit: an earlier last street, or fewer boards."""
    from dataclasses import replace

    offers = []
    for street in range(game.final_street - 1, -1, -1):
        rules = replace(game.rules, last_street=street)
        flops = game.flops if street else None
        less = exact_size(replace(game, rules=rules, menu=_shorter(game, street), flops=flops))
        if less.num_bytes <= limit:
            name, size = STREET_NAMES[street], bytes_text(less.num_bytes)
            offers.append(f'last_street = "{name}" ({size})')
            break
    whole = exact_size(replace(game, flops=None))
    boards = whole.streets[1].boards if len(whole.streets) > 1 else 0
    fits = [n for n in _counts(boards) if exact_size(replace(game, flops=n)).num_bytes <= limit]
    if fits:
        less = exact_size(replace(game, flops=fits[0]))
        offers.append(f"flops = {fits[0]} ({bytes_text(less.num_bytes)})")
    if not offers:
        return (
            "Nothing smaller was found that fits: give fewer sizes, smaller stacks or a raise cap"
        )
    return f"What fits: {'; or '.join(offers)}"


def _counts(boards: int) -> list[int]:
    """Round numbers of boards below all, from the largest."""
    steps = [digit * 10**power for power, digit in product(range(5), (1, 2, 5))]
    return [n for n in sorted(steps, reverse=True) if n < boards]


def _shorter(game: ExactGame, street: int) -> HandMenu | None:
    menu = game.menu
    if menu is None:
        return None
    end = street + 1
    return HandMenu(menu.bets[:end], menu.raises[:end], menu.caps[:end])


__all__ = ["ExactSize", "StreetSize", "check_fits", "classes", "exact_size"]
