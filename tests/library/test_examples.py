"""The examples that come with Equilibrist."""

from __future__ import annotations

import pytest

from equilibrist.errors import UnknownNameError
from equilibrist.library import examples
from equilibrist.library.examples import EXAMPLES, TARGET, find_example
from equilibrist.poker import estimate, solve
from equilibrist.web.store.notes import About
from tests.slow_cases import slow_but


def test_every_file_is_an_example_in_the_form_of_stored_spots() -> None:
    """By that form a stored solution is recognised as one of the example."""
    files = examples._FOLDER.glob("*.toml")
    assert sorted(file.stem for file in files) == sorted(EXAMPLES)
    assert len(EXAMPLES) >= 30
    for example in EXAMPLES.values():
        spot = example.spot()
        assert spot.to_toml() == example.text, example.name
        assert not spot.warnings, example.name
        street = ("flop", "turn", "river")[spot.first_street]
        assert example.name.startswith(street)
        About(oop=example.oop, ip=example.ip, pot_type=example.pot_type).checked()
    assert len({example.text for example in EXAMPLES.values()}) == len(EXAMPLES)


FLOPS = [name for name in EXAMPLES if name.startswith("flop")]
SMALL = ("flop-four-bet-ace-high", "flop-monotone")
"""A flop takes as long as all turns and rivers: of the others only the estimate is looked at."""
SOLVED = [name for name in EXAMPLES if name in SMALL or name not in FLOPS]


@pytest.mark.parametrize("name", slow_but(["river-paired-board"], SOLVED))
def test_an_example_is_solved_soon(name: str) -> None:
    result = solve(EXAMPLES[name].spot(), target=TARGET, iterations=400, threads=2)
    assert result.stopped_by == "target"


@pytest.mark.slow
@pytest.mark.parametrize("name", FLOPS)
def test_the_run_of_an_example_is_estimated_as_short(name: str) -> None:
    """On a machine that copies 10 GB a second."""
    spot = EXAMPLES[name].spot()
    assert estimate(spot).estimate_run(TARGET, threads=2, bandwidth=1e10).seconds < 12.0


def test_an_example_that_there_is_not() -> None:
    with pytest.raises(UnknownNameError) as caught:
        find_example("river-paired-bord")
    assert (caught.value.option, caught.value.given) == ("name", "river-paired-bord")
