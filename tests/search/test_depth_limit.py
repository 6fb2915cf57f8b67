"""Depth limits: Leduc's first round, solved with several continuations after it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.search import OnlineSearch, Resolved, Subgames, depth_limit, resolve
from equilibrist.search.depth_limit import biased
from equilibrist.search.leaf_values import BoundValues
from tests.search.trunks import LEDUC, search_game, subgames, trunk


def first_round(kind: str, **options: Any) -> Resolved:
    """Solved from the beginning; after the board everybody goes on."""
    whole = Subgames.below(search_game(LEDUC), [0])
    return resolve(
        trunk(LEDUC, kind), roots=whole, method="unsafe", leaves="before chance", **options
    )


def exploitability(found: Resolved) -> float:
    assert found.evaluation.exploitability is not None
    return found.evaluation.exploitability


def completed(found: Resolved) -> float:
    """Exploitability with the best play after the first round."""
    both = resolve(found.strategy, roots=subgames("five"), method="resolve").completion
    first, second = both
    assert first is not None
    assert second is not None
    return (first + second) / 2


FOND = ["fold", "call", "raise"]
"""Continuations: the trunk after the board, ten times as fond of one action."""


@pytest.mark.parametrize(
    ("kind", "level", "best"), [("cfr+ 100", 0.126, 0.059), ("cfr+ 1000", 0.132, 0.056)]
)
def test_one_continuation_is_far_worse_than_no_search(kind: str, level: float, best: float) -> None:
    found = first_round(kind)
    assert exploitability(found) == pytest.approx(level, rel=0.02)
    assert completed(found) == pytest.approx(best, rel=0.02)
    assert found.bound == (None, None)


@pytest.mark.parametrize(
    ("kind", "most"), [("cfr+ 100", 0.03), ("cfr+ 1000", 0.0004), ("lp", 1e-9)]
)
def test_four_continuations_are_enough_near_an_equilibrium(kind: str, most: float) -> None:
    found = first_round(kind, continuations=FOND)
    assert exploitability(found) < most


@pytest.mark.parametrize("kind", ["cfr+ 100", "cfr+ 1000", "lp", "noise 0.2"])
def test_with_all_continuations_nothing_is_lost(kind: str) -> None:
    """Half a dozen best responses are all of them."""
    found = first_round(kind, responses=6)
    before = found.trunk_evaluation.exploitability
    assert before is not None
    assert exploitability(found) <= before + 1e-9
    if kind == "cfr+ 100":
        assert exploitability(found) == pytest.approx(0.0114, abs=1e-4)
        assert completed(found) == pytest.approx(0.0024, abs=2e-4)


def test_below_the_leaves_the_trunk_keeps_its_bits() -> None:
    found = first_round("cfr+ 100", continuations=FOND)
    rows = np.repeat(subgames("five").inside, np.diff(found.strategy.tree.action_offset))
    assert (found.strategy.probabilities == found.trunk.probabilities)[rows].all()
    assert not (found.strategy.probabilities == found.trunk.probabilities).all()


def test_a_word_is_the_trunk_fonder_of_that_action() -> None:
    strategy, inside = trunk(LEDUC, "noise 0.2"), subgames("five").inside
    fond = biased(strategy, "raise", 10.0, inside)
    tree = strategy.tree
    for infoset in range(0, tree.num_infosets, 9):
        at = tree.actions_of(infoset)
        weights = strategy.probabilities[at].copy()
        if inside[infoset] and "raise" in tree.action_labels[infoset]:
            weights[list(tree.action_labels[infoset]).index("raise")] *= 10.0
        np.testing.assert_allclose(fond.probabilities[at], weights / weights.sum())
    by_word, by_strategy = (
        first_round("noise 0.2", continuations=[given]).strategy.probabilities
        for given in ("raise", fond)
    )
    np.testing.assert_array_equal(by_word, by_strategy)


@pytest.mark.parametrize(
    ("method", "seat"),
    [("unsafe", 0), ("max-margin", 1)],
)
def test_a_limit_that_grows_ends_at_the_whole_subgame(method: str, seat: int) -> None:
    """Where untouched leaves promise the seat the most that can be, none is better than found."""
    options: dict[str, Any] = {"roots": "??:cc", "method": method, "seats": [seat]}
    strategy = trunk(LEDUC, "noise 0.2")
    whole = resolve(strategy, completion=False, **options)
    limited = {
        growth: resolve(
            strategy,
            leaves="??:cc/?:",
            values=BoundValues(seat),
            growth=growth,
            completion=False,
            **options,
        )
        for growth in (0, 99)
    }
    wanted = whole.steps[0].objective
    assert limited[99].steps[0].objective == pytest.approx(wanted, abs=1e-8)
    assert limited[0].steps[0].objective != pytest.approx(wanted, abs=1e-3)


def test_a_limit_grows_only_where_the_seat_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves to which it does not come stay leaves, however large the growth may be."""
    seen: list[tuple[int, ...]] = []
    grown = depth_limit._grown

    def watched(*arguments: Any) -> Subgames:
        seen.append((found := grown(*arguments)).nodes)
        return found

    monkeypatch.setattr(depth_limit, "_grown", watched)
    result = resolve(
        trunk(LEDUC, "lp"),
        roots="??:cc",
        method="unsafe",
        seats=[0],
        leaves="??:cc/?:",
        values=BoundValues(0),
        growth=99,
        completion=False,
    )
    search = search_game(LEDUC)
    assert seen[-1] == seen[-2]
    assert len(seen) < 30
    left = Subgames.below(search, list(seen[-1]))
    plan = search.own[0].reach(result.strategy.probabilities)
    assert (plan[search.sequence[left.start, 0]] == 0.0).all()


