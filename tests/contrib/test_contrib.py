"""What is exotic is named like everything else, and nothing below knows it but by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from equilibrist import contrib, solve
from equilibrist.errors import ConfigError
from equilibrist.solvers import CFR, MCCFR, list_samplers, sampler_info
from equilibrist.solvers.sampling import registry
from equilibrist.solvers.sampling.registry import get_sampler, sampler_spec
from equilibrist.solvers.sampling.samplers import SAMPLERS
from equilibrist.solvers.variants.registry import FAMILIES, VARIANTS, get_variant
from equilibrist.solvers.variants.variant import Variant
from tests.refusals import refuses, unchecked
from tests.test_package import modules_after


def test_texts_name_its_variants() -> None:
    made = {
        "hs-dcfr": contrib.hs_dcfr(),
        "hs-pcfr+": contrib.hs_pcfr_plus(),
        "ddcfr": contrib.ddcfr(),
    }
    assert list(FAMILIES)[-3:] == list(made)
    for name, variant in made.items():
        assert get_variant(name) == VARIANTS[name] == variant
    assert get_variant("hs-dcfr(15)").discount == contrib.hs_dcfr(15.0).discount
    assert get_variant("HS_PCFRplus(gamma=7)").average == contrib.hs_pcfr_plus(7.0).average


def test_texts_name_its_samplers() -> None:
    assert list(SAMPLERS)[-2:] == ["escher", "textbook"]
    assert get_sampler("escher") == contrib.Escher()
    assert get_sampler("textbook(epsilon=0.2)") == contrib.Textbook(0.2)
    assert sampler_spec(contrib.Textbook(0.2)) == "textbook(epsilon=0.2)"


def test_its_samplers_say_when_to_use_them() -> None:
    for sampler in (contrib.Escher, contrib.Textbook):
        assert sampler_info(sampler.name).when == sampler.when != ""
        assert sampler.when not in Path(registry.__file__).read_text("utf-8")
    assert all(each.when for each in list_samplers())


@pytest.mark.by_default(1)
@pytest.mark.parametrize(
    "script",
    [
        "from equilibrist.solvers import get_variant; print(get_variant('hs-dcfr(15)').name)",
        "from equilibrist.solvers.sampling.registry import get_sampler; get_sampler('escher')",
        "from equilibrist.contrib import Escher, ddcfr; print(Escher(), ddcfr().name)",
        "import equilibrist as eq; print(eq.solve('kuhn', 'ddcfr', iterations=2).algorithm)",
        "from equilibrist.cli.main import run; run(['algorithms', 'hs-pcfr+'])",
    ],
)
def test_it_is_found_whatever_is_imported_first(script: str) -> None:
    assert "equilibrist.contrib" in modules_after(script)


def test_it_is_not_imported_before_it_is_asked_for() -> None:
    assert not any("contrib" in name for name in modules_after("import equilibrist.solvers"))


@pytest.mark.parametrize("name", ["hs-dcfr(15)", "hs-pcfr+", "ddcfr"])
def test_its_variants_solve(name: str) -> None:
    by_text = solve("kuhn", name, iterations=50).strategy.probabilities
    made = CFR("kuhn", get_variant(name), horizon=50).run(50).average_strategy().probabilities
    assert by_text.tobytes() == made.tobytes()


@pytest.mark.parametrize("sampler", [contrib.Escher(), contrib.Textbook(epsilon=0.1)])
def test_its_samplers_solve(sampler: contrib.Escher | contrib.Textbook) -> None:
    by_text = MCCFR("kuhn", sampler=sampler_spec(sampler)).run(50).average_strategy()
    made = MCCFR("kuhn", sampler=sampler).run(50).average_strategy()
    assert by_text.probabilities.tobytes() == made.probabilities.tobytes()


def test_parameters_out_of_range_are_refused() -> None:
    for make in (contrib.hs_dcfr, contrib.hs_pcfr_plus):
        with refuses(ConfigError, option="gamma", given=4.0):
            make(4.0)
    with refuses(ConfigError, option="epsilon"):
        contrib.Textbook(0.0)


@pytest.mark.parametrize(
    ("make", "text"), [(contrib.hs_dcfr, "hs-dcfr"), (contrib.hs_pcfr_plus, "hs-pcfr+")]
)
def test_a_scheduled_variant_is_named_by_the_text_that_makes_it(
    make: Callable[[float], Variant], text: str
) -> None:
    assert make(30.0).name == get_variant(text).name == text
    assert make(15).name == get_variant(f"{text}(15)").name == f"{text}(gamma=15)"
    with refuses(ConfigError, option="gamma", given="5"):
        make(unchecked("5"))
