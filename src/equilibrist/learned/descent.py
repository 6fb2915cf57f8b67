"""What is moved along gradients of its outputs: a network, or a table, and Adam that moves it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from equilibrist.learned.features import InfosetFeatures
from equilibrist.learned.fit import weight_gradient
from equilibrist.learned.network import Network
from equilibrist.learned.policy_losses import Loss
from equilibrist.learned.regressors import FitSettings, NetworkRegressor
from equilibrist.learned.rows import taken

LossOf = Callable[[NDArray[np.floating]], Loss]
"""A loss of outputs [n, A] at rows, with its slopes."""


class Movable(Protocol):
    """What has weights, and outputs at infosets that depend on them."""

    @property
    def weights(self) -> NDArray[np.floating]:
        """All weights; assigned as a whole."""
        ...

    @weights.setter
    def weights(self, weights: NDArray[np.floating]) -> None: ...

    def predict(self, infosets: NDArray[np.integer]) -> NDArray[np.floating]:
        """float[n, A]: the outputs at infosets."""
        ...

    def gradient(
        self, infosets: NDArray[np.integer], loss_of: LossOf
    ) -> tuple[float, NDArray[np.floating]]:
        """A loss at infosets, and its gradient by the weights, shaped as these."""
        ...


class MovedTable:
    """A table of outputs: the outputs of an infoset are its weights.

    Attributes:
        weights: float64[I, A]: zeros at first.
    """

    def __init__(self, num_infosets: int, width: int) -> None:
        """Begin with zeros."""
        self.weights: NDArray[np.floating] = np.zeros((num_infosets, width))

    def predict(self, infosets: NDArray[np.integer]) -> NDArray[np.floating]:
        """float64[n, A]: the rows of infosets."""
        rows: NDArray[np.floating] = self.weights[infosets]
        return rows

    def gradient(
        self, infosets: NDArray[np.integer], loss_of: LossOf
    ) -> tuple[float, NDArray[np.floating]]:
        """A loss at infosets, and the sums of its slopes by infoset."""
        loss = loss_of(self.predict(infosets))
        gradient = np.zeros_like(self.weights)
        np.add.at(gradient, infosets, loss.slope)
        return loss.value, gradient


class MovedNetwork(NetworkRegressor):
    """A network that goes along gradients of its outputs, instead of being fitted to rows."""

    def __init__(self, features: InfosetFeatures, settings: FitSettings, seed: int) -> None:
        """Begin with a network that predicts 0 everywhere.

        Args:
            features: The features of the game.
            settings: Its hidden layers.
            seed: Fixes its first weights.
        """
        super().__init__(features, settings, seed)

    @property
    def weights(self) -> NDArray[np.floating]:
        """float32[W]: all weights and biases."""
        return self.network.weights

    @weights.setter
    def weights(self, weights: NDArray[np.floating]) -> None:
        self.network = Network(self.network.sizes, np.asarray(weights, dtype=np.float32))

    def gradient(
        self, infosets: NDArray[np.integer], loss_of: LossOf
    ) -> tuple[float, NDArray[np.floating]]:
        """A loss at infosets, and its gradient by the weights, by PyTorch."""
        losses: list[float] = []

        def slope_of(outputs: NDArray[np.floating]) -> NDArray[np.floating]:
            loss = loss_of(outputs)
            losses.append(loss.value)
            return loss.slope

        gradient = weight_gradient(self.network, self.features.inputs[infosets], slope_of)
        return losses[0], gradient


class Adam:
    """Adam (Kingma, Ba, ICLR 2015), whose moments last as long as the run.

    Attributes:
        decay: What the means of gradients and of their squares are multiplied by in each step.
        least: What is added to the root of the mean square.
        steps: Steps made.
    """

    def __init__(
        self, like: NDArray[np.floating], *, decay: tuple[float, float], least: float
    ) -> None:
        """Begin with zeros.

        Args:
            like: Weights, whose shape and type the moments have.
            decay: See the attribute.
            least: See the attribute.
        """
        self.decay, self.least = decay, least
        self.steps = 0
        self._mean, self._square = np.zeros_like(like), np.zeros_like(like)

    def change(self, gradient: NDArray[np.floating], rate: float) -> NDArray[np.floating]:
        """What to add to the weights.

        Args:
            gradient: The gradient of a loss.
            rate: The learning rate.

        Returns:
            As large as `gradient`.
        """
        first, second = self.decay
        self.steps += 1
        self._mean += (1.0 - first) * (gradient - self._mean)
        self._square += (1.0 - second) * (gradient**2 - self._square)
        size = rate / (1.0 - first**self.steps)
        root = np.sqrt(self._square / (1.0 - second**self.steps))
        change: NDArray[np.floating] = -size * self._mean / (root + self.least)
        return change

    def arrays(self, prefix: str = "") -> dict[str, NDArray[Any]]:
        """What a checkpoint keeps of it, by name."""
        return {
            f"{prefix}mean": self._mean.copy(),
            f"{prefix}square": self._square.copy(),
            f"{prefix}steps": np.array([self.steps], dtype=np.int64),
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]], prefix: str = "") -> None:
        """Take over what `arrays` gave; raises CheckpointError if it does not fit."""
        self._mean = taken(arrays, f"{prefix}mean", self._mean.shape)
        self._square = taken(arrays, f"{prefix}square", self._square.shape)
        self.steps = int(taken(arrays, f"{prefix}steps", (1,))[0])


def cut_to_norm(gradients: list[NDArray[np.floating]], norm: float) -> list[NDArray[np.floating]]:
    """Gradients, made smaller by one factor so that their common norm is at most `norm`."""
    total = float(np.sqrt(sum(float(np.sum(part.astype(np.float64) ** 2)) for part in gradients)))
    return gradients if total <= norm else [part * (norm / total) for part in gradients]
