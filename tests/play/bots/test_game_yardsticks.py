"""Bots of compiled games: local best responses never exceed true ones, with a search neither."""

from __future__ import annotations

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.evaluation import best_response, evaluate, local_best_response
from equilibrist.play.bots.game_yardsticks import (
    evaluate_game_bot,
    local_gains,
    streets_of,
)
from equilibrist.search import OnlineSearch
from equilibrist.search.public_tree import PublicTree
from tests.refusals import refuses


@pytest.fixture(scope="module")
def trunk() -> eq.Strategy:
    return eq.solve("leduc(suits=2,raise_cap=1)", "cfr+", iterations=10).strategy


@pytest.mark.parametrize("method", ["unsafe", "max-margin"])
def test_lbr_is_at_most_the_best_response_to_what_is_played_online(
    trunk: eq.Strategy, method: str
) -> None:
    search = OnlineSearch.of(trunk, roots="after chance", method=method)
    figures = evaluate_game_bot(trunk, search)
    assert figures.search is not None
    for part in (figures.blueprint, figures.search):
        most = part.evaluation.exploitability
        assert most is not None
        assert [*part.lbr] == ["fc", "all", "fc:2", "all:2"]
        assert all(gain <= most + 1e-12 for gain in part.lbr.values())
        assert part.lbr["all"] > 0.0
    online = OnlineSearch.of(trunk, roots="after chance", method=method)
    played = np.concatenate([online.play(i) for i in range(trunk.tree.num_infosets)])
    same = evaluate(eq.Strategy(trunk.tree, played))
    assert same.nash_conv == pytest.approx(figures.search.evaluation.nash_conv, abs=1e-12)
    assert figures.match is not None
    assert figures.match.even == pytest.approx(0.0, abs=1e-12)


def test_what_may_be_done_is_kept_to(trunk: eq.Strategy) -> None:
    tree = trunk.tree
    street = streets_of(PublicTree.of(tree))
    assert {*street.tolist()} == {0, 1}
    starts = np.repeat(street, np.diff(tree.action_offset))
    late = local_best_response(trunk, 0, among=starts >= 1)
    for i, key in enumerate(tree.infoset_keys):
        if tree.infoset_player[i] == 0 and street[i] == 0:
            assert late.strategy[key]["call"] == 1.0
    calm = local_best_response(trunk, 0, among=np.zeros(len(starts), np.bool_))
    assert calm.value <= late.value <= best_response(trunk, 0).value
    with refuses(ConfigError, option="among"):
        local_best_response(trunk, 0, among=[True])


def test_games_without_passive_actions_have_no_lbr() -> None:
    assert local_gains(eq.solve("kuhn", "cfr+", iterations=10).strategy) == {}


def test_exploitability_must_have_a_meaning() -> None:
    three = eq.Strategy.uniform(eq.compile_game("kuhn(players=3)"))
    with refuses(UnsupportedError, option="game"):
        evaluate_game_bot(three)
