"""`Regressor`: what learns the targets of rows: a network, or a table of means."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from equilibrist.learned.features import InfosetFeatures
from equilibrist.learned.fit import FitReport, LearningRate, fit_network
from equilibrist.learned.network import Network, new_network
from equilibrist.learned.rows import Rows


@runtime_checkable
class Regressor(Protocol):
    """What learns the targets of rows, and predicts those of any infoset."""

    def fit(self, rows: Rows, seed: int) -> FitReport:
        """Learn the rows, in the place of what was learned before.

        Args:
            rows: The rows.
            seed: Fixes what is drawn.

        Returns:
            How it went.
        """
        ...

    def predict(self, infosets: NDArray[np.integer]) -> NDArray[np.floating]:
        """What is expected at infosets.

        Args:
            infosets: int[n].

        Returns:
            float32[n, A]; zeros before the first fit.
        """
        ...

    def knows(self, infosets: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Whether the last fit says anything of infosets.

        Args:
            infosets: int[n].

        Returns:
            bool[n]: a network says something of all, a table of those that had a row.
        """
        ...


@dataclass(eq=False)
class TableRegressor:
    """The weighted mean of the targets of each infoset: what a perfect fit would predict.

    With it every algorithm equals its tabular sampler, up to rounding.

    Attributes:
        num_infosets: Infosets of the game.
        width: Numbers of a target.
    """

    num_infosets: int
    width: int
    _mean: NDArray[np.float64] = field(init=False, repr=False)
    _known: NDArray[np.bool_] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Begin with zeros."""
        self._mean = np.zeros((self.num_infosets, self.width))
        self._known = np.zeros(self.num_infosets, dtype=np.bool_)

    def fit(self, rows: Rows, seed: int) -> FitReport:
        """Take the means; infosets without a row have 0, and are not known.

        Args:
            rows: The rows.
            seed: Not needed.

        Returns:
            How it went; the network is this table.
        """
        started = time.perf_counter()
        weight = rows.weight.astype(np.float64)
        total = np.bincount(rows.infoset, weight, self.num_infosets)
        sums = np.stack(
            [
                np.bincount(rows.infoset, weight * rows.target[:, a], self.num_infosets)
                for a in range(self.width)
            ],
            axis=1,
        )
        self._known = total > 0.0
        self._mean = sums / np.where(total > 0.0, total, 1.0)[:, None]
        squares = (rows.target - self._mean[rows.infoset]) ** 2
        mean = float(np.sum(squares.sum(axis=1) * weight) / max(float(weight.sum()), 1e-300))
        return FitReport(self, (mean,), None, time.perf_counter() - started)

    def predict(self, infosets: NDArray[np.integer]) -> NDArray[np.floating]:
        """The means of infosets, in float64."""
        means: NDArray[np.float64] = self._mean[infosets]
        return means

    def knows(self, infosets: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Whether infosets had a row in the last fit."""
        known: NDArray[np.bool_] = self._known[infosets]
        return known


@dataclass(frozen=True)
class FitSettings:
    """How networks are fitted.

    Attributes:
        hidden: The widths of the hidden layers.
        steps: Steps of Adam.
        batch_size: Rows of a step.
        learning_rate: The learning rate, a number or a function of the step.
        clip: The largest norm of a gradient; None for no limit.
        warm: Whether a fit goes on from the network before; else from a new one.
        loss: "squared", "huber" or "cross-entropy".
        output: None or "softmax".
        merge: Whether the rows of an infoset are merged into their mean before the fit, whose steps
            then see all of them.
    """

    hidden: tuple[int, ...] = (64, 64, 64)
    steps: int = 750
    batch_size: int = 2048
    learning_rate: LearningRate = 1e-3
    clip: float | None = 10.0
    warm: bool = True
    loss: str = "squared"
    output: str | None = None
    merge: bool = False


class NetworkRegressor:
    """A network on the features of infosets; its loss counts legal actions only.

    Attributes:
        features: The features of the game.
        settings: How it is fitted.
        network: The present network.
        stop: Asked between the steps of a fit; once it answers True, the fit ends as it is. None
            where it always goes on.
    """

    def __init__(self, features: InfosetFeatures, settings: FitSettings, seed: int) -> None:
        """Begin with a network that predicts 0 everywhere.

        Args:
            features: The features of the game.
            settings: How it is fitted.
            seed: Fixes its first weights.
        """
        self.features, self.settings = features, settings
        self.network = self._new(seed)
        self.stop: Callable[[], bool] | None = None

    def _new(self, seed: int) -> Network:
        inputs, outputs = self.features.inputs.shape[1], self.features.outputs
        return new_network((inputs, *self.settings.hidden, outputs), seed)

    def fit(self, rows: Rows, seed: int) -> FitReport:
        """Fit the network by Adam; equal rows and seeds give equal bits.

        Args:
            rows: The rows.
            seed: Fixes the batches, and the first weights unless it goes on from the last ones.

        Returns:
            How it went.
        """
        settings = self.settings
        if settings.merge:
            rows = rows.merged()
        report = fit_network(
            self.network if settings.warm else self._new(seed),
            self.features.inputs,
            rows.target,
            weights=rows.weight,
            mask=self.features.mask,
            input_row=rows.infoset,
            loss=settings.loss,
            steps=settings.steps,
            batch_size=None if settings.merge else settings.batch_size,
            learning_rate=settings.learning_rate,
            clip=settings.clip,
            seed=seed,
            output=settings.output,
            stop=self.stop,
        )
        self.network = report.network
        return report

    def predict(self, infosets: NDArray[np.integer]) -> NDArray[np.floating]:
        """What the network says at infosets, float32[n, A]; of illegal actions it is noise."""
        predicted: NDArray[Any] = self.network.predict(self.features.inputs[infosets])
        return predicted

    def knows(self, infosets: NDArray[np.integer]) -> NDArray[np.bool_]:
        """All infosets: a network tells of those without rows by those that are like them."""
        return np.ones(len(infosets), dtype=np.bool_)
