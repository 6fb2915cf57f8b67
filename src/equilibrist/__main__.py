"""`python -m equilibrist` is the command `equilibrist`."""

from __future__ import annotations

from equilibrist.cli.main import main

main()
