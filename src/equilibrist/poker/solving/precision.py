"""Where float32 no longer suffices: a run of a small spot goes on in float64.

In float32 a number takes up what is added to it in steps of about its size / 2^24. A strategy sum
that weights iteration t by t^gamma stands for t / (gamma + 1) iterations, and each adds a
probability to it: after 1,000 iterations what is added is rounded by 1e-5 at most, by half as much
as it was after 2,000. Such errors are no noise that averages out, as the same number is added to
the same sum again and again. They grow with the iterations, while exploitability falls: small stiff
spots stop at 0.005 % of the pot after some 10,000 iterations, and then become worse.

In float64 the same happens 5e8 times later. It takes twice the memory and about 1.5 times the time,
which only few runs need: after 1,000 iterations most are over, and large spots are still far from
the limit of float32. So those of at most 8 MB in float32 are continued in float64 from then on.
What float32 has rounded by then fades like all that the first iterations added. Of larger spots
`stall` says when iterations have ceased to help.
"""

from __future__ import annotations

import numpy as np

from equilibrist.poker.engine.arena import Arena
from equilibrist.poker.engine.engine import Engine
from equilibrist.poker.spots.fields import SMALL_BYTES, Storage


def is_small(arena: Arena) -> bool:
    """Whether a spot that is held in float32 goes on in float64."""
    return sum(int(array.nbytes) for array in arena.store) <= SMALL_BYTES


def in_storage(engine: Engine, storage: Storage) -> Engine:
    """Make an engine that stands where another stands, with numbers of another size.

    Args:
        engine: The engine, in float32 or float64; its threads are released.
        storage: The other of the two.

    Returns:
        The new engine, with the same numbers, rounded where it is narrower.
    """
    arena = engine.arena
    found = Engine(
        engine.game,
        storage,
        threads=engine.traversal.threads,
        predicts=len(arena.store.match) > 0,
    )
    own = found.arena.solver_arrays()
    with np.errstate(over="ignore"):
        arrays = {
            name: array.astype(own[name].dtype) for name, array in arena.solver_arrays().items()
        }
    found.restore(arrays, engine.iteration)
    engine.traversal.team.release()
    return found
