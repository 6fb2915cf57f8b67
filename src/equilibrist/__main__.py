"""`python -m equilibrist` is the command `equilibrist`; both begin here."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line of this process; Ctrl-C shows no traceback while it is still loading."""
    try:
        from equilibrist.cli.main import run
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
