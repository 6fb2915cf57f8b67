"""The table of algorithms whose tables are networks, and texts such as `sd-cfr(walks=346)`."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any, ClassVar, Final, Protocol, cast

from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.learned.algorithms.deep_cfr import DeepCFRWithPolicy, SingleDeepCFR
from equilibrist.learned.algorithms.dream import Dream
from equilibrist.learned.algorithms.escher import EscherNet
from equilibrist.learned.algorithms.mmd import MagneticGradient, MagneticPolicy
from equilibrist.learned.algorithms.nfsp import FictitiousPlay
from equilibrist.learned.algorithms.ppo import ProximalGradient, ProximalPolicy
from equilibrist.learned.algorithms.r_nad import RegularisedNash, RegularisedPolicy
from equilibrist.learned.algorithms.vr_deep_dcfr_plus import VRDeepDCFRPlus, VRDeepPDCFRPlus
from equilibrist.learned.solver import Method, NeuralSolver
from equilibrist.parsing.arguments import bad_argument
from equilibrist.parsing.call_text import Reader, unreadable
from equilibrist.tree.compile import GameTree

_NAME: Final = re.compile(r"[A-Za-z][\w+-]*")


class NeuralAlgorithm(Method, Protocol):
    """A row of the table: a frozen dataclass whose fields are the numbers of an algorithm."""

    name: ClassVar[str]
    summary: ClassVar[str]
    paper: ClassVar[str]
    when: ClassVar[str]

    def solver(self, tree: GameTree, seed: int = 0) -> NeuralSolver:
        """The solver of a game.

        Args:
            tree: The game.
            seed: Fixes all draws.
        """
        ...


_ROWS: Final[tuple[type[Any], ...]] = (
    SingleDeepCFR,
    DeepCFRWithPolicy,
    Dream,
    EscherNet,
    VRDeepDCFRPlus,
    VRDeepPDCFRPlus,
    FictitiousPlay,
    ProximalPolicy,
    MagneticPolicy,
    RegularisedPolicy,
    MagneticGradient,
    ProximalGradient,
    RegularisedNash,
)
ALGORITHMS: Final[dict[str, type[Any]]] = {row.name: row for row in _ROWS}
"""All algorithms by name."""
DEFAULT: Final = SingleDeepCFR.name


def get_neural(spec: str | NeuralAlgorithm | None) -> NeuralAlgorithm:
    """The algorithm that a text names, as `sd-cfr` or `sd-cfr(walks=346, steps=3000)`.

    Args:
        spec: The text, or an algorithm, which is returned; None for the default.

    Returns:
        The algorithm with its numbers.

    Raises:
        UnknownNameError: There is no algorithm of that name.
        ConfigError: A parameter is unknown or out of range.
    """
    if spec is None:
        spec = DEFAULT
    if isinstance(spec, tuple(ALGORITHMS.values())):
        return cast("NeuralAlgorithm", spec)
    if not isinstance(spec, str):
        raise bad_argument("algorithm", spec, "a name, such as 'sd-cfr'")
    reader = Reader(spec, "algorithm", unreadable("algorithm"))
    name = reader.take(_NAME, "expected a name, such as sd-cfr or sd-cfr(walks=346)")
    name = name.lower().replace("_", "-")
    row = ALGORITHMS.get(name)
    if row is None:
        raise UnknownNameError("algorithm", name, tuple(ALGORITHMS), "that trains networks")
    values = reader.parameters()[0]
    known = [item.name for item in fields(row) if item.init]
    for key in values:
        if key not in known:
            raise ConfigError(
                f"{key} has no meaning with {name}: it has {', '.join(known)}",
                option=key,
                place=name,
                expected=", ".join(known),
            )
    made: NeuralAlgorithm = row(**values)
    return made
