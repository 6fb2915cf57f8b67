"""Grades: thresholds as shares of the pot, and their counts."""

from __future__ import annotations

import pytest

from equilibrist.play import Advice, Grade, Grades, judge
from equilibrist.play.grades import Judgement, Stake, worst


def advice(*values: float, chosen: int = 0, played: float = 0.0) -> Advice:
    return Advice("key", ("a", "b"), chosen, values or None, (played, 1.0 - played))


@pytest.mark.parametrize(
    ("loss", "grade"),
    [
        (0, "best"),
        (0.05, "best"),
        (0.06, "correct"),
        (0.5, "correct"),
        (0.51, "inaccuracy"),
        (3.5, "inaccuracy"),
        (3.6, "mistake"),
        (10, "mistake"),
        (10.1, "blunder"),
        (500, "blunder"),
    ],
)
def test_grades_by_share_of_the_pot(loss: float, grade: str) -> None:
    found = judge(advice(0.0, loss), Stake(100.0))
    assert found is not None
    assert (found.grade, found.ev_loss) == (grade, loss)
    assert found.share == pytest.approx(loss / 100)


def test_losses_within_the_error_of_the_solution_are_correct() -> None:
    found = judge(advice(0.0, 6.0), Stake(100.0), error=6.0)
    assert found is not None
    assert found.grade == "correct"
    found = judge(advice(0.0, 6.0), Stake(100.0), error=5.9)
    assert found is not None
    assert found.grade == "mistake"


@pytest.mark.parametrize(
    ("loss", "played", "grade"),
    [(3.5, 0.1, "correct"), (3.5, 0.09, "inaccuracy"), (3.6, 0.9, "mistake"), (0.0, 0.5, "best")],
)
def test_what_the_solution_plays_is_correct(loss: float, played: float, grade: str) -> None:
    found = judge(advice(0.0, loss, played=played), Stake(100.0))
    assert found is not None
    assert found.grade == grade


def test_what_cannot_be_judged() -> None:
    assert judge(advice(), Stake(100.0)) is None
    assert judge(advice(0.0, 1.0), None) is None


def test_stakes() -> None:
    usual = Stake(4.0, "payoff range")
    assert Stake.of((("pot", "1,250.5"),)) == Stake(1250.5)
    assert Stake.of((("pot", "0"),), usual) == usual
    assert Stake.of((("pot", "1,250.5"),), chips=0.5) == Stake(2501.0)
    assert Stake.of((("pot", "none yet"),), usual) == usual
    assert Stake.of(()) is None


def test_counts_and_means() -> None:
    grades = Grades()
    assert (grades.right, grades.choices) == (None, 0)
    given = [Judgement(Grade.BEST, 0.0, Stake(2)), Judgement(Grade.BLUNDER, 1.0, Stake(2))]
    for one in [*given, Judgement(Grade.CORRECT, 0.01, Stake(4))]:
        grades.add(one)
    assert grades.right == pytest.approx(2 / 3)
    assert grades.choices == 3
    assert grades.losses.means == pytest.approx((1.01 / 3, (0.5 + 0.0025) / 3))
    assert worst([*given, Judgement(Grade.MISTAKE, 0.5, Stake(2))], 5) == [1, 2]
