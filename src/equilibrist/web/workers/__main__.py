"""A worker: `python -m equilibrist.web.workers`, which reads one order and answers it.

It ends when it is told to, and when the server ends, whose end closes its standard input.
"""

from __future__ import annotations

import os
import sys
import threading
import traceback
from typing import Final

_LOW_PRIORITY: Final = 10


def main() -> int:
    """Do what the first line orders; 0 if that worked, 1 if an error says why not."""
    from equilibrist.errors import EquilibristError
    from equilibrist.web.errors import error_document
    from equilibrist.web.workers.order import FitOrder, ResolveOrder, SolveOrder, Voice, order_of

    voice = Voice()
    line = sys.stdin.readline()
    if not line:
        return 1
    try:
        order = order_of(line)
        if hasattr(os, "nice") and isinstance(order, SolveOrder | FitOrder):
            os.nice(_LOW_PRIORITY)  # for what is read or re-solved somebody waits
        if isinstance(order, SolveOrder) and order.kind == "compare":
            from equilibrist.web.workers.racing import race

            race(order, voice)
        elif isinstance(order, SolveOrder):
            from equilibrist.web.workers.solving import solve

            solve(order, voice)
        elif isinstance(order, ResolveOrder):
            from equilibrist.web.workers.resolving import resolve

            _end_with_server()
            resolve(order, voice)
        elif isinstance(order, FitOrder):
            from equilibrist.web.workers.fitting import fit

            fit(order, voice)
        else:
            from equilibrist.web.workers.reading import read

            voice.say("read", **read(order))
    except BrokenPipeError:
        return 1
    except EquilibristError as error:
        voice.say("error", document=error_document(error))
        return 1
    except MemoryError:
        voice.say("error", document={"error": "out of memory", "kind": "MemoryError"})
        return 1
    except Exception as error:
        traceback.print_exc()
        said = f"{type(error).__name__}: {error}; this is a bug in Equilibrist"
        voice.say("error", document={"error": said, "kind": "bug"})
        return 1
    return 0


def _end_with_server() -> None:
    """End at once when the standard input ends: nobody needs what is not saved."""

    def listen() -> None:
        for _ in sys.stdin:
            pass
        os._exit(1)

    threading.Thread(target=listen, daemon=True).start()


if __name__ == "__main__":
    sys.exit(main())
