"""Predictive CFR+ with local and with bottom-up prediction on Leduc.

python benchmarks/papers/predictions.py
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.papers.figures import PREDICTION_FIGURES
from benchmarks.papers.reproduction import reproduce

if __name__ == "__main__":
    reproduce("predictions", PREDICTION_FIGURES, "the figures that are quoted for the two")
