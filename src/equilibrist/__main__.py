"""`python -m equilibrist` is the command `equilibrist`; both begin here."""

from __future__ import annotations

import gc
import sys

OBJECTS_BETWEEN_COLLECTIONS = 50_000
"""Imports make hundreds of thousands of objects that stay: looking for garbage among them so often
took a tenth of a short command."""


def main() -> None:
    """Run the command line of this process; Ctrl-C shows no traceback while it is still loading."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, *gc.get_threshold()[1:])
    try:
        from equilibrist.cli.main import run
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
