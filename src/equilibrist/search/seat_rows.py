"""The rows that all programmes of one seat share: the opponent's best response to its plan.

In formulas p is the seat that is re-solved, o the other one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import block_array, csr_array

from equilibrist.formatting.brief import brief_repr
from equilibrist.search.hands import Hands
from equilibrist.search.own_play import OwnPlay
from equilibrist.search.search_game import SearchGame
from equilibrist.tree.walk.histories import TERMINAL_MARK
from equilibrist.typing import BoolArray, FloatArray, Int64Array


@dataclass(frozen=True, eq=False)
class Leaves:
    """The terminal histories in subgames, L of them.

    Attributes:
        place: int64[L], where each lies among the levels of the public tree.
        start: int64[L], the root history of each, as an index.
        sequence: int64[L, 2], each player's last sequence.
        value: float64[L], chance times what seat 0 earns, as in `TwoPlayerGame`.
    """

    place: Int64Array
    start: Int64Array
    sequence: Int64Array
    value: FloatArray

    @classmethod
    def of(cls, search: SearchGame, top: Int64Array) -> Leaves:
        """Collect them.

        Args:
            search: The game.
            top: int64[N], of each history the root history above it, as an index; -1 for none.
        """
        public, game = search.public, search.game
        leaf = np.flatnonzero((public.levels.infoset == TERMINAL_MARK) & (top >= 0))
        row = np.cumsum(search.tree.walk.infoset == TERMINAL_MARK) - 1
        payoff = search.tree.walk.payoff[row[public.levels.node[leaf]], 0]
        value = public.pasts.chance[leaf] * (payoff - game.offset) / game.scale
        return cls(leaf, top[leaf], search.sequence[leaf], value)

    def kept(self, which: BoolArray) -> Leaves:
        """Some of them.

        Args:
            which: bool[L].
        """
        return Leaves(self.place[which], self.start[which], self.sequence[which], self.value[which])


class Inside:
    """A player's infosets and sequences inside the subgames, by own number.

    `infosets` and `sequences` are rising, `counts` has the actions of each infoset, `row` the place
    of each own sequence in `sequences`, -1 outside.
    """

    def __init__(self, own: OwnPlay, inside: BoolArray) -> None:
        plans = own.plans
        self.parent = plans.parent[inside]
        self.infosets: Int64Array = np.flatnonzero(inside)
        self.counts: Int64Array = plans.actions[inside]
        self.sequences: Int64Array = 1 + np.flatnonzero(np.repeat(inside, plans.actions))
        self.row = np.full(plans.size, -1, dtype=np.int64)
        self.row[self.sequences] = np.arange(len(self.sequences))

    @property
    def owner(self) -> Int64Array:
        """int64: the place in `infosets` of each sequence's infoset."""
        return np.repeat(np.arange(len(self.infosets)), self.counts)


def inside_of(search: SearchGame, inside: BoolArray, player: int) -> Inside:
    """A player's part of some infosets, bool[I]."""
    return Inside(search.own[player], inside[search.tree.infoset_player == player])


@dataclass(frozen=True, eq=False)
class Answers:
    """What o may answer to p's plan: K choices with S ways in all.

    Attributes:
        infosets: int64[K], the infoset of each choice, by own number.
        sequences: int64[S], the sequence of each way, rising.
        owner: int64[S], the choice of each way.
        hand_of: int64[K], o's hand at each choice that has none above it inside; else -1.
        leads_to: int64[K], the row that each choice is part of: that of a way, or S + a hand.
        root: int64[K], the root of each choice.
    """

    infosets: Int64Array
    sequences: Int64Array
    owner: Int64Array
    hand_of: Int64Array
    leads_to: Int64Array
    root: Int64Array


