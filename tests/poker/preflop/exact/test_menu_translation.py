"""Menus in a game with more bets: plans against play that is simulated, and what they lose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from equilibrist.abstraction.actions.mappings import MAPPINGS
from equilibrist.errors import ConfigError, MismatchError, UnknownNameError
from equilibrist.poker.betting.actions import CALL, CHECK, FOLD, Action, Kind, StreetLine
from equilibrist.poker.hands.betting import called, deal, folded, raised, start
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.menu import offered
from equilibrist.poker.hands.state import DEAL, DECISION, HandState
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.menu_translation import MenuTranslation
from equilibrist.poker.preflop.exact.solution import PreflopSolution
from equilibrist.poker.preflop.exact.solving import solve_preflop
from equilibrist.poker.preflop.exact.strategy import ExactStrategy
from tests.refusals import refuses, unchecked

FULL = Hand.named("royal(stack=9,deck=Q)")
GAME = ExactGame.of(FULL)
MENUS = {
    "a": "a",
    "pot": "100%,a",
    "half without all-in": "50%",
    "before the flop alone": "100%,a|none",
    "two raises": "50%,150%,a",
}
solve = partial(solve_preflop, threads=1, progress=False, keep_flops=32)


def menu_of(name: str) -> Hand:
    cap = 1 if name == "two raises" else None
    return Hand.named("royal(stack=9,deck=Q)", bets=MENUS[name], raises=MENUS[name], raise_cap=cap)


@pytest.fixture(scope="module")
def solutions() -> dict[str, PreflopSolution]:
    return {name: solve(menu_of(name), iterations=40) for name in MENUS}


def kept(solution: PreflopSolution) -> ExactStrategy:
    assert solution.kept is not None
    return solution.kept


Line = tuple[HandState, int, float]
"""A state of the menu, its node, and its weight."""
Plans = dict[tuple[StreetLine, ...], list[float]]
"""By line of the hand, how often a seat gets there by its own play and takes each action."""
PASSIVE = (CHECK, CALL)
NO_BETS = (Kind.FOLD, Kind.CHECK, Kind.CALL)


class Simulation:
    """A seat with one hand on one flop that draws, once for each bet, what it is taken for.

    It goes by states of the rules alone, and knows nothing of trees, matrices and plans.
    """

    def __init__(
        self,
        strategy: ExactStrategy,
        menu: Hand,
        mapping: str,
        seat: int,
        rows: tuple[tuple[int, int], ...],
    ) -> None:
        self.strategy, self.menu, self.seat = strategy, menu, seat
        self.share = MAPPINGS[mapping].share
        self.rows = rows
        """By street, the board and the row of the hand."""
        self.tree = strategy.game.tree

    def chances(self, node: int) -> list[float]:
        """The strategy of the hand at a decision of the menu."""
        place = self.strategy.layout.decisions[node]
        board, row = self.rows[place.street]
        chances: list[float] = self.strategy.probabilities(node, board)[:, row].tolist()
        return chances

    def walk(self, state: HandState, lines: list[Line]) -> Plans:
        rules = FULL.rules
        if state.kind == DEAL:
            return self.walk(deal(rules, state), [self.dealt(*entry) for entry in lines])
        if state.kind != DECISION:
            return {}
        options = offered(rules, FULL.menu, state)
        plans: Plans = {}
        split: dict[Action, list[Line]]
        if state.player == self.seat:
            split = {option: [] for option in options}
            for believed, node, weight in lines:
                for action, after, place, chance in self.own(state, believed, node):
                    split[action].append((after, place, weight * chance))
            plans[state.line] = [sum(w for *_, w in split[option]) for option in options]
        else:
            split = {
                option: [
                    (after, place, weight * share)
                    for believed, node, weight in lines
                    for after, place, share in self.other(state, option, believed, node)
                ]
                for option in options
            }
        for option in options:
            plans |= self.walk(step(FULL, state, option), split[option])
        return plans

    def dealt(self, believed: HandState, node: int, weight: float) -> Line:
        if believed.kind == DEAL:
            return deal(self.menu.rules, believed), node + 1, weight
        return believed, node, weight

    def own(
        self, state: HandState, believed: HandState, node: int
    ) -> Iterator[tuple[Action, HandState, int, float]]:
        options = offered(FULL.rules, FULL.menu, state)
        passive = next(option for option in options if option in PASSIVE)
        if believed.kind != DECISION or believed.player != self.seat:
            yield passive, believed, node, 1.0
            return
        menu = offered(self.menu.rules, self.menu.menu, believed)
        for place, (action, chance) in enumerate(zip(menu, self.chances(node), strict=True)):
            child = self.tree.children(node)[place]
            after = step(self.menu, believed, action)
            if action == FOLD:
                played = FOLD if FOLD in options else passive
            elif action in PASSIVE:
                played = passive
            else:
                played = self.nearest(state, believed, action, options, passive)
            yield played, after, child, chance

    def nearest(self, state, believed, action, options, passive):
        bets = [
            option for option in options if option.kind not in (Kind.FOLD, Kind.CHECK, Kind.CALL)
        ]
        if not bets:
            return passive
        if action.kind is Kind.ALL_IN:
            return bets[-1]
        wanted = size(self.menu, believed, action)
        return min(bets, key=lambda bet: (abs(size(FULL, state, bet) - wanted), bet.amount))

    def other(
        self, state: HandState, action: Action, believed: HandState, node: int
    ) -> Iterator[Line]:
        if believed.kind != DECISION or believed.player == self.seat:
            yield believed, node, 1.0
            return
        menu = offered(self.menu.rules, self.menu.menu, believed)
        bets = {size(self.menu, believed, bet): bet for bet in menu if bet.kind not in NO_BETS}
        if action == FOLD:
            shares = {FOLD: 1.0}
        elif action in PASSIVE or not bets:
            shares = {next(option for option in menu if option in PASSIVE): 1.0}
        elif action.kind is Kind.ALL_IN and menu[-1].kind is Kind.ALL_IN:
            shares = {menu[-1]: 1.0}
        else:
            x = size(FULL, state, action)
            below = max((s for s in bets if s <= x), default=min(bets))
            above = min((s for s in bets if s >= x), default=max(bets))
            below, above = (min(bets),) * 2 if x < min(bets) else (below, above)
            f = 1.0 if below == above else self.share(x, below, above)
            shares = {bets[below]: f}
            shares[bets[above]] = shares.get(bets[above], 0.0) + 1.0 - f
        for counterpart, share in shares.items():
            child = self.tree.children(node)[menu.index(counterpart)]
            yield step(self.menu, believed, counterpart), child, share


def step(hand: Hand, state: HandState, action: Action) -> HandState:
    if action == FOLD:
        return folded(hand.rules, state)
    if action in PASSIVE:
        return called(hand.rules, state)
    return raised(hand.rules, state, hand.rules.scale.units(action.amount), action)


def size(hand: Hand, state: HandState, action: Action) -> float:
    """A bet as a share of the pot after a call."""
    bet = max(state.bets)
    pot = state.pot + bet - state.bets[state.player]
    return float(Fraction(hand.rules.scale.units(action.amount) - bet, pot))


@pytest.mark.by_default(4)
@pytest.mark.parametrize("mapping", ["pseudo-harmonic", "nearest", "half"])
@pytest.mark.parametrize("name", MENUS)
def test_plans_are_those_of_a_seat_that_draws_what_bets_are_taken_for(
    solutions: dict[str, PreflopSolution], name: str, mapping: str
) -> None:
    strategy, hand = kept(solutions[name]), menu_of(name)
    lifted = MenuTranslation(strategy.game, GAME, mapping).lift(strategy)
    layout, tree = lifted.layout, GAME.tree
    node_of = {tree.line(node): node for node in layout.decisions}
    for seat in (0, 1):
        for board, row in ((1, 0), (len(layout.table.cards) - 1, 5)):
            first = int(layout.rows.first[board])
            rows = ((0, int(layout.rows.above[first + row])), (board, row))
            simulated = Simulation(strategy, hand, mapping, seat, rows)
            root, believed = start(FULL.rules), start(hand.rules)
            plans = simulated.walk(root, [(believed, 0, 1.0)])
            for line, chances in plans.items():
                node = node_of[written(line)]
                total = sum(chances)
                if total > 1e-12:
                    place = layout.decisions[node]
                    where, there = rows[place.street]
                    found = lifted.probabilities(node, where)[:, there]
                    assert found == pytest.approx(np.array(chances) / total, abs=1e-6)


def written(line: Sequence[StreetLine]) -> str:
    return "|".join("-".join(action.code for action in street) for street in line)


@pytest.mark.parametrize("name", MENUS)
def test_a_menu_against_itself_is_worth_what_it_was(
    solutions: dict[str, PreflopSolution], name: str
) -> None:
    solution = solutions[name]
    for mapping in ("pseudo-harmonic", "nearest", "down"):
        lifted = MenuTranslation(solution.game, GAME, mapping).lift(kept(solution))
        measured = lifted.measure(1)
        assert measured.values == pytest.approx(solution.values, abs=1e-6)
        assert 1000 * measured.nash_conv >= solution.nash_conv - 1e-3


def test_every_bet_as_a_menu_is_the_game_itself() -> None:
    solution = solve(FULL, iterations=40)
    lifted = MenuTranslation(solution.game, GAME).lift(kept(solution))
    measured = lifted.measure(1)
    assert 1000 * measured.nash_conv == pytest.approx(solution.nash_conv, rel=1e-4)


def test_translating_loses_more_than_the_menu_in_its_own_game(
    solutions: dict[str, PreflopSolution],
) -> None:
    for name, solution in solutions.items():
        lifted = MenuTranslation(solution.game, GAME, "half").lift(kept(solution), bits=16)
        assert 1000 * lifted.measure(1).nash_conv > solution.nash_conv + 1, name


def test_what_cannot_be_translated(solutions: dict[str, PreflopSolution]) -> None:
    strategy = kept(solutions["pot"])
    other = ExactGame.of(Hand.named("royal(stack=8,deck=Q)"))
    with refuses(MismatchError, option="menu"):
        MenuTranslation(strategy.game, other)
    with refuses(UnknownNameError, option="translate"):
        MenuTranslation(strategy.game, GAME, "harmonic")
    with refuses(ConfigError, option="mapping"):
        MenuTranslation(strategy.game, GAME, unchecked(lambda *_: "call"))
    with refuses(MismatchError, option="strategy"):
        MenuTranslation(strategy.game, GAME).lift(kept(solutions["a"]))
