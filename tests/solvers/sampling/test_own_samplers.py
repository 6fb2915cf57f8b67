"""Samplers of one's own: the walk's weights make them unbiased, and `check_sampler` says so."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import CheckpointError, ConfigError, UnknownNameError
from equilibrist.reference.draws import Draws, every_run
from equilibrist.reference.game_walk import Node
from equilibrist.reference.sampling import (
    Addition,
    Profile,
    external_sampling,
    outcome_sampling,
    probing_sampling,
    pure_sampling,
    robust_sampling,
)
from equilibrist.reference.sampling.addition import TablesByInfoset
from equilibrist.reference.sampling.average_strategy import average_strategy_sampling
from equilibrist.reference.sampling.choices import Choice, NodeView
from equilibrist.results import SamplingDetails
from equilibrist.solvers import MCCFR, OwnSampler
from equilibrist.solvers.sampling import expectation
from equilibrist.solvers.sampling.expectation import check_sampler, plain_sampler
from equilibrist.solvers.sampling.registry import get_sampler, sampler_spec
from equilibrist.solving import Files
from tests.refusals import refuses, unchecked
from tests.solvers.sampling.exact_expectation import profile_with_zeros, walk_of
from tests.solvers.sampling.test_sampler_expectations import sums_with_zeros

KUHN = ("kuhn",)
FILE = '''
from dataclasses import dataclass
from equilibrist.solvers import Choice, NodeView, OwnSampler

@dataclass(frozen=True)
class Mine(OwnSampler):
    """Own actions by coins."""
    least: float = 0.25
    def choose(self, node: NodeView) -> Choice:
        if node.is_own:
            return node.each([max(self.least, p) for p in node.strategy])
        return node.one()

instance = Mine(0.5)
def make(k: int = 1) -> OwnSampler: return Mine(1.0 / k)
class Never(OwnSampler):
    def choose(self, node): return node.one([1.0] + [0.0] * (len(node.strategy) - 1))
class Text(OwnSampler):
    def choose(self, node): return "all"
class Broken(OwnSampler):
    def choose(self, node): return node.one(node.nothing)
class Sums(OwnSampler):
    def choose(self, node): return node.one([0.9] * len(node.strategy))
'''


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "mine.py"
    path.write_text(FILE, "utf-8")
    return str(path)


PLAIN: dict[str, Callable[..., Addition]] = {
    "external": external_sampling,
    "outcome": outcome_sampling,
    "robust(k=2)": partial(robust_sampling, k=2),
    "probing": probing_sampling,
    "pure": pure_sampling,
    "average-strategy(epsilon=0.1,tau=1.5,beta=0)": partial(
        average_strategy_sampling, epsilon=0.1, tau=1.5, beta=0.0
    ),
}


def additions(sample: Callable[[Draws], Addition]) -> dict[object, float]:
    """The probability of everything that a traversal may add, to nine digits."""
    odds: dict[object, float] = {}
    for probability, added in every_run(sample):
        tables = (added.regret, added.strategy_sum)
        numbers = tuple(
            (index, key, tuple(round(x, 9) + 0.0 for x in row))
            for index, table in enumerate(tables)
            for key, row in sorted(table.items())
            if any(abs(x) > 1e-9 for x in row)
        )
        odds[numbers] = odds.get(numbers, 0.0) + probability
    return odds


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize(
    "spec",
    [
        "kuhn",
        "random_tree(seed=3,depth=3,branching=3,forced=0)",
        "random_tree(seed=4,depth=4,branching=2,forced=0,players=3)",
    ],
)
def test_the_weighted_walk_adds_what_the_published_samplers_add(name: str, spec: str) -> None:
    game = walk_of(spec)
    profile, sums = profile_with_zeros(game, 4), sums_with_zeros(game, 8)
    sampler, tables = plain_sampler(name), TablesByInfoset(sums, sums)
    further = (sums,) if name.startswith("average") else ()

    def theirs(traverser: int, draws: Draws) -> Addition:
        return PLAIN[name](game.root, traverser, profile, draws, *further)

    def ours(traverser: int, draws: Draws) -> Addition:
        return sampler.traverse(game.root, traverser, profile, draws, tables)

    for traverser in range(game.num_players):
        wanted = additions(partial(theirs, traverser))
        assert additions(partial(ours, traverser)) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("name", ["external", "chance", "average-strategy", "probing", "escher"])
def test_samplers_that_come_with_it_are_right_on_average(name: str) -> None:
    report = check_sampler(name, KUHN)
    (game,) = report.games
    assert report.ok
    assert game.is_exact
    assert game.regret.error < 1e-12
    assert game.regret.has_factor == (name == "escher")


def test_public_chance_sampling_in_python_is_right_on_average() -> None:
    assert check_sampler("public-chance", KUHN).ok


def test_an_own_sampler_solves(file: str) -> None:
    result = eq.solve("kuhn", sampling=f"{file}:Mine(least=0.5)", iterations=3_000, seed=1)
    assert result.exploitability is not None
    assert result.exploitability < 0.08
    assert isinstance(result.details, SamplingDetails)
    assert result.details.sampler == f"{file}:Mine(least=0.5)"
    assert f"equilibrist check {file}" in result.guarantee


@pytest.mark.parametrize("way", ["Mine", "instance", "make(k=2)"])
def test_a_class_an_instance_and_a_function_name_a_sampler(file: str, way: str) -> None:
    sampler = get_sampler(f" {file}:{way} ")
    assert isinstance(sampler, OwnSampler)
    assert sampler_spec(sampler) == f"{file}:{way}"
    assert sampler.summary == "Own actions by coins."


def test_a_class_without_a_docstring_has_a_summary() -> None:
    class Bare(OwnSampler):
        def choose(self, node: NodeView) -> Choice:
            return node.one()

    assert Bare.summary


def test_a_run_in_two_parts_has_the_same_bits(file: str) -> None:
    whole, parts = (MCCFR("kuhn", sampler=f"{file}:Mine", seed=3) for _ in range(2))
    whole.run(40)
    parts.run(15).run(25)
    assert np.array_equal(whole.state.regret, parts.state.regret)
    assert np.array_equal(whole.state.strategy_sum, parts.state.strategy_sum)
    assert whole.nodes_touched == parts.nodes_touched > 40


def test_a_checkpoint_of_a_sampler_that_has_changed_is_refused(file: str, tmp_path: Path) -> None:
    saved = tmp_path / "run.ckpt"
    eq.solve("kuhn", sampling=f"{file}:Mine", iterations=20, files=Files(checkpoint=saved))
    text = Path(file).read_text("utf-8")
    Path(file).write_text(text.replace("class Mine", "# a comment\nclass Mine"), "utf-8")
    eq.solve("kuhn", sampling=f"{file}:Mine", iterations=30, files=Files(resume=saved))
    Path(file).write_text(text.replace("0.25", "0.75"), "utf-8")
    with refuses(CheckpointError):
        eq.solve("kuhn", sampling=f"{file}:Mine", iterations=40, files=Files(resume=saved))


@pytest.mark.parametrize(
    ("name", "kind", "fields"),
    [
        ("Never", ConfigError, dict(option="one")),
        ("Text", ConfigError, dict(option="choose", given="all")),
        ("Broken", ConfigError, dict(option="sampler", given="AttributeError")),
        ("Sums", ConfigError, dict(option="one", expected="probabilities with a sum of 1")),
        ("Mine(most=1)", UnknownNameError, dict(name="most")),
        ("dataclass", ConfigError, dict(option="dataclass")),
        ("Mien", ConfigError, dict(option="Mien")),
    ],
)
def test_what_is_wrong_with_a_sampler_is_said(
    file: str, name: str, kind: type, fields: dict[str, object]
) -> None:
    with refuses(kind, **fields):
        eq.solve("kuhn", sampling=f"{file}:{name}", iterations=5)


@pytest.mark.parametrize("names", [(), ("walk",), ("stochastic", "mine"), "stochastic", None])
def test_averages_that_no_walk_takes_are_refused_with_the_class(names: object) -> None:
    with refuses(ConfigError, option="averagings", place="Mine"):
        type("Mine", (OwnSampler,), {"averagings": names})


def test_a_name_is_not_cut_at_the_dot(file: str) -> None:
    with refuses(UnknownNameError, option="sampler", name="mine.txt:Mine"):
        get_sampler("mine.txt:Mine")
    with refuses(ConfigError, option="sampler", given=file):
        get_sampler(file)


def test_a_large_game_and_ray_are_refused() -> None:
    with refuses(ConfigError, option="executor", given="ray"):
        MCCFR("kuhn", sampler=OwnSampler(), threads=2, executor="ray")


class Doubled(OwnSampler):
    """Walks as external sampling, and forgets a weight."""

    def traverse(
        self,
        root: Node,
        traverser: int,
        profile: Profile,
        draws: Draws,
        tables: TablesByInfoset,
        *,
        averaging: str = "stochastic",
        record: bool = True,
    ) -> Addition:
        added = outcome_sampling(root, traverser, profile, draws, averaging="strategy")
        added.regret = {key: [2.0 * x for x in row] for key, row in added.regret.items()}
        return added


class Moody(OwnSampler):
    """Gives another answer every time."""

    def choose(self, node: NodeView) -> Choice:
        share = random.random()
        return node.one([share, 1.0 - share]) if node.is_own else node.one()


class Blocks(OwnSampler):
    """Draws player 0's card, the same at both deals; walks all that it does not see."""

    def choose(self, node: NodeView) -> Choice:
        if node.is_chance and not node.history:
            return node.blocks(["low" if a == "1" else "high" for a in node.actions])
        return node.all()


