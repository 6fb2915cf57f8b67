"""Leduc with 5, 9 and 13 ranks: Table 2 of Meng et al., arXiv 2503.12770, run again.

python benchmarks/papers/asymmetry_table.py
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.papers.figures import RANK_FIGURES
from benchmarks.papers.reproduction import reproduce

if __name__ == "__main__":
    reproduce(
        "asymmetry_table",
        RANK_FIGURES,
        "Table 2 of Meng et al., which states neither the number of suits nor the measure",
    )
