"""Local best responses with all hands: a lower bound of what best responses win.

Viliam Lisy and Michael Bowling, "Equilibrium approximation quality of current no-limit poker bots",
AAAI 2017 workshop. The player knows the opponent's range at every decision, and takes the action
that is best if nobody bets afterwards: hands are checked down, and after a bet the opponent folds
or calls. All hands, boards and lines are played, so that the figure has no error of sampling.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import UnsupportedError
from equilibrist.kernels.exact_holdem.arrays import VALUE
from equilibrist.parsing.arguments import whole_number
from equilibrist.poker.betting.actions import Kind
from equilibrist.poker.hands.betting_tree import ACTION_KINDS, DEAL, DECISION
from equilibrist.poker.preflop.exact.all_in import mean_signs
from equilibrist.poker.preflop.exact.engine import Engine
from equilibrist.poker.preflop.exact.pairs import hand_pairs
from equilibrist.poker.preflop.exact.rows import rows_of_hands
from equilibrist.typing import FloatArray

Floats = NDArray[np.floating[Any]]
_PASSIVE: Final = (Kind.CALL, Kind.CHECK)


class ExactLocalResponse(NamedTuple):
    """What a player wins with local best responses, in big blinds a hand."""

    player: int
    """The player."""
    value: float
    """What they win; at most what a best response wins."""
    gain: float
    """`value` less what their own average strategy wins; negative where looking ahead is better."""


class _Turn(NamedTuple):
    """A decision of the responding player, and the ranges that judge its actions."""

    node: int
    reach: int
    """The column of the opponent's range."""
    folding: dict[int, int]
    """By the number of a bet, the column of the part of the range that folds to it."""


def local_response(engine: Engine, player: int) -> ExactLocalResponse:
    """Compute a player's local best response to the opponent's average strategy, and value it.

    Args:
        engine: An engine with average strategies; they are as before when it returns.
        player: Who responds.

    Returns:
        What the response wins, exactly.

    Raises:
        ConfigError: There is no such player.
        UnsupportedError: Cards are dealt after the last betting, or on more than one street before.
    """
    whole_number("player", player, 0, 1)
    game = engine.game
    if game.to_come or len(game.dealt) > 2:
        raise UnsupportedError(
            "local best responses are for hands with one street of board cards, shown down after "
            "its betting",
            option="last_street",
            given=len(game.dealt) - 1,
            expected="a street before the board and one on it",
            remedy="give board one number, such as 3",
        )
    if game.flops is not None:
        raise UnsupportedError(
            "local best responses are for hands of which no flops are drawn",
            option="flops",
            given=game.flops,
            expected="all flops",
            remedy="leave it out",
        )
    own = engine.totals[player]
    kept = own.copy()
    before = _value(engine, player)
    try:
        responder = _Responder(engine, player)
        responder.write(0, np.ones((1, int(engine.table.rows[0]))))
        for board in range(1, len(engine.table.rows)):
            responder.write(board, responder.entering(board))
        value = _value(engine, player)
    finally:
        own[:] = kept
    return ExactLocalResponse(player, value, value - before)


def _value(engine: Engine, player: int) -> float:
    """What the average strategies win for a player, in big blinds."""
    return float(engine.values(VALUE)[player] @ engine.many) / engine.deals


