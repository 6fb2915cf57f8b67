"""What holds in every spot: small ones that Hypothesis makes up, on every street."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equilibrist.errors import LineSyntaxError
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.betting.state import BettingState, Phase
from equilibrist.poker.cards.cards import NUM_CARDS, card_mask, card_names
from equilibrist.poker.cards.combos import without_cards
from equilibrist.poker.postflop.solution.node import Node
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.solution.spot_strategy import follow_line
from equilibrist.poker.postflop.spot.fields import STORAGES, Storage
from equilibrist.poker.postflop.spot.spot import Spot
from tests.poker.postflop.solving.test_truth import after
from tests.poker.postflop.spot.small_spots import small_spots


@st.composite
def locked_spots(draw: st.DrawFn, cards: st.SearchStrategy[int]) -> Spot:
    """Small spots with so many cards on the board, and maybe locks."""
    spot = draw(small_spots(cards))
    locks = []
    for line in draw(st.sampled_from([(), ("",), ("X",), ("", "X")])):
        _, *others = spot.rules().actions(spot.rules().follow(line)[0])
        if not others:
            continue
        whose = str((spot.oop, spot.ip)[line == "X"]).split(",")[0].partition(":")[0]
        held = draw(st.sampled_from(["", f"{whose} = "]))
        locks.append(f"{line}: {held}{others[-1].code} {draw(st.integers(0, 10))}0%")
    return spot.replace(locks=locks)


def walk(data: st.DataObject, solution: PostflopResult) -> list[Node]:
    """Nodes from the root to an end or a river, by actions and cards that are possible."""
    rules, spot = solution.rules, solution.spot
    state, cards = rules.root(), list(spot.cards)
    nodes = [solution.at()]
    while state.phase in {Phase.DECISION, Phase.DEAL}:
        if state.phase is Phase.DEAL:
            left = [card for card in range(NUM_CARDS) if card not in cards]
            cards.append(data.draw(st.sampled_from(left), "card"))
            state = rules.deal(state)
        else:
            action = data.draw(st.sampled_from(rules.actions(state)), "action")
            state = rules.next(state, action)
        dealt = [[card] for card in cards[len(spot.cards) :]]
        text = line_text(state.line, dealt)
        nodes.append(solution.at(text))
        assert nodes[-1].line == text
        assert solution.at(f" {text.lower()} ").line == text
    return nodes


def taken(solution: PostflopResult, node: Node, state: BettingState) -> float:
    """The rake that is expected at a node of the river, from how often each end is reached."""
    if state.phase in {Phase.FOLD, Phase.SHOWDOWN}:
        spot = solution.spot
        share = spot.rake * state.final_pot
        return share if spot.rake_cap is None else min(share, spot.rake_cap)
    total = 0.0
    for action, share in zip(node.actions, node.frequency.values(), strict=True):
        if share > 0:
            below = solution.rules.next(state, action)
            dealt = [[card] for card in node.runout]
            after_it = solution.at(line_text(below.line, dealt))
            total += share * taken(solution, after_it, below)
    return total


@pytest.mark.slow
@given(
    st.data(),
    locked_spots(st.sampled_from([3, 3, 4, 5])),
    st.integers(0, 8),
    st.sampled_from(STORAGES),
)
@settings(max_examples=12)
def test_figures(data: st.DataObject, spot: Spot, iterations: int, storage: Storage) -> None:
    """On the way to a river: no hand shares a card with the board, EVs are in bounds and add up to
    the pot less rake, on the river what is expected of it."""
    solution = after(spot, iterations, storage=storage)
    most = spot.pot + 2 * spot.stack
    exact = most * (1e-9 if storage == "float64" else 1e-3)
    for node in walk(data, solution):
        values, (state, cards) = node.values, follow_line(spot, node.line)
        blocked = ~without_cards(card_mask((*spot.cards, *cards)))
        assert not values.weight[:, blocked].any()
        assert np.isnan(values.ev[:, blocked]).all()
        assert np.isnan(values.equity[:, blocked]).all()
        names = {card_names([card]) for card in (*spot.cards, *cards)}
        for hands in (node.to_dict()["hands"], node.to_dict()["other_hands"]):
            assert not any({hand[:2], hand[2:]} & names for hand in hands)
        if np.isnan(node.totals.ev).any():
            continue
        for player in (0, 1):
            counts = values.weight[player] * values.matchups[player]
            ev = values.ev[player][counts > 0.01 * counts.sum()]
            assert (ev >= -spot.stack - exact).all()
            assert (ev <= most + exact).all()
        rules: Any = spot.rules()
        total = sum(node.totals.ev)
        assert node.pot - rules.rake(most) - exact <= total
        assert total <= node.pot - rules.rake(state.final_pot) + exact
        if len(spot.cards) + len(cards) == 5:
            expected = taken(solution, node, state)
            assert total == pytest.approx(node.pot - expected, abs=exact)


@cache
def flop() -> PostflopResult:
    spot = Spot(board="Ts5s2h", oop="AA", ip="KK", pot=60, stack=90, bets="50%", raises="a")
    return after(spot, 2)


ALPHABET = "XCFBRAxcba0123456789-|[]AKQThsd "
PIECES = ["X", "C", "F", "B30", "A", "A90", "B75", "R90", "-", "|", "|7c", "|Ts", "|7h2", "8", " "]


@pytest.mark.slow
@given(
    st.text(ALPHABET, max_size=16)
    | st.text(max_size=10)
    | st.lists(st.sampled_from(["X-X", "B30-C", "A-C", "|7c", "|Ts", "|"]), max_size=5).map("".join)
    | st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
    | st.lists(st.sampled_from(PIECES[:8]), max_size=6).map("-".join)
)
def test_any_text_leads_to_a_node_or_is_refused(text: str) -> None:
    try:
        node = flop().at(text)
    except LineSyntaxError as error:
        place = error.position
        assert 0 <= place <= len(text)
    else:
        assert flop().at(node.line).to_dict() == node.to_dict()
