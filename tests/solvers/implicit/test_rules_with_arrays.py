"""Rules whose functions make arrays, inside samplers that count no references to theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from numba.core import runtime

from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.rules.game import RulesGame
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR
from equilibrist.solvers.implicit.samplers import WITHOUT_TREE
from equilibrist.solvers.sampling.mccfr import MCCFR
from tests.rules.own_rules import OWN, write_rules
from tests.slow_cases import slow_but
from tests.solvers.implicit.test_implicit_samplers import assert_equal

NAMES = [*(one.name for one in WITHOUT_TREE), "external(prune=1)"]
CHANGES = {
    "        s[1] += 1 + a\n": "        s[1] += steps(2)[a]\n",
    "    value = s[1] - 1.5 * g[0]\n": "    value = (np.full(1, s[1]) - 1.5 * g[0])[0]\n",
    "    out[0] = np.uint64(s[0])\n": "    out[:1] = np.full(1, np.uint64(s[0]))\n",
}
WITH_ARRAYS = f"{OWN}\n\ndef steps(count):\n    return np.arange(1, count + 1)\n"
for line, other in CHANGES.items():
    assert WITH_ARRAYS.count(line) == 1
    WITH_ARRAYS = WITH_ARRAYS.replace(line, other)


@pytest.mark.parametrize("sampler", slow_but([], NAMES))
def test_they_are_freed_and_play_as_on_the_tree(tmp_path: Path, sampler: str) -> None:
    game = load_game(f"rules:{write_rules(tmp_path, WITH_ARRAYS)}")
    assert isinstance(game, RulesGame)
    solver = ImplicitMCCFR(game, sampler=sampler).run(1)
    counts: Any = runtime
    counts._nrt_python.memsys_enable_stats()
    before = counts.rtsys.get_allocation_stats()
    solver.run(60)
    after = counts.rtsys.get_allocation_stats()
    counts._nrt_python.memsys_disable_stats()
    assert after.alloc - before.alloc == after.free - before.free > 60
    on_tree = MCCFR(compile_game(game), sampler=sampler).run(61)
    assert_equal(solver, on_tree, game.packed_keys())
