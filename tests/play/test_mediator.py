"""A mediator at the table: whom it tells what, and what comes of following."""

from __future__ import annotations

import math

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.equilibria import CorrelationDevice, correlated
from equilibrist.errors import ConfigError, MismatchError, UnknownNameError
from equilibrist.evaluation import expected_values
from equilibrist.games import MatrixGame
from equilibrist.play import Agent, MediatedAgent, Mediator, Person, Session, Table, UniformAgent
from tests.refusals import refuses, unchecked

SHERIFF = eq.compile_game("sheriff")
FOUND = correlated(SHERIFF, "efcce")


def session(*seats: str, seed: int = 0, device: CorrelationDevice = FOUND.device) -> Session:
    mediator = Mediator(device)
    made = [
        MediatedAgent(mediator, f"AI {k}") if seat == "ai" else Person(f"person {k}")
        for k, seat in enumerate(seats)
    ]
    return Session(device.tree.game, made, seed=seed, alternate=False, mediator=mediator)


@pytest.mark.slow
def test_following_pays_the_value_of_the_device() -> None:
    """Within four standard errors; products of averages would pay something else."""
    payoffs = np.array([record.payoffs for record in session("ai", "ai", seed=3).play(6_000)])
    error = payoffs.std(axis=0, ddof=1) / math.sqrt(len(payoffs))
    assert (np.abs(payoffs.mean(axis=0) - FOUND.values) <= 4 * error).all()


def test_chicken_never_crashes() -> None:
    device = correlated(eq.compile_game("chicken"), "ce").device
    drawn = [record.payoffs for record in session("ai", "ai", device=device).play(400)]
    assert set(drawn) == {(6.0, 6.0), (7.0, 2.0), (2.0, 7.0)}
    assert abs(drawn.count((6.0, 6.0)) - 200) < 60


def test_people_are_told_on_arrival_and_only_their_own_part() -> None:
    table = session("person", "person", seed=5)
    turn = table.deal()
    told = []
    while turn is not None:
        assert turn.mediated
        assert turn.recommended in turn.actions
        told.append((turn.infoset, turn.recommended))
        turn = table.choose(turn.recommended)
    rows = [FOUND.device.profile(k) for k in range(len(FOUND.device))]
    assert any(all(row[key][action] == 1.0 for key, action in told) for row in rows)


def test_who_does_not_follow_is_told_nothing_more() -> None:
    table = session("person", "ai", seed=1)
    turn = table.deal()
    assert turn is not None
    other = next(a for a in turn.actions if a != turn.recommended)
    turn = table.choose(other)
    while turn is not None:
        assert turn.mediated
        assert turn.recommended is None
        turn = table.choose(0)
    turn = table.deal()  # a new hand, a new chance
    assert turn is not None
    assert turn.recommended is not None


def test_others_go_on_being_told() -> None:
    table = session("person", "person", seed=1)
    turn = table.deal()
    assert turn is not None
    turn = table.choose(next(a for a in turn.actions if a != turn.recommended))
    told = []
    while turn is not None:
        told.append((turn.player, turn.recommended is not None))
        turn = table.choose(0 if turn.recommended is None else turn.recommended)
    assert set(told) == {(0, False), (1, True)}


def test_a_mediator_changes_nothing_that_others_draw() -> None:
    """The same seed deals the same hands with and without one."""
    kuhn = eq.compile_game("kuhn")
    mediator = Mediator(CorrelationDevice.of([eq.Strategy.uniform(kuhn)]))
    seats = [UniformAgent("a"), UniformAgent("b")]
    with_one = Session(kuhn.game, seats, seed=9, mediator=mediator)
    without = Session(kuhn.game, seats, seed=9)
    assert list(with_one.play(50)) == list(without.play(50))


@pytest.mark.slow
def test_profiles_that_mix_recommend_one_action_per_hand() -> None:
    kuhn = eq.compile_game("kuhn")
    device = CorrelationDevice.of([eq.Strategy.uniform(kuhn)])
    payoffs = [record.payoffs[0] for record in session("ai", "ai", device=device).play(4_000)]
    error = np.std(payoffs, ddof=1) / math.sqrt(len(payoffs))
    exact = expected_values(eq.Strategy.uniform(kuhn))[0]
    assert abs(np.mean(payoffs) - exact) <= 4 * error


def test_without_a_mediator_turns_say_so() -> None:
    table = Session(SHERIFF.game, [Person("a"), UniformAgent()])
    turn = table.deal()
    assert turn is not None
    assert (turn.mediated, turn.recommended) == (False, None)


def test_what_is_refused() -> None:
    mediator, other = Mediator(FOUND.device), Mediator(FOUND.device)
    with refuses(ConfigError, option="device"):
        Mediator(unchecked(FOUND))
    seats: list[Agent] = [MediatedAgent(mediator), UniformAgent()]
    for another in (None, other):
        with refuses(ConfigError, option="mediator"):
            Session(SHERIFF.game, seats, mediator=another)
    with refuses(UnknownNameError, option="infoset", given="1"):
        mediated("kuhn", mediator).deal()  # comes to a person, who is told what to do
    with refuses(ConfigError, option="mediator"):
        Mediator(FOUND.device).recommendation(Table.start(SHERIFF.game))
    table = MatrixGame.from_tables([[[1, 0], [0, 1]]] * 2, [["x", "y"]] * 2)
    with refuses(MismatchError, option="mediator", expected="dare, swerve"):
        mediated("chicken", Mediator(correlated(eq.compile_game(table), "ce").device)).deal()


def mediated(spec: str, mediator: Mediator) -> Session:
    return Session(eq.load_game(spec), [Person("a"), Person("b")], seed=2, mediator=mediator)
