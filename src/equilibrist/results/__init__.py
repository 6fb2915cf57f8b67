"""Results of solvers: one family for all kinds of games, solved now or read from files.

All are imported at once, so that `Result.load` knows every class. `equilibrist.solving` has the
public names.
"""

from __future__ import annotations

from equilibrist.results.details import Details as Details
from equilibrist.results.details import PerturbedPlay as PerturbedPlay
from equilibrist.results.details import PrunedTraversals as PrunedTraversals
from equilibrist.results.details import SamplingDetails as SamplingDetails
from equilibrist.results.details import StateGraphStats as StateGraphStats
from equilibrist.results.implicit import ImplicitResult as ImplicitResult
from equilibrist.results.result import Result as Result
from equilibrist.results.stored_strategy import StoredStrategy as StoredStrategy
