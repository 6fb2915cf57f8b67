"""Gifts where the opponent learns something private after it gave them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import equilibrist as eq
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.search import resolve

DEALT = ((2.12, -4.37, 1.48), (4.28, -2.45, 0.64), (-0.12, -0.09, 0.01))
"""What seat 1 earns with each of its cards, by the guess of seat 0."""


class PrivateNews:
    """Seat 1 takes 0.1, or goes in and gets a card that it alone sees; then seat 0 guesses."""

    name = "private_news"
    num_players = 2

    def initial_state(self) -> tuple[object, ...]:
        return ("start",)

    def player(self, state: tuple[object, ...]) -> int:
        return {"start": 1, "in": CHANCE, "dealt": 0, "guessed": 1}.get(str(state[0]), TERMINAL)

    def actions(self, state: tuple[object, ...]) -> Sequence[str]:
        labels = {"start": ("out", "in"), "in": ("a", "b", "c"), "dealt": ("A", "B", "C")}
        return labels.get(str(state[0]), ("show", "pay"))

    def chance(self, state: tuple[object, ...]) -> Sequence[float]:
        return (0.1, 0.1, 0.8)

    def next(self, state: tuple[object, ...], action_index: int) -> tuple[object, ...]:
        if state[0] == "start":
            return ("in",) if action_index else ("out",)
        following = {"in": "dealt", "dealt": "guessed", "guessed": "over"}[str(state[0])]
        return (following, *state[1:], action_index)

    def payoffs(self, state: tuple[object, ...]) -> Sequence[float]:
        won = 0.1
        if state[0] == "over":
            card, guess, paid = (int(str(part)) for part in state[1:])
            won = DEALT[card][guess] - 0.01 * paid
        return (-won, won)

    def infoset(self, state: tuple[object, ...]) -> str:
        return "guess" if state[0] == "dealt" else f"seat 1 {state[1:]}"

    def public_state(self, state: tuple[object, ...]) -> str:
        guess = state[2] if len(state) > 2 else ""
        return {"in": "in", "dealt": "in dealt"}.get(str(state[0]), f"{state[0]} {guess}")


@pytest.mark.parametrize("in_turn", [False, True], ids=["together", "in turn"])
@pytest.mark.parametrize("gifts", ["split", "whole"])
def test_a_gift_is_not_given_to_each_card_that_is_dealt_later(gifts: str, in_turn: bool) -> None:
    tree = eq.compile_game(PrivateNews())
    probabilities = eq.Strategy.uniform(tree).probabilities.copy()
    probabilities[tree.actions_of(tree.index("guess"))] = 0.05, 0.75, 0.2
    trunk = eq.Strategy(tree, probabilities)
    method = f"reach(gifts={gifts})"
    resolved = resolve(trunk, roots="in dealt", method=method, seats=[0], in_turn=in_turn)
    (step,) = resolved.steps
    assert sum(hand.gift for hand in step.hands) == pytest.approx(
        0.1 - sum(hand.before for hand in step.hands)
    )
    assert resolved.after[0] <= resolved.before[0] + 1e-9
