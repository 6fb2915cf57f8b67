"""How a blueprint plays a hand that need not stay inside its betting tree.

Beside the real hand stands a place in the tree. A bet that the tree lacks is mapped to one of its
bets by the pseudo-harmonic mapping (Ganzfried and Sandholm, 2013), with sizes as shares of the pot;
a check that leaves the street open is the size 0. A bet of the blueprint is the same share of the
real pot. Who does not know what was drawn holds
several places, each with how likely every hand of the blueprint leads there.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.abstraction.actions.mappings import MAPPINGS, between
from equilibrist.options.defaults import TRANSLATION
from equilibrist.poker.betting.actions import Kind
from equilibrist.poker.blueprint.evaluation.dealt_board import DealtBoard
from equilibrist.poker.hands.betting import covering, legal
from equilibrist.poker.hands.betting_tree import ACTION_KINDS, BettingTree
from equilibrist.poker.hands.rules import HoldemRules
from equilibrist.poker.hands.state import DEAL, DECISION, HandState

LOST: Final = -1
"""In place of a node: the tree is over, and the real hand is not."""
_PASSIVE: Final = {Kind.CHECK, Kind.CALL}


class Place(NamedTuple):
    """Where the tree may stand, and the hands of the blueprint that lead there."""

    node: int
    """A decision, or LOST."""
    reach: NDArray[np.float64]
    """float64[1326]: the probability that the blueprint gets here with each hand."""
    is_real: bool
    """Whether the real hand has had these very bets."""


class Menu(NamedTuple):
    """The children of a decision by what they are."""

    fold: int
    """The number of the child; -1 for none."""
    passive: int
    """Check or call."""
    bets: dict[int, float]
    """Bets and raises by number, as shares of the pot."""
    totals: dict[int, int]
    """The same as totals on the street, in units."""
    sizes: dict[int, float]
    """What a bet that the tree lacks may be mapped to: `bets`, and a check after which the other
    seat acts."""


class ShadowPlay:
    """Follows real hands in the betting tree of a blueprint.

    Args:
        tree: The tree.
        rules: The rules of the hand.
    """

    def __init__(self, tree: BettingTree, rules: HoldemRules) -> None:
        self._tree, self._rules = tree, rules
        self.menu = lru_cache(None)(self._menu)
        self.children = lru_cache(None)(tree.children)

    def _menu(self, node: int) -> Menu:
        tree = self._tree
        fold, passive = -1, -1
        bets: dict[int, float] = {}
        totals: dict[int, int] = {}
        seat = int(tree.player[node])
        children = self.children(node)
        for k, child in enumerate(children):
            kind = ACTION_KINDS[tree.action[child]]
            if kind is Kind.FOLD:
                fold = k
            elif kind in _PASSIVE:
                passive = k
            else:
                totals[k] = int(tree.amount[child])
        level = int(tree.stake[children[passive], seat])
        pot = int(tree.stake[node].sum()) + level - int(tree.stake[node, seat])
        for k in totals:
            bets[k] = (int(tree.stake[children[k], seat]) - level) / pot
        after = children[passive]
        opens = ACTION_KINDS[tree.action[after]] is Kind.CHECK and tree.kind[after] == DECISION
        return Menu(fold, passive, bets, totals, {passive: 0.0, **bets} if opens else bets)

    def after_passive(self, places: list[Place]) -> list[Place]:
        """The places after a real check or call of the other seat."""
        following = []
        for place in places:
            if place.node == LOST:
                following.append(place)
                continue
            child = self.children(place.node)[self.menu(place.node).passive]
            following.append(place._replace(node=self.decision(child)))
        return following

    def shares(self, place: Place, state: HandState, total: int) -> dict[int, float]:
        """Which actions of a place a real bet of the other seat is mapped to, with probabilities.

        A bet that the tree has in the very hand is itself. Empty where there is no bet.
        """
        if place.node == LOST:
            return {}
        menu = self.menu(place.node)
        if place.is_real:
            for k, own in menu.totals.items():
                if own == total:
                    return {k: 1.0}
        if not menu.bets:
            return {}
        size = (total - max(state.bets)) / pot_after_call(state)
        kept = tuple(menu.sizes.get(k) for k in range(max(menu.sizes) + 1))
        return between(size, kept, MAPPINGS[TRANSLATION].share)

    def after_bet(self, places: list[Place], state: HandState, total: int) -> list[Place]:
        """The places after a real bet of the other seat."""
        following = []
        for place in places:
            shares = self.shares(place, state, total)
            if not shares:
                following.append(place._replace(node=LOST))
            for k, share in shares.items():
                same = place.is_real and self.menu(place.node).totals.get(k) == total
                child = self.decision(self.children(place.node)[k])
                following.append(Place(child, place.reach * share, same))
        return following

    def actions(
        self, places: list[Place], state: HandState, board: DealtBoard
    ) -> dict[tuple[Kind, int], list[Place]]:
        """List what the blueprint may do at its real turn, each with the places that follow.

        Keys are fold, check and call with 0, and bets with their real total in units.
        """
        places_by_action: dict[tuple[Kind, int], list[Place]] = {}
        can = legal(self._rules, state)
        passive = (Kind.CALL if can.fold else Kind.CHECK, 0)
        for place in places:
            if place.node == LOST:
                places_by_action.setdefault(passive, []).append(place)
                continue
            menu, chances = self.menu(place.node), board.chances(place.node)
            for k, child in enumerate(self.children(place.node)):
                reach = place.reach * chances[k]
                key, is_real = passive, place.is_real
                if k == menu.fold and can.fold:
                    key = (Kind.FOLD, 0)
                elif k in menu.bets and can.most:
                    total = self._total(place, k, state)
                    key = (Kind.BET, total)
                    is_real = is_real and total == menu.totals[k]
                node = LOST if k in menu.bets and key == passive else self.decision(child)
                places_by_action.setdefault(key, []).append(Place(node, reach, is_real))
        return places_by_action

    def _total(self, place: Place, k: int, state: HandState) -> int:
        """The real total of a bet of the blueprint."""
        can, menu = legal(self._rules, state), self.menu(place.node)
        top = min(can.most, max(can.least, covering(self._rules, state)))
        if place.is_real and can.least <= menu.totals[k] <= top:
            return menu.totals[k]
        child = self.children(place.node)[k]
        if ACTION_KINDS[self._tree.action[child]] is Kind.ALL_IN:
            return top
        wanted = max(state.bets) + round(menu.bets[k] * pot_after_call(state))
        return min(max(wanted, can.least), top)

    def decision(self, node: int) -> int:
        """The decision at a node or after its deal; LOST where the tree is over."""
        if self._tree.kind[node] == DEAL:
            node += 1
        return node if self._tree.kind[node] == DECISION else LOST


def pot_after_call(state: HandState) -> int:
    """The pot once the seat to act has called: what sizes are shares of."""
    return state.pot + max(state.bets) - state.bets[state.player]
