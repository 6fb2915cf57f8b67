"""Algorithms and samplers for comparison and research, not for everyday use.

Texts name them like all others: `hs-dcfr(15)`, `ddcfr`, `textbook`. `equilibrist/__init__.py` adds
them to the registries of `equilibrist.solvers`, which know nothing of this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "Escher": "equilibrist.contrib.samplers",
    "Textbook": "equilibrist.contrib.samplers",
    "ddcfr": "equilibrist.contrib.hyperparameters",
    "hs_dcfr": "equilibrist.contrib.hyperparameters",
    "hs_pcfr_plus": "equilibrist.contrib.hyperparameters",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.contrib.hyperparameters import ddcfr as ddcfr
    from equilibrist.contrib.hyperparameters import hs_dcfr as hs_dcfr
    from equilibrist.contrib.hyperparameters import hs_pcfr_plus as hs_pcfr_plus
    from equilibrist.contrib.samplers import Escher as Escher
    from equilibrist.contrib.samplers import Textbook as Textbook
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