class Unbalanced(OwnSampler):
    """All players draw from other strategies than they play."""

    averagings = ("own-reach", "stochastic")

    def choose(self, node: NodeView) -> Choice:
        count = len(node.strategy)
        return node.one([0.5 / count + 0.5 * (k == 0) for k in range(count)])


def test_a_wrong_weight_is_found_and_a_constant_factor_is_none() -> None:
    report = check_sampler(Doubled(), KUHN)
    (game,) = report.games
    assert game.regret.is_right  # twice the regrets are the same strategy
    assert game.regret.has_factor
    assert not report.ok  # the average without weights follows what the traverser explores
    (stochastic, _) = game.averages
    assert stochastic.bias is not None
    assert stochastic.bias.found != pytest.approx(stochastic.bias.wanted)


def test_a_sampler_with_moods_is_refused() -> None:
    with refuses(ConfigError, option="choose"):
        check_sampler(Moody(), KUHN)


@pytest.mark.parametrize("sampler", [Blocks(), Unbalanced()])
def test_any_choice_is_weighted_right(sampler: OwnSampler) -> None:
    report = check_sampler(sampler, ("kuhn", "kuhn(players=3)"))
    assert report.ok
    for game in report.games:
        assert game.is_exact
        (own,) = [table for table in game.averages if table.name == "own-reach"]
        assert own.is_right  # the sample comes to every history
        assert not own.has_factor


@pytest.mark.slow
def test_too_many_draws_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expectation, "MOST_RUNS", 200)

    class All(OwnSampler):
        def choose(self, node: NodeView) -> Choice:
            return node.all() if node.is_chance else node.each([0.5] * len(node.strategy))

    (game,) = check_sampler(All(), KUHN).games
    assert not game.is_exact
    assert game.ok


def test_only_samplers_with_a_plain_form_are_checked() -> None:
    with refuses(ConfigError, option="baseline"):
        check_sampler("external(baseline=learned)", KUHN)
    with refuses(ConfigError, option="game"):
        check_sampler("external", ("liars_dice(sides=5)",))
    with refuses(ConfigError, option="sampler"):
        check_sampler(unchecked(object()), KUHN)
