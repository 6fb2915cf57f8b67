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
from inspect import signature
from typing import Any

_DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of Linux."""


def main() -> None:
    """Read {method, efg}, and write JSON, an object a line, each as soon as it is known.

    First {efg}, the game as Gambit numbers it; then {profile} for each equilibrium, a list of rows,
    a probability per action, infoset by infoset in Gambit's order; in the end {events}, how often
    the solver reported what, by name.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, int(signal.SIGKILL))
    import pygambit.nash

    asked = json.load(sys.stdin)
    game = pygambit.read_efg(io.StringIO(asked["efg"]))
    events: Counter[str] = Counter()
    solver = pygambit.nash
    write(efg=game.to_efg())
    if asked["method"] == "enummixed":
        equilibria = [profile.as_behavior() for profile in solver.enummixed_solve(game).equilibria]
    elif asked["method"] == "enumpoly":
        options: dict[str, Any] = {
            "event_callback": lambda event: events.update([type(event).__name__])
        }
        at_once = "nash_callback" in signature(solver.enumpoly_solve).parameters
        if at_once:  # since pygambit 17
            options["nash_callback"] = lambda profile: write(profile=list(rows(profile)))
        equilibria = solver.enumpoly_solve(game, **options).equilibria
        equilibria = [] if at_once else equilibria
    else:
        equilibria = [solver.lcp_solve(game).equilibrium]
    for profile in equilibria:
        write(profile=list(rows(profile)))
    write(events=dict(events))


def write(**fields: Any) -> None:
    """Write one line of JSON at once."""
    sys.stdout.write(json.dumps(fields) + "\n")
    sys.stdout.flush()


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
