"""What the actions of a hand are worth at a decision, if both seats follow the blueprint.

The opponent holds what the blueprint holds there. With the whole board the values are exact, on the
turn they are means over all river cards; before, boards are drawn. They are values of play by the
blueprint, not those of best responses.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.evaluation.duplicates import Estimate
from equilibrist.kernels.blueprint.arrays import DESCEND, ENDS_OF, KNOWN, Betting, Work
from equilibrist.kernels.blueprint.walk import walk_boards
from equilibrist.parsing.arguments import whole_number
from equilibrist.poker.blueprint.abstract_game import check_evaluated
from equilibrist.poker.blueprint.evaluation.row_schedule import Schedule, build_schedule, work_for
from equilibrist.poker.blueprint.evaluation.values import estimate, strategy_of
from equilibrist.poker.blueprint.policy import Blueprint, board_of_street, ranges_at
from equilibrist.poker.blueprint.training.boards import board_rows
from equilibrist.poker.blueprint.training.preflop_ends import PreflopEnds
from equilibrist.poker.buckets.board_hands import deck_hands, hands_on
from equilibrist.poker.cards.combos import COMBO_MASKS, NUM_COMBOS
from equilibrist.poker.cards.evaluator_tables import strength_tables
from equilibrist.poker.hands.state import FOLDED
from equilibrist.poker.hands.tree_lines import path_to
from equilibrist.typing import FloatArray, UInt8Array

WORK: Final = 150_000
"""Nodes that are visited for a decision, over all boards: about a second."""
LEAST_BOARDS, MOST_BOARDS = 12, 300
"""Boards that are drawn for a decision."""
_RIVER: Final = 5


class NodeValuer:
    """Values of actions of hands at the decisions of a blueprint.

    Args:
        blueprint: The blueprint.
        seed: The seed of the boards that are drawn.

    Raises:
        ConfigError: The seed is no whole number.
        UnsupportedError: The blueprint has more than two seats.
    """

    def __init__(self, blueprint: Blueprint, *, seed: int = 0) -> None:
        check_evaluated(blueprint.hand, "the value of actions")
        self._blueprint = blueprint
        self._seed = whole_number("seed", seed, 0)
        self._lowest = blueprint.cards.lowest_rank
        self._streets = blueprint.hand.rules.final_street + 1

    def values(self, node: int, board: Sequence[int], combo: int) -> tuple[Estimate, ...] | None:
        """Value each action.

        Args:
            node: A decision of the tree.
            board: The public cards there.
            combo: The hand of the seat to act.

        Returns:
            What the hand wins in big blinds against the stack before posting, by action; None
            where the opponent never plays to the decision.

        Raises:
            ConfigError: The board is too short.
        """
        tree = self._blueprint.tree
        known = tuple(int(card) for card in board_of_street(board, int(tree.street[node])))
        seat = int(tree.player[node])
        reach = ranges_at(self._blueprint, node, known)[1 - seat]
        met = float(reach[COMBO_MASKS & COMBO_MASKS[combo] == 0].sum())
        if met <= 0.0:
            return None
        boards = self._boards(node, known, combo)
        missing, left = _RIVER - len(known), 52 - 4 * self._lowest - len(known) - 2
        met *= comb(left - 2, missing) / comb(left, missing)  # hands that the later cards leave
        won = self._walked(node, seat, boards, combo) / met
        sampled = missing > 1
        return tuple(
            self._folded(child, seat)
            if tree.kind[child] == FOLDED
            else estimate(column)
            if sampled
            else Estimate(float(column.mean()), 0.0)
            for child, column in zip(tree.children(node), won.T, strict=True)
        )

    def _folded(self, node: int, seat: int) -> Estimate:
        """The loss by a fold, which depends on no cards."""
        unit = float(self._blueprint.hand.rules.big_blind)
        return Estimate(-float(self._blueprint.tree.stake[node, seat]) / unit, 0.0)

    def _boards(self, node: int, known: tuple[int, ...], combo: int) -> UInt8Array:
        """uint8[B, 5]: all that may follow, or some that are drawn."""
        gone = int(COMBO_MASKS[combo]) | sum(1 << card for card in known)
        deck = [card for card in range(4 * self._lowest, 52) if not gone >> card & 1]
        missing = _RIVER - len(known)
        if missing <= 1:
            added = np.array(deck, np.uint8)[:, None] if missing else np.zeros((1, 0), np.uint8)
        else:
            count = min(max(WORK // self._size(node), LEAST_BOARDS), MOST_BOARDS)
            random = np.random.default_rng([self._seed, node, combo, *known])
            added = random.permuted(np.tile(np.array(deck, np.uint8), (count, 1)), axis=1)
            added = added[:, :missing].copy()
        boards = np.hstack([np.tile(np.array(known, np.uint8), (len(added), 1)), added])
        boards[:, :3].sort(axis=1)
        return boards

    def _size(self, node: int) -> int:
        """The nodes below a node, itself included."""
        tree, last = self._blueprint.tree, node
        while tree.num_children[last]:
            last = tree.children(last)[-1]
        return last - node + 1

    @cached_property
    def _sigma(self) -> NDArray[np.float32]:
        return strategy_of(self._blueprint)

    @cached_property
    def _schedule(self) -> Schedule:
        """One row for each node, so that those of a decision can be read."""
        known = -1 if self._lowest else 0
        return build_schedule(self._blueprint.game, known)

    @cached_property
    def _known(self) -> NDArray[np.float32]:
        """The values at the ends before the flop, as the kernels take them."""
        if self._lowest:
            return np.zeros((0, 2, NUM_COMBOS), np.float32)
        game, cards = self._blueprint.game, self._blueprint.cards
        return PreflopEnds(game, cards, self._schedule.betting.known).values(self._sigma)

    @cached_property
    def _work(self) -> Work:
        return work_for(self._schedule, hands_on(_RIVER, self._lowest))

    def _walked(self, node: int, seat: int, boards: UInt8Array, combo: int) -> FloatArray:
        """float64[B, A]: on each board what the opponent's hands together pay after each action."""
        blueprint, work = self._blueprint, self._work
        betting = self._part(node)
        drawn = board_rows(blueprint.cards, boards, self._streets)
        width = len(work.ranks)
        value_rows = len(work.values) // width // 2
        rows = betting.value_row[blueprint.tree.children(node)].astype(np.int64)
        starts = (seat * value_rows + rows) * width
        paid = np.empty((len(boards), len(rows)))
        count = hands_on(_RIVER, self._lowest)
        for b in range(len(boards)):
            walk_boards(
                strength_tables(7), deck_hands(self._lowest), betting, drawn.boards[b : b + 1],
                drawn.rows[b : b + 1], self._sigma, self._known, work,
            )  # fmt: skip
            place = int(np.flatnonzero(work.combo[:count] == combo)[0])
            paid[b] = work.values[starts + place]
        return paid

    def _part(self, node: int) -> Betting:
        """The steps on the way to a node and below it."""
        betting, tree = self._schedule.betting, self._blueprint.tree
        end = node + self._size(node)
        above = {decision for decision, _ in path_to(tree, node)}

        def below(place: int) -> bool:
            return node <= place < end

        def is_wanted(step: int, place: int) -> bool:
            if step == ENDS_OF:
                ends = betting.ends[betting.ends_begin[place] : betting.ends_begin[place + 1]]
                return bool(((node <= ends) & (ends < end)).any())
            if step == KNOWN:
                return below(int(betting.known[place]))
            return below(place) or (step == DESCEND and place in above)

        kept = [row for row in betting.steps.tolist() if is_wanted(*row)]
        return betting._replace(steps=np.array(kept, np.int32))
