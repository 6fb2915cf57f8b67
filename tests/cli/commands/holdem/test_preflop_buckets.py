"""`equilibrist preflop buckets`."""

from __future__ import annotations

import pytest

from equilibrist import progress
from equilibrist.errors import ConfigError
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.preflop.exact.abstract.report import bucket_report
from equilibrist.poker.preflop.exact.abstract.solver import BucketSolver
from tests.cli.command import Shell

HAND = "--stack 100 --limit limit --fixed-bets 1/1 --raise-cap 1 --board 3 --deck Q"


def test_the_document_has_the_figures_of_the_report(shell: Shell) -> None:
    run = shell(f"preflop buckets {HAND} --buckets 2/3 -n 12 --lbr --json").ok()
    hand = Hand(stack=100, limit="limit", fixed_bets="1/1", raise_cap=1, board="3", deck="Q")
    figures = bucket_report(hand, "2/3", iterations=12, local=True)
    for mine, theirs in zip(figures.trace, run.json["trace"], strict=True):
        assert (mine.iteration, mine.average, mine.last) == tuple(
            theirs[name] for name in ("iteration", "average", "last")
        )
    assert figures.trace[-1].iteration == 12
    assert figures.local is not None
    assert sum(figures.local) / 2 <= figures.trace[-1].average
    assert list(figures.local) == run.json["local"]


def test_the_screen_says_what_was_measured(shell: Shell) -> None:
    out = (
        shell(f"preflop buckets {HAND} --buckets all/4 --forgetful --opponent abstract -n 3")
        .ok()
        .out
    )
    assert "all/4" in out
    assert "abstract" not in out
    assert "mbb" in out


@pytest.mark.slow
def test_responses_that_know_all_hands_teach_more_than_the_other_seat() -> None:
    hand = Hand(stack=100, limit="limit", fixed_bets="1/1", board="3", deck="J")
    figures = [
        bucket_report(hand, "3/2", opponent=opponent, iterations=150).trace[-1]
        for opponent in ("abstract", "best response")
    ]
    assert figures[1].average < 0.75 * figures[0].average
    assert figures[1].last < 0.75 * figures[0].average


def test_the_time_holds_between_two_measurements(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, run = [0.0], BucketSolver.run

    def tick(solver: BucketSolver, iterations: int, /) -> BucketSolver:
        clock[0] += iterations
        return run(solver, iterations)

    monkeypatch.setattr(BucketSolver, "run", tick)
    monkeypatch.setattr("time.perf_counter", lambda: clock[0])
    monkeypatch.setattr(progress, "perf_counter", lambda: clock[0])
    hand = Hand(stack=100, limit="limit", fixed_bets="1/1", raise_cap=1, board="3", deck="Q")
    trace = bucket_report(hand, "2/3", seconds=7.5).trace
    assert [point.iteration for point in trace] == [1, 2, 3, 4, 6, 8]  # else the last were 9
    assert [point.iteration for point in bucket_report(hand, "2/3", seconds=0.0).trace] == [1]


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("--buckets 5", "counts"),
        ("--buckets 5/x", "counts"),
        ("--buckets 0/5", "counts"),
        ("--last-street preflop", "last_street"),
        ("--algorithm pcfr+", "algorithm"),
    ],
)
def test_what_cannot_be_measured_is_refused(shell: Shell, words: str, option: str) -> None:
    shell(f"preflop buckets {HAND} {words}").refused(ConfigError, option=option)
