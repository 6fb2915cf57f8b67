"""The figures of the result files that came with DDCFR (Xu et al., ICLR 2024), run again.

python benchmarks/papers/ddcfr_results.py
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.papers.figures import DDCFR_FILES, FIGURES
from benchmarks.papers.reproduction import reproduce

if __name__ == "__main__":
    reproduce(
        "ddcfr_results",
        [f for f in FIGURES if f.source == DDCFR_FILES],
        "the result files of the DDCFR code",
    )
