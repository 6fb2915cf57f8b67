"""The table of algorithms whose tables are networks, and texts such as `sd-cfr(walks=346)`."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any, Final

from equilibrist.errors import ConfigError, EquilibristError, UnknownNameError
from equilibrist.learned.algorithm import NeuralAlgorithm
from equilibrist.learned.algorithms.deep_cfr import DeepCFRWithPolicy, SingleDeepCFR
from equilibrist.learned.algorithms.dream_and_escher import Dream, EscherNet
from equilibrist.learned.algorithms.mmd import MagneticGradient, MagneticPolicy
from equilibrist.learned.algorithms.nfsp import FictitiousPlay
from equilibrist.learned.algorithms.ppo import ProximalGradient, ProximalPolicy
from equilibrist.learned.algorithms.r_nad import RegularisedNash, RegularisedPolicy
from equilibrist.learned.algorithms.vr_deep_dcfr_plus import VRDeepDCFRPlus, VRDeepPDCFRPlus
from equilibrist.parsing.arguments import bad_argument
from equilibrist.parsing.call_text import Reader, unreadable
from equilibrist.solving.algorithm import get_algorithm

_NAME: Final = re.compile(r"[A-Za-z][\w+-]*")


_ROWS: Final[tuple[type[NeuralAlgorithm], ...]] = (
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
ALGORITHMS: Final[dict[str, type[NeuralAlgorithm]]] = {row.name: row for row in _ROWS}
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
    if isinstance(spec, NeuralAlgorithm):
        return spec
    if not isinstance(spec, str):
        raise bad_argument("algorithm", spec, "a name, such as 'sd-cfr'")
    reader = Reader(spec, "algorithm", unreadable("algorithm"))
    name = reader.take(_NAME, "expected a name, such as sd-cfr or sd-cfr(walks=346)")
    name = name.lower().replace("_", "-")
    row = ALGORITHMS.get(name)
    if row is None:
        raise _unknown(name)
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
    make: Any = row
    made: NeuralAlgorithm = make(**values)
    return made


def _unknown(name: str) -> UnknownNameError:
    """The error for a name of nothing that trains, with the nearest names, or with who takes it."""
    try:
        get_algorithm(name)
    except EquilibristError:
        return UnknownNameError("algorithm", name, tuple(ALGORITHMS))
    hint = "here: it trains no networks; run it with `equilibrist solve` or `equilibrist.solve`"
    return UnknownNameError("algorithm", name, (), hint)
