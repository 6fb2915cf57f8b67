"""The lesson of a sampler: its equations are true, and its numbers those of the references."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial

import pytest

from equilibrist.errors import UnknownNameError
from equilibrist.reference import (
    Addition,
    RandomDraws,
    TablesByInfoset,
    chance_sampling,
    escher_sampling,
    external_sampling,
    outcome_sampling,
    public_chance_sampling,
    pure_sampling,
    regret_matching,
    textbook_outcome,
)
from equilibrist.reference.game_walk import GameWalk
from equilibrist.reference.lesson import Page
from equilibrist.reference.lesson_turns import Ending
from equilibrist.reference.sampled_lesson import sampled_lesson
from equilibrist.reference.sampled_numbers import traversals
from equilibrist.solvers.sampling.expectation import plain_sampler
from equilibrist.solvers.sampling.own import traverse_plainly
from equilibrist.solvers.sampling.samplers import SAMPLERS
from tests.refusals import refuses
from tests.solvers.sampling.exact_expectation import walk_of

NUMBERS = r"(?:[-+*/(). ]|\d+(?:\.\d+)?(?:e-?\d+)?)+"
EQUATION = re.compile(rf"({NUMBERS}) = (-?[\d./]+(?:e-?\d+)?)$")
LABEL = re.compile(r"^ *(\S+ )?[A-Za-z]+\(.*?\) +")
PUBLISHED: dict[str, Callable[..., Addition]] = {
    "external": external_sampling,
    "outcome": outcome_sampling,
    "chance": chance_sampling,
    "public-chance": public_chance_sampling,
    "pure": pure_sampling,
    "escher": escher_sampling,
}
"""Those that draw in the same order as the walk of all samplers."""


def value(text: str) -> Fraction:
    """What a formula of numbers comes to, exactly."""
    plain = re.sub(r"\d+(\.\d+)?(e-?\d+)?", lambda number: f"Fraction('{number[0]}')", text)
    result = eval(plain.strip(), {"Fraction": Fraction})
    assert isinstance(result, Fraction), text
    return result


def equations(pages: Sequence[Page]) -> Iterator[tuple[Fraction, Fraction, str]]:
    """Both sides of every equation between numbers, and its line."""
    for page in pages:
        for line in page.lines:
            match = EQUATION.search(LABEL.sub("", line))
            if match is not None and any(character.isdigit() for character in match[1]):
                yield value(match[1].lstrip(" )")), value(match[2]), line


def pages_of(
    game: GameWalk,
    name: str,
    iteration: int = 1,
    seed: int = 3,
    infosets: Sequence[str] = (),
    start: Mapping[str, Sequence[float]] | None = None,
) -> list[Page]:
    sampler = plain_sampler(name)
    return [
        *sampled_lesson(
            game,
            partial(traverse_plainly, sampler),
            iteration,
            name=name,
            formulas=[("weight", sampler.formulas.weight)],
            estimate=sampler.estimate,
            average_share=sampler.average_share,
            all_learn=sampler.all_learn,
            infosets=infosets,
            seed=seed,
            start=start,
        )
    ]


@pytest.mark.parametrize("name", SAMPLERS)
def test_equations_of_the_first_iteration_hold_exactly(name: str) -> None:
    if name == "textbook":
        name = "textbook(epsilon=0.5)"
    pages = [page for seed in (0, 3) for page in pages_of(walk_of("kuhn"), name, seed=seed)]
    count = 0
    for left, right, line in equations(pages):
        assert left == right, line
        count += 1
    assert count >= 40


@pytest.mark.by_default(3)
@pytest.mark.parametrize(
    ("name", "game"),
    [
        (name, game)
        for game in ("kuhn(players=3)", "random_tree(seed=3,depth=4,branching=3)")
        for name in (*SAMPLERS, "robust(k=2)")
        if (name, game[:4]) != ("pure", "rand")  # whose payoffs have no common unit
    ],
)
def test_equations_hold_later_and_with_more_players(name: str, game: str) -> None:
    count = 0
    for left, right, line in equations(pages_of(walk_of(game), name, iteration=3, seed=5)):
        # Both sides are printed with six digits where they are no small fractions.
        assert float(left) == pytest.approx(float(right), rel=1e-3, abs=2e-4), line
        count += 1
    assert count > 10


@pytest.mark.parametrize("game", ["kuhn", "kuhn(players=3)"])
@pytest.mark.parametrize("name", [*PUBLISHED, "textbook"])
def test_the_traversals_are_those_of_the_published_sampler(name: str, game: str) -> None:
    tree, sampler = walk_of(game), plain_sampler(name)
    draws = RandomDraws(7)
    profile = {key: [1.0 / len(x.actions)] * len(x.actions) for key, x in tree.infosets.items()}
    regret = {key: [0.0] * len(row) for key, row in profile.items()}
    for _ in range(4):
        added = []
        for traverser in range(1 if sampler.all_learn else tree.num_players):
            if name == "textbook":
                one = textbook_outcome(tree.root, dict(profile), draws)
            else:
                one = PUBLISHED[name](tree.root, traverser, dict(profile), draws)
            for key, row in one.regret.items():
                regret[key] = [a + b for a, b in zip(regret[key], row, strict=True)]
                profile[key] = regret_matching(regret[key])
            added.append(one)
    traverse = partial(traverse_plainly, sampler)
    *parts, ending = traversals(tree, traverse, 4, seed=7, all_learn=sampler.all_learn)
    assert isinstance(ending, Ending)
    assert len(parts) == len(added)
    for part, one in zip(parts, added, strict=True):
        assert not isinstance(part, Ending)
        for mine, published in (
            (part.added.regret, one.regret),
            (part.added.strategy_sum, one.strategy_sum),
        ):
            shown = {key: row for key, row in mine.items() if any(row)}
            wanted = {key: row for key, row in published.items() if any(row)}
            assert {*shown} == {*wanted}
            for key, row in wanted.items():
                assert shown[key] == pytest.approx(row, abs=1e-12)
    assert ending.nash_conv > 0.0


def test_a_trajectory_of_kuhn_is_as_by_hand() -> None:
    (page,) = [
        page for page in pages_of(walk_of("kuhn"), "outcome") if page.title.startswith("Infoset 1 ")
    ][:1]
    assert page.title == "Infoset 1 of player 0, who traverses, at 1/3"
    # The cards 1/6, then 1/2 each for own exploring, the bet and the call: u(z) = -2.
    assert "q(z) = -2*1/6/(1/48) = -16" in str(page)
    assert page.lines[-2].endswith("-16*(1/4 - 1/8) = -2")
    assert page.lines[-1].endswith("-w_I*pi(h, z) = 2")


def test_infosets_may_be_chosen() -> None:
    tree = walk_of("kuhn")
    titles = [page.title for page in pages_of(tree, "external", infosets=["1", "3p"])]
    assert {title.split()[1] for title in titles if title.startswith("Infoset")} <= {"1", "3p"}
    assert not any(title.startswith(("Chance", "The end")) for title in titles)
    with refuses(UnknownNameError, option="infoset", name="4"):
        pages_of(tree, "external", infosets=["4"])


def test_a_start_is_played_until_something_is_regretted() -> None:
    tree = walk_of("kuhn")
    start = {key: [0.75, 0.25] for key in tree.infosets}
    pages = pages_of(tree, "external", start=start)
    (first,) = [page for page in pages if page.title.startswith("Infoset")][:1]
    assert first.lines[0].split(maxsplit=1) == ["sigma", "pass 3/4, bet 1/4"]


def test_steps_that_are_not_all_kept_are_not_shown() -> None:
    def traverse(
        root: object, traverser: int, profile: object, draws: object, tables: TablesByInfoset, /
    ) -> Addition:
        added = plain_sampler("external").traverse(root, traverser, profile, draws, tables)  # type: ignore[arg-type]
        del added.steps[1]
        return added

    pages = list(sampled_lesson(walk_of("kuhn"), traverse, name="mine", formulas=[]))
    assert not any(page.title.startswith("Infoset") for page in pages)
    assert any("R(pass)" in str(page) for page in pages)
