"""What a choice gives up, against an independent computation over all pure strategies."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, RecallError, UnknownNameError
from equilibrist.evaluation import best_response, expected_values
from equilibrist.evaluation.infosets import infoset_values
from equilibrist.play import Coach
from tests.refusals import unchecked
from tests.strategy.random_strategies import random_strategy

KUHN = eq.load_game("kuhn")
ROWS = {"pass": 0, "bet": 1}


def deals() -> list[tuple[int, int]]:
    return [(a, b) for a in (1, 2, 3) for b in (1, 2, 3) if a != b]


def payoff(cards: tuple[int, int], line: str) -> float:
    """Player 0's payoff in Kuhn poker, written down by hand."""
    higher = 1.0 if cards[0] > cards[1] else -1.0
    return {"pp": higher, "bp": 1.0, "bb": 2 * higher, "pbp": -1.0, "pbb": 2 * higher}[line]


def values_by_hand(strategy: eq.Strategy, infoset: str) -> list[float] | None:
    """Of pass and bet at an infoset of Kuhn poker: the best over all pure ways to go on."""
    card, line = int(infoset[0]), infoset[1:]
    me = len(line) % 2
    worlds = [cards for cards in deals() if cards[me] == card]
    weights = []
    for cards in worlds:
        weight = 1 / 6
        for k, letter in enumerate(line):
            if k % 2 != me:
                row = strategy[f"{cards[k % 2]}{line[:k]}"]
                weight *= row["pass" if letter == "p" else "bet"]
        weights.append(weight)
    if sum(weights) == 0:
        return None

    def expected(cards: tuple[int, int], line: str, later: str) -> float:
        if line in ("pp", "bp", "bb", "pbp", "pbb"):
            return payoff(cards, line) * (1 if me == 0 else -1)
        actor = len(line) % 2
        if actor == me:
            return expected(cards, line + later, later)
        row = strategy[f"{cards[actor]}{line}"]
        return row["pass"] * expected(cards, line + "p", later) + row["bet"] * expected(
            cards, line + "b", later
        )

    return [
        max(
            sum(w * expected(c, line + first, later) for c, w in zip(worlds, weights, strict=True))
            for later in "pb"
        )
        / sum(weights)
        for first in "pb"
    ]


@pytest.mark.parametrize("seed", range(5))
def test_kuhn_by_hand(seed: int) -> None:
    strategy = random_strategy(eq.compile_game(KUHN), seed)
    coach = Coach(strategy)
    for key, chosen in product(strategy, range(2)):
        by_hand = values_by_hand(strategy, key)
        advice = coach.advise(key, chosen)
        if by_hand is None:
            assert advice.values is None
            assert advice.ev_loss is None
            continue
        assert advice.values == pytest.approx(by_hand, abs=1e-12)
        assert advice.ev_loss == pytest.approx(max(by_hand) - by_hand[chosen], abs=1e-12)
        assert advice.best == int(np.argmax(by_hand))
        assert advice.mixture == pytest.approx(list(strategy[key].values()))


def test_the_equilibrium_of_kuhn() -> None:
    """At alpha = 1/3, by hand: a bluff is free, calling with card 1 costs 1, folding 3 costs 3.

    Betting card 2 first gives 1 or costs 2, -1/2 on average; passing it is worth -1/3.
    """
    bets = {"1": 1 / 3, "2": 0, "3": 1, "1pb": 0, "2pb": 2 / 3, "3pb": 1}
    bets |= {"1p": 1 / 3, "2p": 0, "3p": 1, "1b": 0, "2b": 1 / 3, "3b": 1}
    table = {key: {"pass": 1 - bet, "bet": bet} for key, bet in bets.items()}
    coach = Coach(eq.Strategy.from_dict(eq.compile_game(KUHN), table))
    assert coach.advise("1b", 1).ev_loss == pytest.approx(1.0)
    assert coach.advise("3b", 0).ev_loss == pytest.approx(3.0)
    assert coach.advise("1", 1).ev_loss == pytest.approx(0.0, abs=1e-9)
    assert coach.advise("2", 1).ev_loss == pytest.approx(1 / 6)


def test_no_number_where_the_others_never_let_play_come() -> None:
    tree = eq.compile_game(KUHN)
    never = eq.Strategy.first_action(tree)  # player 0 passes for ever, and so nobody bets
    coach = Coach(never)
    assert coach.advise("2b", 0).values is None
    assert coach.advise("2b", 0).ev_loss is None
    assert coach.advise("2b", 0).best is None
    assert coach.advise("2p", 0).ev_loss is not None
    assert values_by_hand(never, "2b") is None


@pytest.mark.parametrize("name", ["leduc(ranks=2)", "kuhn(players=3)", "liars_dice(sides=2)"])
def test_what_is_given_up_adds_up_to_the_gain_of_the_best_response(name: str) -> None:
    """Weighed by reach, over all choices: best response value minus value, for any P."""
    tree = eq.compile_game(name)
    theirs, mine = random_strategy(tree, 1), random_strategy(tree, 2)
    coach = Coach(theirs)
    for player in range(tree.num_players):
        profile = theirs.replace(player, mine)
        reach = infoset_values(profile).reach
        total = 0.0
        for i in np.flatnonzero(tree.infoset_player == player):
            for a, probability in enumerate(profile.probabilities[tree.actions_of(int(i))]):
                lost = coach.advise(tree.infoset_keys[i], a).ev_loss
                assert lost is not None or reach[i] == 0.0
                total += reach[i] * probability * (lost or 0.0)
        best = best_response(theirs, player).value
        assert total == pytest.approx(best - expected_values(profile)[player], abs=1e-12)


def test_what_a_coach_refuses() -> None:
    coach = Coach(eq.Strategy.uniform(eq.compile_game(KUHN)))
    with pytest.raises(UnknownNameError):
        coach.advise("9", 0)
    with pytest.raises(ConfigError):
        coach.advise("1", 2)
    with pytest.raises(ConfigError):
        Coach(unchecked("kuhn"))


def test_forgetful_players_have_no_coach() -> None:
    class Forgetful(type(KUHN)):  # type: ignore[misc]
        def infoset(self, state: Any, /) -> str:
            return f"{len(state[1]) % 2}" + super().infoset(state)[:1]

    with pytest.raises(RecallError):
        Coach(eq.Strategy.uniform(eq.compile_game(Forgetful())))
