"""A process that solves one game by Gambit: run as a script, with the game on standard input.

Gambit's solvers cannot be interrupted: they run where they can be killed.
Only pygambit is needed.
"""

from __future__ import annotations

import ctypes
import io
import json
import signal
import sys
from collections import Counter
from contextlib import suppress
from typing import Any

_DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of Linux."""


def main() -> None:
    """Read {method, efg}, and write {efg, profiles, events} as JSON.

    `profiles` are lists of rows, a probability per action, infoset by infoset in Gambit's order;
    `efg` is the game as Gambit numbers it, and `events` counts what a solver reported by name.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, int(signal.SIGKILL))
    import pygambit.nash

    asked = json.load(sys.stdin)
    game = pygambit.read_efg(io.StringIO(asked["efg"]))
    events: Counter[str] = Counter()
    solver = pygambit.nash
    if asked["method"] == "enummixed":
        found = [profile.as_behavior() for profile in solver.enummixed_solve(game).equilibria]
    elif asked["method"] == "enumpoly":
        found = solver.enumpoly_solve(
            game, event_callback=lambda event: events.update([type(event).__name__])
        ).equilibria
    else:
        found = [solver.lcp_solve(game).equilibrium]
    profiles = [list(rows(profile)) for profile in found]
    json.dump({"efg": game.to_efg(), "profiles": profiles, "events": dict(events)}, sys.stdout)


def rows(profile: Any) -> list[list[float]]:
    """Probabilities by infoset, player after player, in Gambit's order.

    Args:
        profile: A mixed behaviour profile of pygambit.
    """
    if hasattr(profile, "mixed_actions"):  # pygambit 16
        actions = [action for _, action in profile.mixed_actions()]
    else:
        actions = [action for player in profile.game.players for _, action in profile[player]]
    return [[float(probability) for _, probability in action] for action in actions]


if __name__ == "__main__":
    main()
