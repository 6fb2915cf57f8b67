"""A worker: `python -m equilibrist.web.workers` reads one order, carries it out, and ends.

It ends early on a command of the server, or when the server ends, which closes its standard input.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from equilibrist.web.workers.order import Events, SolveOrder

_LOW_PRIORITY: Final = 10
_OBJECTS_BETWEEN_COLLECTIONS: Final = 300_000
"""As for commands: imported modules are nearly all that a short job makes, and they stay."""


def main(others: Mapping[str, Callable[[SolveOrder, Events], None]] = MappingProxyType({})) -> int:
    """Carry out the order in the first line.

    Args:
        others: What carries out orders of kinds that only a caller above this package knows.

    Returns:
        The exit status: 0, or 1 after an error.
    """
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS, *gc.get_threshold()[1:])
    from equilibrist.errors import EquilibristError
    from equilibrist.web.errors import error_document
    from equilibrist.web.security.short_names import with_short_names
    from equilibrist.web.workers.order import (
        Events,
        FitOrder,
        HandsOrder,
        ResolveOrder,
        SolveOrder,
        parse_order,
        short_names_of,
    )

    events = Events()
    line = sys.stdin.readline()
    if not line:
        return 1
    names: dict[str, str] = {}
    try:
        order = parse_order(line)
        names = short_names_of(order)
        if hasattr(os, "nice") and isinstance(order, SolveOrder | FitOrder):
            os.nice(_LOW_PRIORITY)  # for what is read or re-solved somebody waits
        if isinstance(order, SolveOrder) and order.kind == "compare":
            from equilibrist.web.workers.racing import race

            race(order, events)
        elif isinstance(order, SolveOrder) and order.kind == "review":
            from equilibrist.web.workers.reviewing import review

            review(order, events)
        elif isinstance(order, SolveOrder) and order.kind in others:
            others[order.kind](order, events)
        elif isinstance(order, SolveOrder) and order.keys is not None:
            from equilibrist.web.workers.hands import solve_hands

            solve_hands(order, events)
        elif isinstance(order, SolveOrder):
            from equilibrist.web.workers.solving import solve

            solve(order, events)
        elif isinstance(order, ResolveOrder):
            from equilibrist.web.workers.resolving import resolve

            _end_with_server()
            resolve(order, events)
        elif isinstance(order, HandsOrder):
            from equilibrist.web.workers.resolving import answer

            answer(order, events)
        elif isinstance(order, FitOrder):
            from equilibrist.web.workers.resolving import fit

            fit(order, events)
        else:
            from equilibrist.web.workers.reading import read

            _limit_memory(order.memory)
            events.send("read", **read(order))
    except BrokenPipeError:
        return 1
    except EquilibristError as error:
        events.send("error", document=with_short_names(error_document(error), names))
        return 1
    except MemoryError:
        events.send("error", document={"error": "out of memory", "kind": "MemoryError"})
        return 1
    except Exception as error:
        with suppress(OSError):  # the log may be on a full disk
            traceback.print_exc()
        message = f"{type(error).__name__}: {error}; this is a bug in Equilibrist"
        document = {"error": message, "kind": "bug"}
        events.send("error", document=with_short_names(document, names))
        return 1
    return 0


def _limit_memory(num_bytes: int) -> None:
    """Let this process take so much memory and no more."""
    with suppress(ImportError, ValueError, OSError):  # other systems, and lower limits
        resource = import_module("resource")
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (num_bytes, hard))


def _end_with_server() -> None:
    """End at once when the standard input ends: nobody needs what is not saved."""

    def listen() -> None:
        for _ in sys.stdin:
            pass
        os._exit(1)

    threading.Thread(target=listen, daemon=True).start()


if __name__ == "__main__":
    sys.exit(main())