@dataclass(frozen=True, eq=False)
class SeatRows:
    """p's plan inside the subgames, and o's best response to it, as linear rows.

    Variables are p's X sequences inside, then o's value at each of its K infosets inside, then its
    value with each of its H hands. Rows say that the latter two are no less than what any action
    earns. Nothing depends on a trunk.

    Attributes:
        player: p.
        own: int64[X], p's sequences inside the subgames, rising.
        own_infosets: int64[J], p's infosets inside.
        own_counts: int64[J], their actions.
        root_of_own: int64[J], the root of each.
        above: int64[J], the own sequence that leads to each from outside; -1 where it is inside.
        infosets: int64[K], o's infosets inside.
        sequences: int64[S], o's sequences inside, rising.
        hand_of: int64[K], o's hand at each infoset that has none of o's above it inside; else -1.
        payoff: float64[S + H, n], chance times what o earns where its play ends with a sequence, or
            with a hand without a move inside, over all of p's sequences.
        root_of_row: int64[S + H], the root of each of these rows.
        plan: float64[J, X], the rows of p's plan: they add up to own reach of `above`, or to 0.
        response: float64[S + H, X + K + H], the rows of o's values: at most minus what p's play
            outside earn.
        num_hands: H.
    """

    player: int
    own: Int64Array
    own_infosets: Int64Array
    own_counts: Int64Array
    root_of_own: Int64Array
    above: Int64Array
    infosets: Int64Array
    sequences: Int64Array
    hand_of: Int64Array
    payoff: csr_array
    root_of_row: Int64Array
    plan: csr_array
    response: csr_array
    num_hands: int

    @classmethod
    def of(
        cls,
        search: SearchGame,
        hands: tuple[Hands, Hands],
        leaves: Leaves,
        inside: BoolArray,
        player: int,
    ) -> SeatRows:
        """Lay out the programmes of one seat.

        Args:
            search: The game.
            hands: The hands of both players at the roots.
            leaves: The terminal histories in the subgames.
            inside: bool[I], whether each infoset lies in a subgame.
            player: p.
        """
        other = 1 - player
        mine, theirs = inside_of(search, inside, player), inside_of(search, inside, other)
        ends = theirs.row[leaves.sequence[:, other]]
        row = np.where(ends >= 0, ends, len(theirs.sequences) + hands[other].of_start[leaves.start])
        value = leaves.value if other == 0 else -leaves.value
        above = theirs.row[theirs.parent]
        hand_of = np.where(above < 0, hands[other].of_infoset[theirs.infosets], -1)
        return cls.assembled(
            player,
            mine,
            hands,
            Answers(
                infosets=theirs.infosets,
                sequences=theirs.sequences,
                owner=theirs.owner,
                hand_of=hand_of,
                leads_to=np.where(above < 0, len(theirs.sequences) + hand_of, above),
                root=hands[other].root[hands[other].of_infoset[theirs.infosets]],
            ),
            (value, row, leaves.sequence[:, player]),
            search.own[player].plans.size,
        )

    @classmethod
    def assembled(
        cls,
        player: int,
        mine: Inside,
        hands: tuple[Hands, Hands],
        answers: Answers,
        payoff: tuple[FloatArray, Int64Array, Int64Array],
        size: int,
    ) -> SeatRows:
        """Put the rows together.

        Args:
            player: p.
            mine: p's infosets inside.
            hands: The hands of both players at the roots.
            answers: What o may answer.
            payoff: What o earns, in which row, with which sequence of p's.
            size: How many sequences p has.
        """
        own_hands, theirs = hands[player], hands[1 - player]
        count, width = len(theirs), len(answers.owner)
        height = width + count
        earned, row, column = payoff
        matrix = csr_array((earned, (row, column)), shape=(height, size))
        matrix.sum_duplicates()
        inner = len(answers.leads_to)
        infoset_values = csr_array(
            (
                np.concatenate([np.ones(inner), np.full(width, -1.0)]),
                (
                    np.concatenate([answers.leads_to, np.arange(width)]),
                    np.concatenate([np.arange(inner), answers.owner]),
                ),
            ),
            shape=(height, inner),
        )
        hand_values = csr_array(
            (np.full(count, -1.0), (width + np.arange(count), np.arange(count))),
            shape=(height, count),
        )
        response = block_array(
            [[matrix.tocsc()[:, mine.sequences], infoset_values, hand_values]], format="csr"
        )
        return cls(
            player=player,
            own=mine.sequences,
            own_infosets=mine.infosets,
            own_counts=mine.counts,
            root_of_own=own_hands.root[own_hands.of_infoset[mine.infosets]],
            above=np.where(mine.row[mine.parent] < 0, mine.parent, -1),
            infosets=answers.infosets,
            sequences=answers.sequences,
            hand_of=answers.hand_of,
            payoff=matrix,
            root_of_row=np.concatenate([answers.root[answers.owner], theirs.root]),
            plan=_plan_rows(mine),
            response=csr_array(response),
            num_hands=count,
        )

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def num_choices(self) -> int:
        """How many choices o has, continuations below leaves included."""
        return int(self.response.shape[1]) - len(self.own) - self.num_hands

    @cached_property
    def fixed(self) -> csr_array:
        """float64[S + H, n]: `payoff` without p's sequences inside."""
        outside = np.ones(self.payoff.shape[1])
        outside[self.own] = 0.0
        return csr_array(self.payoff.multiply(outside[None, :]))


def _plan_rows(mine: Inside) -> csr_array:
    """The rows of p's plan: the actions of an infoset, less the sequence above it if inside."""
    above = mine.row[mine.parent]
    later = np.flatnonzero(above >= 0)
    return csr_array(
        (
            np.concatenate([np.ones(len(mine.sequences)), np.full(len(later), -1.0)]),
            (
                np.concatenate([mine.owner, later]),
                np.concatenate([np.arange(len(mine.sequences)), above[later]]),
            ),
        ),
        shape=(len(mine.infosets), len(mine.sequences)),
    )
