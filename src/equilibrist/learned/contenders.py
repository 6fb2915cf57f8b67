"""Algorithms that train networks, as `compare` and races in the browser run them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Final

from equilibrist.learned.algorithm import NeuralAlgorithm
from equilibrist.learned.algorithms.registry import ALGORITHMS, get_neural
from equilibrist.learned.fit import load_torch
from equilibrist.learned.training import run_training
from equilibrist.progress import Callbacks, timed
from equilibrist.results import Result
from equilibrist.solvers.catalogue import AlgorithmInfo
from equilibrist.solving.comparison_runs.contenders import Contender
from equilibrist.solving.config import SolveConfig
from equilibrist.tree.compile import GameTree


def contender(text: str) -> Contender:
    """Read an algorithm that trains networks.

    Args:
        text: Its name, with parameters if any, such as `sd-cfr(learner=table)`.

    Returns:
        The contender, which needs PyTorch unless it learns a table.

    Raises:
        UnknownNameError: There is no such algorithm.
        ConfigError: A parameter is unknown or out of range.
    """
    method = get_neural(text)

    def run(tree: GameTree, config: SolveConfig, callbacks: Callbacks) -> Result:
        return run_training(tree, method, config, timed(callbacks, limits=False))[0]

    def check() -> None:
        if method.learner == "network":
            load_torch()  # one that is broken would end the race in its middle

    return Contender(_info(method), run, check)


def _info(method: NeuralAlgorithm) -> AlgorithmInfo:
    """What it is; formulas and averages stand in its paper."""
    values = {item.name: getattr(method, item.name) for item in fields(method) if item.init}
    return AlgorithmInfo(
        name=method.spec,
        summary=method.summary,
        update="",
        average="",
        when=method.when,
        paper=method.paper,
        parameters={
            name: str(value).lower() if isinstance(value, bool) else value
            for name, value in values.items()
        },
        needs_horizon=False,
    )


CONTENDERS: Final[Mapping[str, Callable[[str], Contender]]] = dict.fromkeys(ALGORITHMS, contender)
"""By name, what reads each of them."""
