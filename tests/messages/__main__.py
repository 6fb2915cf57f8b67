"""Rewrite `messages.txt` by running its lines: `python -m tests.messages`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tests.messages.transcript import FILE, rewritten

os.environ.update(COLUMNS="120", NO_COLOR="1", MPLBACKEND="Agg", EQUILIBRIST_THREADS="1")
with tempfile.TemporaryDirectory() as folder:
    FILE.write_text(rewritten(FILE.read_text("utf-8"), Path(folder)), "utf-8")
