"""AIVAT in spots: the mean is that of the payoffs for any play, and there is less variance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum

import pytest

from equilibrist.errors import MismatchError
from equilibrist.game import CHANCE
from equilibrist.play import Agent, Person, Session, SolutionAgent, SpotGame, Table, UniformAgent
from equilibrist.play.solutions.aivat import SpotAivat
from equilibrist.poker import Spot
from tests.play.spots.test_game import RIVER, SYMMETRIC, TURN, solved
from tests.refusals import refuses

SMALL = TURN.replace(
    rake=0.0, rake_cap=None, ip="KcKd,AhQd:0.25", oop="AcAd", stack=40, bets="a", raises=""
)


def odd(table: Table) -> Sequence[float]:
    """A way to play that no solution has, different for hands and lines."""
    weights = [1.0 + (sum(map(ord, table.infoset)) * (k + 3)) % 7 for k in range(len(table.words))]
    return [weight / sum(weights) for weight in weights]


def hands(table: Table, agent: SolutionAgent, person: int) -> Iterator[tuple[float, Table]]:
    """All ends of a hand, with their probabilities, if the person plays `odd`."""
    if table.over:
        yield 1.0, table
        return
    if table.player == CHANCE:
        mixture: Sequence[float] = table.chance
    else:
        mixture = odd(table) if table.player == person else agent.mixture(table)
    for index, probability in enumerate(mixture):
        if probability > 0.0:
            for below, end in hands(table.play(index), agent, person):
                yield probability * below, end


@pytest.mark.parametrize(
    ("spot", "person"),
    [
        pytest.param(RIVER, 0, id="raked river, out of position"),
        pytest.param(RIVER, 1, id="raked river, in position"),
        pytest.param(SMALL, 0, id="turn, out of position"),
        pytest.param(SMALL, 1, id="turn, in position"),
        pytest.param(SYMMETRIC, 0, id="ties, out of position", marks=pytest.mark.slow),
        pytest.param(TURN, 1, id="raked turn, in position", marks=pytest.mark.slow),
    ],
)
def test_the_mean_is_that_of_the_payoffs(spot: Spot, person: int) -> None:
    solution = solved(spot)
    agent, aivat = SolutionAgent(solution), SpotAivat(solution)
    seats: list[Person | SolutionAgent] = [Person("you"), agent]
    aivat.check(solution.game, seats)
    places = (0, 1) if person == 0 else (1, 0)
    ends = list(hands(Table.start(SpotGame(spot)), agent, person))
    assert fsum(p for p, _ in ends) == pytest.approx(1.0)
    estimates = [aivat.by_seat(places, end.moves, end.payoffs) for _, end in ends]
    for seat in (0, 1):
        player = person if seat == 0 else 1 - person
        plain = [end.payoffs[player] for _, end in ends]
        mean = fsum(p * x for (p, _), x in zip(ends, plain, strict=True))
        estimated = [row[seat] for row in estimates]
        found = fsum(p * x for (p, _), x in zip(ends, estimated, strict=True))
        assert found == pytest.approx(mean, abs=2e-4 * spot.pot)
        if seat == 0:
            spread = [fsum(p * (x - mean) ** 2 for (p, _), x in zip(ends, xs, strict=True))
                      for xs in (plain, estimated)]  # fmt: skip
            assert spread[1] < 0.6 * spread[0]


def test_who_plays_the_solution_has_no_variance_but_that_of_the_seats() -> None:
    solution = solved(SMALL)
    session = Session(
        SpotGame(SMALL), [Person("you"), SolutionAgent(solution)], seed=1, alternate=False,
        values=SpotAivat(solution),
    )  # fmt: skip
    other = SolutionAgent(solution)
    for _ in range(5):
        turn = session.deal()
        while turn is not None:
            assert session.table is not None
            mixture = other.mixture(session.table)
            turn = session.choose(mixture.index(max(mixture)))
    assert session.aivat_score is not None
    assert session.aivat_score.means[0] == pytest.approx(solution.ev[0], abs=1.0)


def test_seats_that_do_not_fit() -> None:
    solution = solved(RIVER)
    pairs: list[list[Person | Agent]] = [
        [Person("a"), Person("b")],
        [SolutionAgent(solution), SolutionAgent(solution)],
        [Person("a"), UniformAgent()],
        [Person("a"), SolutionAgent(solved(SMALL))],
    ]
    for seats in pairs:
        with refuses(MismatchError, option="values"):
            Session(SpotGame(RIVER), seats, values=SpotAivat(solution))
