"""What holds of every solver class: how runs are cut, copied and repeated changes no bit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.solvers.run.solver import IterativeSolver
from tests.refusals import refuses
from tests.solvers.every_solver import Make, bits, each


@pytest.mark.by_default(1)
@each
def test_it_has_the_shared_interface(make: Make) -> None:
    solver = make()
    assert isinstance(solver, IterativeSolver)
    assert solver.iteration == solver.state.iteration == 0
    assert solver.run(2) is solver
    assert solver.iteration == solver.state.iteration == 2


@pytest.mark.by_default(3)
@each
def test_cuts_change_no_bit(make: Make) -> None:
    whole = make().run(5)
    assert bits(whole) == bits(make().run(3).run(2)) == bits(make().run(0).run(5).run(0))
    assert bits(whole) != bits(make().run(4))


@each
def test_a_second_run_is_equal(make: Make) -> None:
    assert bits(make().run(4)) == bits(make().run(4))


@each
def test_a_state_continues_in_a_fresh_solver(make: Make) -> None:
    straight, first = make().run(7), make().run(3)
    state = first.state
    first.run(2)  # the state is a copy
    fresh = make()
    assert fresh.restore(state) is fresh
    assert fresh.iteration == 3
    assert bits(fresh) == bits(make().run(3))
    assert bits(fresh.run(4)) == bits(straight)
    assert bits(first.restore(state).run(4)) == bits(straight)
    with pytest.raises((FrozenInstanceError, AttributeError)):
        state.iteration = 0
    with pytest.raises(AttributeError):
        fresh.iteration = -3


@each
def test_the_arrays_of_a_state_cannot_be_written_to(make: Make) -> None:
    found = list(arrays(make().run(3).state))
    assert found
    assert not any(array.flags.writeable for array in found)


def arrays(found: Any) -> Iterator[np.ndarray]:
    """All arrays of a state."""
    if isinstance(found, np.ndarray):
        yield found
    elif is_dataclass(found):
        yield from (a for field in fields(found) for a in arrays(getattr(found, field.name)))
    elif isinstance(found, Mapping):
        yield from (a for item in found.values() for a in arrays(item))
    elif isinstance(found, tuple):
        yield from (a for item in found for a in arrays(item))


@each
def test_impossible_numbers_of_iterations_are_refused(make: Make) -> None:
    solver = make()
    for count in (-1, 10**30, 2.5, True, "3", None):
        with refuses(ConfigError, option="iterations"):
            solver.run(count)
    assert solver.iteration == 0