class _Responder:
    """Writes local responses in place of a player's average strategy, board by board."""

    def __init__(self, engine: Engine, player: int) -> None:
        self._engine, self._tree, self._player = engine, engine.tree, player
        self._leaving: dict[int, FloatArray] = {}
        """The opponent's reach at the deals, float64[R] by node, in the order of the tree."""
        self._kind = [ACTION_KINDS[k] if k >= 0 else None for k in self._tree.action.tolist()]

    def entering(self, board: int) -> FloatArray:
        """float64[E, R]: the opponent's reach of the rows of a board after each line to it."""
        first = int(self._engine.rows.first[board])
        above = self._engine.rows.above[first : first + int(self._engine.table.rows[board])]
        return np.stack([reach[above] for reach in self._leaving.values()])

    def write(self, board: int, entering: FloatArray) -> None:
        """Judge all actions of the player on a board, and put 1 for the best ones."""
        engine, tree = self._engine, self._tree
        strategies = engine.strategies(board, 1 - self._player)
        columns: list[FloatArray] = []
        turns: list[_Turn] = []
        roots = [tree.children(node)[0] for node in self._leaving] if board else [0]
        for root, reach in zip(roots, entering, strict=True):
            self._visit(int(root), reach, strategies, columns, turns)
        if not turns:
            return
        met, beaten = self._judged(board, np.stack(columns, axis=1))
        layout, rows = engine.layout, int(engine.table.rows[board])
        choices = np.zeros((layout.slots(board, self._player), rows))
        for turn in turns:
            worth = np.stack([self._worth(turn, k, met, beaten) for k in range(self._count(turn))])
            slot = layout.decisions[turn.node].slot
            choices[slot + np.argmax(worth, axis=0), np.arange(rows)] = 1.0
        layout.put_slots(engine.totals[self._player], choices, board, self._player)

    def _count(self, turn: _Turn) -> int:
        return int(self._tree.num_children[turn.node])

    def _visit(
        self,
        node: int,
        reach: FloatArray,
        strategies: dict[int, FloatArray],
        columns: list[FloatArray],
        turns: list[_Turn],
    ) -> None:
        """Carry the opponent's reach down one street, noting the player's decisions."""
        tree = self._tree
        if tree.kind[node] == DEAL:
            self._leaving[node] = reach
        if tree.kind[node] != DECISION:
            return
        children = [int(child) for child in tree.children(node)]
        if tree.player[node] != self._player:
            for child, chance in zip(children, strategies[node], strict=True):
                self._visit(child, reach * chance, strategies, columns, turns)
            return
        at = len(columns)
        columns.append(reach)
        folding: dict[int, int] = {}
        for k, child in enumerate(children):
            if tree.kind[child] == DECISION and self._kind[child] not in _PASSIVE:
                fold = self._child(child, Kind.FOLD)
                folding[k] = len(columns)
                answers = [int(answer) for answer in tree.children(child)]
                columns.append(reach * strategies[child][answers.index(fold)])
        turns.append(_Turn(node, at, folding))
        for child in children:
            self._visit(child, reach, strategies, columns, turns)

    def _child(self, node: int, *kinds: Kind) -> int:
        """The child of a decision by an action of one of these kinds."""
        return next(int(c) for c in self._tree.children(node) if self._kind[int(c)] in kinds)

    def _judged(self, board: int, reaches: FloatArray) -> tuple[Floats, Floats]:
        """float[R, columns], twice: hands of each range that a row meets, and those it beats, net.

        Before the flop they are means over all boards.
        """
        engine = self._engine
        if not board:
            rules = engine.game.rules
            hands_by_row = engine.hands.astype(np.int16)
            signs = mean_signs(
                hands_by_row, sum(rules.board[1:]), rules.lowest_rank, engine.threads, rules.ranking
            )
            return engine.pairs.root.met @ reaches, signs @ reaches
        first = int(engine.rows.first[board])
        hands = engine.rows.hand[first : first + int(engine.table.rows[board])].tolist()
        rules = engine.game.rules
        pairs = hand_pairs(engine.table.cards[board], hands, rules.lowest_rank, rules.ranking)
        row_of_hand = rows_of_hands(engine.table, engine.rows, board)[pairs.others]
        by_hand = reaches[row_of_hand].astype(np.float32)
        return pairs.met.astype(np.float32) @ by_hand, pairs.beaten.astype(np.float32) @ by_hand

    def _worth(self, turn: _Turn, k: int, met: Floats, beaten: Floats) -> Floats:
        """float[R]: what an action is worth by such a look ahead, in chips."""
        tree = self._tree
        child = int(tree.children(turn.node)[k])
        stake = float(tree.stake[child].min())
        if self._kind[child] is Kind.FOLD:
            return -stake * met[:, turn.reach]
        if k not in turn.folding:
            return stake * beaten[:, turn.reach]
        folding = turn.folding[k]
        folded = float(tree.stake[self._child(child, Kind.FOLD)].min())
        called = float(tree.stake[self._child(child, *_PASSIVE)].min())
        staying = beaten[:, turn.reach] - beaten[:, folding]
        return folded * met[:, folding] + called * staying
