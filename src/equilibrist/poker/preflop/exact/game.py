"""A game that is solved exactly: rules, sizes, and the boards that may come."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import instance, optional_whole_number, whole_number
from equilibrist.poker.hands.betting_tree import BettingTree, TreeSize, betting_tree, count_nodes
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.hand_checks import check_decisions, check_offered
from equilibrist.poker.hands.menu import HandMenu
from equilibrist.poker.hands.rules import STREET_NAMES, HoldemRules
from equilibrist.poker.preflop.exact.boards import BoardTable, board_table

_SUITS: Final = 4


@dataclass(frozen=True)
class ExactGame:
    """Two-player hold'em from the first card, with all hands and without buckets.

    Args:
        rules: The rules; betting ends on their last street, the rest of the board is dealt.
        menu: The sizes that are offered; None for every legal amount, which under limit is one.
        flops: How many boards of the first cards are drawn, as likely as they come; None for all.
        seed: The seed of that draw.

    Raises:
        ConfigError: The game has more than two seats, different antes, or hands that the solver
            does not deal.
    """

    rules: HoldemRules
    menu: HandMenu | None = None
    flops: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        rules = instance("rules", self.rules, HoldemRules, "HoldemRules")
        if self.menu is not None:
            instance("menu", self.menu, HandMenu, "a HandMenu, or None")
        optional_whole_number("flops", self.flops, 1, 10**6)
        whole_number("seed", self.seed, 0, 2**63 - 1)
        for option, value, expected, remedy in (
            ("seats", rules.seats, 2, "give two stacks, or solve the hand by `preflop multiway`"),
            ("hole_cards", rules.hole_cards, 2, "leave hole_cards out of the hand"),
            ("suits", rules.suits, _SUITS, "leave suits out of the hand; deck makes it shorter"),
        ):
            if value != expected:
                raise ConfigError(
                    f"exact solutions are for {expected} {option.replace('_', ' ')}, not {value}",
                    option=option,
                    given=value,
                    expected=expected,
                    remedy=remedy,
                )
        if len(set(rules.antes)) > 1:  # the engine's payoffs are the same for both seats
            raise ConfigError(
                "exact solutions are for antes that both seats post alike",
                option="ante_kind",
                given=rules.antes,
                expected="each",
                remedy="give each seat half of it, and take that half from the big blind's stack "
                "to the small blind's: the strategies are the same, and EVs differ by that half; "
                "or train a blueprint of this hand",
            )
        if self.flops is not None and not self.final_street:
            raise ConfigError(
                "betting ends before the flop, so that all boards are counted",
                option="flops",
                given=self.flops,
                remedy="leave it out",
            )

    @classmethod
    def of(cls, hand: Hand, flops: int | None = None, seed: int = 0) -> ExactGame:
        """The game of a hand.

        Args:
            hand: The hand; of two seats, with sizes of bets unless its limit is `limit`.
            flops: How many boards of the first cards are drawn; None for all.
            seed: The seed of that draw.

        Returns:
            The game.

        Raises:
            ConfigError: The hand is of other seats, antes or cards, or has no sizes.
        """
        instance("hand", hand, Hand, "a Hand", remedy="such as Hand(stack=10, bets='a')")
        check_offered(hand.menu, hand.limit)
        check_decisions(hand.rules)
        return cls(hand.rules, hand.menu, flops, seed)

    @cached_property
    def dealt(self) -> tuple[int, ...]:
        """Board cards before each street with betting."""
        return self.rules.board[: self.final_street + 1]

    @cached_property
    def final_street(self) -> int:
        """The last street on which a seat decides; stacks may leave none on that of the rules."""
        return max(street for street, count in enumerate(self.size.decisions) if count)

    @property
    def to_come(self) -> int:
        """Board cards that are dealt after the last street with betting."""
        return sum(self.rules.board[len(self.dealt) :])

    @cached_property
    def size(self) -> TreeSize:
        """The size of the betting, without cards."""
        return count_nodes(self.rules, self.menu)

    @cached_property
    def tree(self) -> BettingTree:
        """The betting."""
        return betting_tree(self.rules, self.menu)

    def boards(self) -> BoardTable:
        """List the boards that may come, up to suits.

        Returns:
            The boards; the first is the empty one.
        """
        return board_table(self.dealt, self.rules.lowest_rank, self.flops, self.seed)

    @property
    def big_blind(self) -> int:
        """The big blind in units of the rules; payoffs are counted in it."""
        return self.rules.big_blind

    @property
    def name(self) -> str:
        """A short name: `limit hold'em up to the flop, 100 bb`."""
        rules = self.rules
        bb = min(rules.stacks) / self.big_blind
        last = f"up to the {self.last_street}" if self.final_street else "before the flop"
        return f"{rules.limit} hold'em, {bb:g} bb, betting {last}"

    @property
    def last_street(self) -> str:
        """The name of the last street with betting."""
        return STREET_NAMES[self.final_street]
