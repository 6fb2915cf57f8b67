"""From strings to samplers and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.solvers.sampling import samplers
from equilibrist.solvers.sampling.registry import get_sampler, sampler_parameters, sampler_spec
from tests.refusals import refuses, unchecked


@dataclass(frozen=True)
class Odd:
    """A sampler with parameters of all kinds."""

    name: ClassVar[str] = "odd-one"
    epsilon: float = 0.5
    k: int = 2
    prune: bool = False
    baseline: str | None = None


@pytest.fixture(autouse=True)
def odd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(samplers.SAMPLERS, "odd-one", Odd)


@pytest.mark.parametrize("name", samplers.SAMPLERS)
def test_every_sampler_has_a_name_that_names_it_again(name: str) -> None:
    sampler = get_sampler(name)
    assert sampler_spec(sampler) == name
    assert sampler.averagings
    assert sampler.summary
    assert sampler.paper


@pytest.mark.parametrize(
    "spec", ["odd-one", "odd-one(epsilon=0.25)", "odd-one(k=3,prune=true,baseline=learned)"]
)
def test_the_string_of_a_sampler_names_it_again(spec: str) -> None:
    assert sampler_spec(get_sampler(spec)) == spec


def test_parameters_come_in_the_string_or_apart() -> None:
    sampler: object = get_sampler(" ODD_ONE( epsilon = 1e-1 )", {"k": 4, "prune": None})
    assert sampler == Odd(0.1, 4)
    assert [(p.name, p.default) for p in sampler_parameters("odd-one")] == [
        ("epsilon", 0.5),
        ("k", 2),
        ("prune", False),
        ("baseline", None),
    ]


def test_bad_input() -> None:
    with refuses(UnknownNameError, option="sampler", name="extrnal"):
        get_sampler("extrnal")
    for spec, parameters, fields in (
        ("external(", None, dict(option="sampler", place="column 10")),
        ("external", {"epsilon": 0.1}, dict(option="epsilon", place="external")),
        ("odd-one(beta=1)", None, dict(option="beta", place="odd-one")),
        ("odd-one(0.5)", None, dict(option="sampler", place="column 9")),
        ("odd-one(k=1,k=2)", None, dict(option="sampler", place="column 13")),
        ("odd-one(k=1)", {"k": 2}, dict(option="k", given="odd-one(k=1)")),
        (unchecked(3), None, dict(option="sampler", given=3)),
    ):
        with refuses(ConfigError, **fields):
            get_sampler(spec, parameters)
