"""The figures of the result files that came with AutoCFR (Xu et al., AAAI 2022), run again.

python benchmarks/papers/autocfr_results.py
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.papers.figures import AUTOCFR_FILES, FIGURES
from benchmarks.papers.reproduction import reproduce

if __name__ == "__main__":
    reproduce(
        "autocfr_results",
        [f for f in FIGURES if f.source == AUTOCFR_FILES],
        "the result files of the AutoCFR code",
    )