def test_a_limit_is_never_better_than_none() -> None:
    """By what the programmes reach."""
    strategy = trunk(LEDUC, "noise 0.2")
    for method in ("resolve", "max-margin", "unsafe"):
        plain = resolve(strategy, roots="??:cc", method=method, completion=False)
        deep = resolve(
            strategy,
            roots="??:cc",
            method=method,
            leaves=[f"??:cc/{card}:crr" for card in "JQK"],
            responses=8,
            completion=False,
        )
        for seat in range(2):
            one, other = plain.step("??:cc", seat), deep.step("??:cc", seat)
            assert one.objective is not None
            assert other.objective is not None
            worse = other.objective - one.objective
            assert (worse if method != "max-margin" else -worse) >= -1e-8


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({"leaves": "??:rc"}, "leaves"),
        ({"leaves": "nothing"}, "leaves"),
        ({"leaves": "after chance", "responses": -1}, "responses"),
        ({"leaves": "after chance", "continuations": [3]}, "strategy"),
        ({"leaves": "after chance", "continuations": ["bow"]}, "continuations"),
        ({"leaves": "after chance", "algorithm": "cfr+"}, "leaves"),
    ],
)
def test_wrong_options(options: dict[str, Any], option: str) -> None:
    with pytest.raises(ConfigError) as refused:
        resolve(trunk(LEDUC, "uniform"), roots="??:cc", **options)
    assert refused.value.option == option


def test_leaves_of_several_subgames_on_the_way() -> None:
    """Each subgame stops at the leaves that lie below it, as if it were solved alone."""
    strategy = trunk(LEDUC, "uniform")
    below = {"??:c": ["??:cc", "??:crc", "??:crrc"], "??:r": ["??:rc", "??:rrc"]}
    search = OnlineSearch.of(
        strategy, roots=[*below], method="unsafe", leaves="before chance", responses=1
    )
    result = search.offline(completion=False)
    one: dict[str, Any] = {"method": "unsafe", "responses": 1, "completion": False}
    turn = resolve(strategy, roots=[*below], leaves="before chance", in_turn=True, **one)
    for root, leaves in below.items():
        alone = resolve(strategy, roots=root, leaves=leaves, **one)
        for seat in range(2):
            objective = alone.step(root, seat).objective
            assert result.step(root, seat).objective == pytest.approx(objective, abs=1e-9)
            assert turn.step(root, seat).objective is not None
    assert result.bound == (None, None)
    with pytest.raises(ConfigError) as refused:
        OnlineSearch.of(strategy, roots="??:c", method="unsafe", leaves="before chance")
    assert refused.value.option == "leaves"
