"""The situations that are labelled: boards, pots and stacks, and ranges, drawn or from solved play.

With random ranges pots and stacks are those of DeepStack, heads-up with stacks of 200 big blinds of
100 chips: what each player has put in is drawn, by equal chances, from 100 | 200-399 | 400-1,999 |
2,000-5,999 | 6,000-19,950. Solved play begins on the street before with stacks of 100 big blinds,
of which each player has put in one of four amounts (`_ENTERED`), and leads to its own pots.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from equilibrist.learned.holdem_values.hand_grid import BoardHands
from equilibrist.parsing.arguments import optional_whole_number
from equilibrist.poker.cards.canonical_boards import board_places, canonical_boards
from equilibrist.poker.cards.cards import NUM_CARDS, card_mask, card_names
from equilibrist.poker.cards.combos import (
    CLASS_OF_COMBO,
    NUM_CLASSES,
    NUM_COMBOS,
    without_cards,
)
from equilibrist.poker.cards.decks import FULL_DECK, Deck, read_deck
from equilibrist.poker.cards.flops import canonical_flop
from equilibrist.poker.cards.isomorphism import COMBO_IMAGES
from equilibrist.poker.postflop.files.boards import Board
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.range import Range
from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    from equilibrist.poker.postflop.solution.result import PostflopResult

DatasetStreet = Literal["turn", "river"]
BoardUse = Literal["training", "choice", "report"]
"""What a board is used for: to fit networks, to choose the best stage, or to report its errors."""
BOARD_CARDS: Final[dict[str, int]] = {"turn": 4, "river": 5}
"""Cards on the board when a street begins."""
RANDOM: Final = 0
SOLVED: Final = 1
"""Where the ranges of a situation come from."""
STACK: Final = 20_000
"""Chips of each player at the beginning of a hand with random ranges."""
SOLVED_STACK: Final = 10_000
"""Chips of each player at the beginning of a hand of solved play."""
_PAID: Final = ((100, 100), (200, 399), (400, 1_999), (2_000, 5_999), (6_000, 19_950))
"""What each player may have put in, the bounds included."""
_LEAST_WEIGHT: Final = 1e-7
"""The weight of every hand, as a share of the largest: hands that nobody holds are valued, too."""
_ENTERED: Final = ((275, 0.65), (450, 0.35), (1_100, 0.15), (2_400, 0.06))
"""Chips that each player has put in before the flop of a solved spot, and how many hands go on."""
_EXPLORED: Final = 0.25
"""How often a line is continued by any action, whatever the strategies say."""
_TRIES: Final = 50
_FLOP_ORDER: Final = 1
"""Seed of the order in which held-out flops are examined."""
_HELD_OUT_FLOPS: Final = 0.06
_HELD_OUT_RIVERS: Final = 0.1
"""Shares of canonical flops and rivers that no network is trained on."""
_MENUS: Final[dict[str, dict[str, Any]]] = {
    "turn": {"bets": "100%", "raises": "100%||", "raise_cap": 1},
    "river": {"bets": "100%", "raises": "|100%|", "raise_cap": 1},
}
"""Bet sizes of spots from which ranges are taken, by the street after: few, as flops are large."""
_TARGET: Final = "2%"
_ITERATIONS: Final = 100
"""When such a spot is solved well enough."""


@dataclass(frozen=True)
class Situation:
    """A board, the chips, and the ranges of both players.

    Attributes:
        cards: The canonical board, the highest card first.
        pot: Chips in the middle.
        stack: Chips that each player has behind.
        ranges: float64[2, 1326]: the weights, each player's with sum 1; none is 0 but for hands
            that the board blocks.
        source: RANDOM or SOLVED.
    """

    cards: tuple[int, ...]
    pot: float
    stack: float
    ranges: FloatArray
    source: int


def random_range(strength: NDArray[np.floating], generator: np.random.Generator) -> FloatArray:
    """Draw a range in which hands of about the same strength are alike.

    DeepStack's generator R(S, p): the weaker half of the hands S gets a part of the mass p that is
    uniform on [0, p], the stronger half the rest, and so on down to single hands. Moravcik et al.,
    DeepStack (Science 356, 2017), supplement.

    Args:
        strength: float[n], n >= 1; the larger, the stronger. Equal hands come in random order.
        generator: What draws.

    Returns:
        float64[n]: the weights, which sum to 1.
    """
    count = len(strength)
    order = np.lexsort((generator.random(count), strength))
    mass = np.ones(1)
    sizes = np.array([count])
    while sizes.max() > 1:  # one level of halves at a time
        share = generator.random(len(sizes))
        weaker = np.where(sizes > 1, sizes // 2, 0)
        below = np.where(sizes > 1, share * mass, 0.0)
        mass = np.stack([below, mass - below], axis=1).ravel()
        sizes = np.stack([weaker, sizes - weaker], axis=1).ravel()
        mass, sizes = mass[sizes > 0], sizes[sizes > 0]
    weights = np.empty(count)
    weights[order] = mass
    return weights


def random_situation(
    street: DatasetStreet, generator: np.random.Generator, max_ratio: float
) -> Situation:
    """Draw a board, chips and two random ranges.

    Args:
        street: The street that begins.
        generator: What draws.
        max_ratio: The largest stack / pot; chips are drawn until they are within it.

    Returns:
        The situation.
    """
    deck = generator.permutation(NUM_CARDS)[: BOARD_CARDS[street]]
    cards, _ = canonical_board(deck)
    board = BoardHands(cards)
    strength = board.equity_and_spread[0]
    paid = _paid(generator, max_ratio)
    ranges = np.zeros((2, NUM_COMBOS))
    for weights in ranges:
        weights[board.hands] = random_range(strength, generator)
    return Situation(cards, 2 * paid, STACK - paid, _covering(cards, ranges), RANDOM)


def solved_situations(
    street: DatasetStreet, generator: np.random.Generator, count: int
) -> list[Situation]:
    """Solve a spot of the street before, and take situations to which its play leads.

    Args:
        street: The street that begins.
        generator: What draws.
        count: How many situations.

    Returns:
        The situations: lines of the spot, with any card that may be dealt after them.
    """
    if not count:
        return []
    solution = solved_spot(
        street, generator, _ENTERED, _MENUS[street], target=_TARGET, iterations=_ITERATIONS
    )
    return [_after_street(solution, generator) for _ in range(count)]


def solved_spot(
    street: DatasetStreet,
    generator: np.random.Generator,
    entered: Sequence[tuple[int, float]],
    menu: Mapping[str, Any],
    *,
    target: str,
    iterations: int,
) -> PostflopResult:
    """Draw a spot of the street before, and solve it to the end of the hand.

    Args:
        street: The street after it.
        generator: What draws board, chips and ranges.
        entered: Chips that each player may have put in, and the share of hands that go on.
        menu: Bet sizes, as keys of `Spot`.
        target: To which exploitability it is solved, such as "0.3%" of its pot.
        iterations: The most iterations.

    Returns:
        The solution.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    from equilibrist.poker.postflop.solving.spot_runs import solve

    board = generator.permutation(NUM_CARDS)[: BOARD_CARDS[street] - 1]
    paid, share = entered[int(generator.integers(len(entered)))]
    spot = Spot(
        board=card_names(board.tolist()),
        oop=preflop_range(share, generator),
        ip=preflop_range(share, generator),
        pot=2 * paid,
        stack=SOLVED_STACK - paid,
        unit=1,
        **menu,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        solution = solve(spot, target=target, iterations=iterations, threads=1)
    if solution.stopped_by == "interrupted":
        raise KeyboardInterrupt
    return solution


def _after_street(solution: PostflopResult, generator: np.random.Generator) -> Situation:
    """Play a street by chance until a card comes with chips left behind."""
    spot = solution.spot
    for _ in range(_TRIES):
        node = solution.at("")
        while node.player is not None:
            lines = [*node.next_lines.values()]
            shares = np.array([*node.frequency.values()])
            if generator.random() < _EXPLORED or not np.isfinite(shares).all():
                shares = np.full(len(lines), 1 / len(lines))
            node = solution.at(lines[int(generator.choice(len(lines), p=shares / shares.sum()))])
        stack = spot.stack - (node.pot - spot.pot) / 2
        if node.deals_a_card and stack > 0:
            break
    else:  # both stacks are in almost always: both players check
        node, stack = solution.at("X-X"), spot.stack
    unseen = [card for card in range(NUM_CARDS) if card not in spot.cards]
    board = np.array([*spot.cards, generator.choice(unseen)])
    cards, images = canonical_board(board)
    ranges = np.zeros((2, NUM_COMBOS))
    ranges[:, images] = node.values.weight
    return Situation(cards, node.pot, stack, _covering(cards, ranges), SOLVED)


def use_of(cards: Sequence[int]) -> BoardUse:
    """What a board is used for in training, the same for every dataset.

    A turn is held out with each flop among its cards, so that the flop can be examined over a
    network that knows none of its turns: 6 % of the flops, and a fifth of the turns. A tenth of the
    rivers is. They are chosen by a hash of the canonical board. On half of the boards that are held
    out the best stage of a training is chosen, and on the others its errors are reported: the
    errors of the best of many stages on the boards that it was chosen on would be too small.

    Args:
        cards: The cards of a flop, turn or river, in any suits and order.

    Returns:
        "training", "choice" or "report".
    """
    if len(cards) == BOARD_CARDS["river"]:
        share, held_out = _share_of(cards), _HELD_OUT_RIVERS
    else:
        share = min(_share_of(flop) for flop in combinations(cards, 3))
        held_out = _HELD_OUT_FLOPS
    if share >= held_out:
        return "training"
    return "choice" if share < held_out / 2 else "report"


def is_held_out(cards: Sequence[int]) -> bool:
    """Whether no network is trained on a board: what `use_of` takes for choices and reports.

    Args:
        cards: The cards of a flop, turn or river, in any suits and order.

    Returns:
        Whether it is.
    """
    return use_of(cards) != "training"


def held_out_flops(count: int | None = None, deck: str | Deck = FULL_DECK) -> list[Board]:
    """Flops of which no network of the turn knows a turn, with their weights.

    Args:
        count: How many, always the same: those of a fixed order that come first; None for all.
        deck: The deck that they are of: its lowest rank, or `short` or `short-trips`.

    Returns:
        The flops as `flop_boards` gives them: each class of suit images once, weighted by its size.

    Raises:
        ConfigError: There are fewer, or there is no such deck.
    """
    lowest = 4 * read_deck(deck).lowest_rank
    canonical = canonical_boards(3).cards.tolist()
    known = [
        canonical_flop(card_names(cards))
        for cards in canonical
        if min(cards) >= lowest and is_held_out(cards)
    ]
    whole = optional_whole_number("count", count, 1, len(known))
    order = np.random.default_rng(_FLOP_ORDER).permutation(len(known))[:whole]
    return [Board(known[number].name, known[number].weight) for number in sorted(order.tolist())]


def _share_of(cards: Sequence[int]) -> float:
    """A number from 0 to 1 that belongs to the canonical board of a board."""
    canonical, _ = canonical_board(np.array(cards))
    digest = hashlib.blake2b(bytes(sorted(canonical)), digest_size=8).digest()
    return int.from_bytes(digest, "little") / 2**64


def canonical_board(board: NDArray[Any]) -> tuple[tuple[int, ...], NDArray[np.int32]]:
    """Turn the suits of a board.

    Args:
        board: int[n]: its cards.

    Returns:
        The canonical board, the highest card first, and int32[1326]: the image of each combo on it.
    """
    places = board_places(board[None])
    cards = canonical_boards(len(board)).cards[places.board[0]]
    return tuple(cards.tolist()), COMBO_IMAGES[places.permutation[0]]


def _covering(cards: tuple[int, ...], ranges: FloatArray) -> FloatArray:
    """The ranges on a board, each with sum 1, in which every hand has some weight."""
    possible = without_cards(card_mask(cards))
    held = np.where(possible, ranges, 0.0)
    largest = held.max(axis=1, keepdims=True)
    held = np.where(possible, np.maximum(held, _LEAST_WEIGHT * np.maximum(largest, 1e-300)), 0.0)
    weights: FloatArray = held / held.sum(axis=1, keepdims=True)
    return weights


def _paid(generator: np.random.Generator, max_ratio: float) -> int:
    """Chips that each player has put in."""
    while True:
        least, most = _PAID[int(generator.integers(len(_PAID)))]
        paid = int(generator.integers(least, most + 1))
        if STACK - paid <= max_ratio * 2 * paid:
            return paid


def preflop_range(share: float, generator: np.random.Generator) -> Range:
    """Draw a range as after a raise: the best hands, some of which play otherwise.

    Args:
        share: About how many hands.
        generator: What draws.

    Returns:
        The range.
    """
    whole = Range.top(share * generator.uniform(0.6, 1.4))
    kept = generator.uniform(0.0, 1.0, NUM_CLASSES) ** 0.5
    return Range.from_weights(whole.weights * kept[CLASS_OF_COMBO])
