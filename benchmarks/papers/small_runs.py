"""Predictive and scheduled variants on small games, against an independent script.

python benchmarks/papers/small_runs.py
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.papers.figures import FIGURES, RECOMPUTED
from benchmarks.papers.reproduction import reproduce

if __name__ == "__main__":
    reproduce(
        "small_runs",
        [f for f in FIGURES if f.source == RECOMPUTED],
        "an independent script, where the papers show only plots",
    )
