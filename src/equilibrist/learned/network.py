"""`Network`: the weights of a dense network, which Numba evaluates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import ConfigError, MismatchError
from equilibrist.parsing.arguments import bad_argument, whole_number
from equilibrist.typing import FloatArray

Float32Array: TypeAlias = NDArray[np.float32]
ACTIVATIONS: Final = ("relu",)
"""What hidden layers apply."""
_MOST_WEIGHTS: Final = 1 << 31


class Layer(NamedTuple):
    """One layer: outputs = weights @ inputs + bias."""

    weights: Float32Array  # [outputs, inputs]
    bias: Float32Array  # [outputs]


@dataclass(frozen=True, eq=False)
class Network:
    """A dense network: rectified hidden layers, and a last layer without an activation.

    Attributes:
        sizes: The number of inputs, the widths of the hidden layers, the number of outputs.
        weights: float32[W]: layer after layer the weights, [outputs, inputs] row-major, then the
            bias. A copy that cannot be written to.
        activation: What hidden layers apply: "relu".

    Raises:
        ConfigError: Sizes, weights or the activation are invalid.
        MismatchError: There are more or fewer weights than the sizes need.
    """

    sizes: tuple[int, ...]
    weights: Float32Array
    activation: str = "relu"

    def __post_init__(self) -> None:
        """Check the shape; raises ConfigError, MismatchError."""
        sizes = checked_sizes(self.sizes)
        object.__setattr__(self, "sizes", sizes)
        if self.activation not in ACTIVATIONS:
            raise bad_argument("activation", self.activation, " or ".join(ACTIVATIONS))
        weights = np.array(self.weights, dtype=np.float32)
        if weights.shape != (num_weights(sizes),):
            raise MismatchError(
                f"a network of sizes {sizes} has {num_weights(sizes):,} weights, not those of "
                f"shape {weights.shape}",
                option="weights",
                given=weights.shape,
                expected=(num_weights(sizes),),
            )
        if not np.isfinite(weights).all():
            raise bad_argument("weights", "NaN or infinity", "finite numbers")
        weights.flags.writeable = False
        object.__setattr__(self, "weights", weights)

    @property
    def inputs(self) -> int:
        """The number of inputs."""
        return self.sizes[0]

    @property
    def outputs(self) -> int:
        """The number of outputs."""
        return self.sizes[-1]

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers, as views of the weights."""
        layers, at = [], 0
        for inputs, outputs in zip(self.sizes, self.sizes[1:], strict=False):
            bias = at + inputs * outputs
            layers.append(
                Layer(
                    self.weights[at:bias].reshape(outputs, inputs),
                    self.weights[bias : bias + outputs],
                )
            )
            at = bias + outputs
        return tuple(layers)

    @cached_property
    def packed(self) -> Float32Array:
        """float32[W]: the weights as `kernels.learned.dense` reads them, by input."""
        parts = [part for layer in self.layers for part in (layer.weights.T.ravel(), layer.bias)]
        packed = np.concatenate(parts)
        packed.flags.writeable = False
        return packed

    @property
    def scratch_size(self) -> int:
        """How many float32 numbers of scratch space `kernels.learned.dense` needs."""
        return 2 * max((1, *self.sizes[1:-1]))

    def predict(self, x: NDArray[np.floating]) -> Float32Array:
        """Evaluate rows of inputs; PyTorch is not needed.

        Args:
            x: [n, inputs].

        Returns:
            float32[n, outputs]: the same bits for a row whatever rows are beside it.

        Raises:
            MismatchError: The rows have another number of inputs.
        """
        from equilibrist.kernels.learned.dense import dense

        rows = np.ascontiguousarray(x, dtype=np.float32)
        if rows.ndim != 2 or rows.shape[1] != self.inputs:
            raise MismatchError(
                f"the inputs have the shape {rows.shape}, the network takes rows of "
                f"{self.inputs:,}",
                option="x",
                given=rows.shape,
                expected=(len(rows) if rows.ndim else 0, self.inputs),
            )
        out = np.empty((len(rows), self.outputs), dtype=np.float32)
        scratch = np.empty(self.scratch_size, dtype=np.float32)
        sizes = np.array(self.sizes, dtype=np.int64)
        dense(self.packed, sizes, rows.ravel(), out.reshape(-1), scratch)
        return out

    def __repr__(self) -> str:
        return f"Network({'-'.join(map(str, self.sizes))}, {self.activation!r})"


def num_weights(sizes: Sequence[int]) -> int:
    """The number of weights and biases of a network of these sizes."""
    return sum((inputs + 1) * outputs for inputs, outputs in zip(sizes, sizes[1:], strict=False))


def checked_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    """Sizes as whole numbers from 1; raises ConfigError."""
    if not isinstance(sizes, list | tuple) or len(sizes) < 2:
        raise bad_argument("sizes", sizes, "the numbers of inputs, hidden units and outputs")
    checked = tuple(whole_number("sizes", size, 1) for size in sizes)
    if num_weights(checked) > _MOST_WEIGHTS:
        raise ConfigError(
            f"a network of sizes {checked} has more than {_MOST_WEIGHTS:,} weights",
            option="sizes",
            given=num_weights(checked),
            expected=_MOST_WEIGHTS,
        )
    return checked


def new_network(sizes: Sequence[int], seed: int, *, zero_output: bool = True) -> Network:
    """A network with random weights, to be fitted.

    Weights and biases of a layer are uniform in +-1 / sqrt(inputs), as PyTorch has them.

    Args:
        sizes: The number of inputs, the widths of the hidden layers, the number of outputs.
        seed: Fixes the draws.
        zero_output: Whether the last layer is 0, so that the network says 0 for every input. Deep
            CFR begins so: play is uniform until something is known.

    Returns:
        The network.
    """
    checked = checked_sizes(sizes)
    random = np.random.default_rng(np.random.SeedSequence(whole_number("seed", seed, 0)))
    weights = np.empty(num_weights(checked), dtype=np.float32)
    at = 0
    for number, (inputs, outputs) in enumerate(zip(checked, checked[1:], strict=False), 2):
        end = at + (inputs + 1) * outputs
        bound = 1.0 / math.sqrt(inputs)
        weights[at:end] = random.uniform(-bound, bound, end - at)
        if zero_output and number == len(checked):
            weights[at:end] = 0.0
        at = end
    return Network(checked, weights)


def zero_sum(inputs: NDArray[np.floating], outputs: NDArray[np.floating]) -> FloatArray:
    """Take off what the players' values add up to, so that the game is zero-sum.

    Args:
        inputs: [n, F]: the first inputs are the ranges of both players, in the order of the
            outputs; each range adds up to 1, or to 0 where nothing is left of it.
        outputs: [n, A]: the values of all hands of both players.

    Returns:
        float64[n, A]: the values less the surplus <ranges, values> over the mass of both ranges.
    """
    ranges = np.asarray(inputs[:, : outputs.shape[1]], dtype=np.float64)
    surplus = np.sum(ranges * outputs, axis=1, keepdims=True)
    mass = np.sum(ranges, axis=1, keepdims=True)
    return np.asarray(outputs - surplus / np.where(mass > 0.0, mass, 1.0))
