"""Lists of algorithms and samplers, and of games: data that programs read and commands print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import FrozenInstanceError, is_dataclass, replace
from typing import Any

import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.solvers import CFR, algorithm_info, list_samplers, sampler_info
from equilibrist.solvers.implicit.samplers import WITHOUT_TREE
from equilibrist.solvers.sampling.samplers import SAMPLERS
from equilibrist.solvers.variants.registry import OTHER_ALGORITHMS, RULES, get_variant
from equilibrist.solvers.variants.variant import Variant
from equilibrist.solving.algorithm import get_algorithm
from tests.refusals import refuses

LISTS: tuple[Callable[[], Sequence[Any]], ...] = (
    eq.list_games,
    eq.list_algorithms,
    list_samplers,
)


@pytest.mark.parametrize("listed", LISTS)
def test_entries_are_frozen_and_named(
    listed: Callable[[], Sequence[Any]],
) -> None:
    found = listed()
    assert isinstance(found, list)
    assert listed() == found
    assert len({info.name for info in found}) == len(found) > 5
    assert all(map(is_dataclass, found))
    for info in found:
        assert info.summary
        with pytest.raises(FrozenInstanceError):
            info.name = "another"


def test_every_algorithm_can_be_named() -> None:
    infos = eq.list_algorithms()
    assert {info.name for info in infos} == {
        *RULES, "efr", "xfp", "cfr-br", "fsicfr", "lp", "regret-matching", "regret-matching+",
    }  # fmt: skip
    for info in infos:
        assert algorithm_info(get_algorithm(info.name)) == info
        assert info.paper
        assert info.update
        assert info.when
    by_name = {info.name: info for info in infos}
    assert by_name["dcfr"].parameters == {"alpha": 1.5, "beta": 0.0, "gamma": 2.0}
    assert [name for name, info in by_name.items() if info.needs_horizon] == [
        "hs-dcfr",
        "hs-pcfr+",
    ]
    changed = algorithm_info(get_variant("dcfr(gamma=3)"))
    assert changed.name == "dcfr(gamma=3)"
    assert changed.parameters == by_name["dcfr"].parameters | {"gamma": 3.0}
    assert algorithm_info("dcfr(gamma=3)") == changed
    assert algorithm_info(Variant("mine")).parameters == {}
    for info in infos:
        assert algorithm_info(info.name) == info
    with refuses(UnknownNameError, option="algorithm", suggestions=("lp",)):
        algorithm_info("lpp")


def test_every_sampler_can_be_named() -> None:
    infos = list_samplers()
    assert [info.name for info in infos] == list(SAMPLERS)
    for info in infos:
        assert sampler_info(info.name) == info
        assert info.averagings == SAMPLERS[info.name].averagings
    assert {info.name for info in infos if info.needs_no_tree} == {one.name for one in WITHOUT_TREE}
    usual, given = sampler_info("outcome"), sampler_info("outcome(epsilon=0.1)")
    assert given == replace(usual, parameters=usual.parameters | {"epsilon": 0.1})
    assert given != usual
    with refuses(UnknownNameError, option="sampler", suggestions=("outcome",)):
        sampler_info("outcom")
    with refuses(ConfigError, option="k", place="outcome"):
        sampler_info("outcome(k=2)")


def test_what_is_no_variant_is_told_from_what_is_unknown() -> None:
    others = {info.name for info in eq.list_algorithms()} - {*RULES}
    assert others == {*OTHER_ALGORITHMS}
    spot = eq.poker.Spot(board="Ts3h2h5c9s", oop="AA", ip="KK", pot=9, stack=9, bets="a")
    for name in OTHER_ALGORITHMS:
        with refuses(ConfigError, option="algorithm", given=name) as caught:
            CFR("kuhn", name)
        assert "dcfr" in str(caught.value.remedy)
        with refuses(ConfigError, option="algorithm", given=name) as caught:
            eq.solve(spot, algorithm=name, iterations=1)
        assert "dcfr-restarts" in str(caught.value.remedy)
