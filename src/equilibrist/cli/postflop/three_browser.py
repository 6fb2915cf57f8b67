"""The screen of `equilibrist postflop browse` for a spot of three: three seats, three ranges."""

from __future__ import annotations

import numpy as np

from equilibrist.cli.postflop.browser import HandTable, Walker
from equilibrist.cli.postflop.node_screen import place_in_grid
from equilibrist.formatting.amounts import chips, percent
from equilibrist.poker.cards.combos import combo_name
from equilibrist.poker.decisions.decision import NOT_REACHED
from equilibrist.poker.three_players.node import ThreeNode
from equilibrist.poker.three_players.solution import ThreeSolution
from equilibrist.poker.three_players.spot import SEAT_NAMES


class ThreeBrowser(Walker):
    """Walks the lines of a solution of three; p shows the range of the next seat."""

    seats = SEAT_NAMES
    orders = ("class", "ev", "weight")

    def __init__(self, solution: ThreeSolution, line: str = "") -> None:
        """Show a node of a solution first; raises what `ThreeNode` raises."""
        self.solution = solution
        super().__init__(f"{solution.spot.board}, three players", line)

    def node_at(self, line: str) -> ThreeNode:
        """The node after a line."""
        return ThreeNode(self.solution, line)

    def hand_table(self, seat: int) -> HandTable:
        """Weight, and of the seat to act EV and frequency of its actions.

        Hands of the range of a seat that do not get here are listed as not reached.
        """
        node = self.node
        assert isinstance(node, ThreeNode)
        acts, weights = seat == node.player, node.ranges[seat]
        evs = node.decision.ev if acts else None
        by = {"ev": evs, "weight": weights}.get(self.orders[self.order])
        combos = np.flatnonzero(self.solution.spot.ranges[seat].weights).tolist()
        if self.wanted is not None:
            combos = [combo for combo in combos if self.wanted.weights[combo]]
        combos.sort(key=place_in_grid)
        if by is not None:
            combos.sort(key=lambda combo: -float(np.nan_to_num(by[combo], nan=-np.inf)))
        arrives = node.arrives(seat)
        combos.sort(key=lambda combo: not arrives[combo])
        actions = [str(action) for action in node.actions] if acts else []
        columns = [SEAT_NAMES[seat], "weight"]
        if acts:
            columns += ["EV", *actions, *(f"{action} EV" for action in actions)]
        return HandTable(columns, [self._row(node, seat, combo) for combo in combos])

    def _row(self, node: ThreeNode, seat: int, combo: int) -> list[str]:
        weight, arrives = float(node.ranges[seat, combo]), node.arrives(seat)[combo]
        row = [combo_name(combo), f"{weight:.4g}" if arrives else NOT_REACHED]
        if seat != node.player:
            return row
        decision, pot = node.decision, self.solution.spot.pot
        assert decision.ev is not None
        assert decision.action_ev is not None
        return [
            *row,
            chips(decision.ev[combo], pot),
            *(percent(shares[combo], 1) if arrives else "-" for shares in decision.strategy),
            *(chips(evs[combo], pot) for evs in decision.action_ev),
        ]
