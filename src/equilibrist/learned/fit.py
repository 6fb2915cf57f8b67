"""Fitting networks with PyTorch: the one module that imports it, and only when it fits."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import ConfigError, MismatchError
from equilibrist.learned.network import Float32Array, Network
from equilibrist.parsing.arguments import bad_argument, optional_whole_number, whole_number

LOSSES: Final = ("squared", "huber", "cross-entropy")
"""What is minimised: the sum over outputs that count, the mean over rows by their weights."""
OUTPUTS: Final = (None, "zero-sum", "softmax")
"""What is applied to the outputs before they are compared with the targets."""
_WINDOWS: Final = 20
"""Mean losses that a report has of the steps, from the first to the last."""
_LOOK_EVERY: Final = 16
"""Steps between two questions whether to stop."""

LearningRate = float | Callable[[int], float]


class Data(NamedTuple):
    """Rows to fit or to validate.

    Attributes:
        inputs: float32[m, F].
        targets: float32[n, A].
        weights: float32[n]: how much each row counts; None if all count alike.
        mask: bool[m, A]: the outputs that count; None for all.
        input_row: int32[n]: the row of `inputs` and `mask` that belongs to each target, where
            several share one; None if row k belongs to target k.
    """

    inputs: Float32Array
    targets: NDArray[np.floating]
    weights: NDArray[np.floating] | None = None
    mask: NDArray[np.bool_] | None = None
    input_row: NDArray[np.integer] | None = None


@dataclass(frozen=True, eq=False)
class FitReport:
    """A fitted network, and how the fit went.

    Attributes:
        network: The network.
        losses: Mean losses of the batches over consecutive parts of the steps.
        validation: The loss on rows that were held out; None without any.
        seconds: What it took.
        steps: Steps that were made: fewer than asked for if it was stopped.
    """

    network: Any
    losses: tuple[float, ...]
    validation: float | None
    seconds: float
    steps: int = 0


def fit_network(
    network: Network,
    inputs: Float32Array,
    targets: NDArray[np.floating],
    *,
    weights: NDArray[np.floating] | None = None,
    mask: NDArray[np.bool_] | None = None,
    input_row: NDArray[np.integer] | None = None,
    loss: str = "squared",
    steps: int,
    batch_size: int | None,
    learning_rate: LearningRate = 1e-3,
    clip: float | None = None,
    seed: int,
    output: str | None = None,
    delta: float = 1.0,
    held_out: Data | None = None,
    progress: Callable[[int, float], object] | None = None,
    stop: Callable[[], bool] | None = None,
) -> FitReport:
    """Fit a network by Adam, on batches that are drawn with replacement or on all rows.

    One thread of PyTorch is used, on which equal arguments give equal bits.

    Args:
        network: Where the fit begins.
        inputs: float32[m, F].
        targets: float32[n, A].
        weights: float32[n]: how much each row counts; they are divided by their mean.
        mask: bool[m, A]: the outputs that count. Fitting zeros at illegal actions spoils the
            others.
        input_row: int32[n]: the row of `inputs` and `mask` of each target; by default its own
            number.
        loss: "squared", "huber" (quadratic up to `delta`, linear beyond) or "cross-entropy", of
            which targets are probabilities and outputs logits.
        steps: Steps of Adam.
        batch_size: Rows of a step; None for all of them in every step.
        learning_rate: A number, or a function of the step, from 0, that gives one.
        clip: The largest norm of a gradient; None for no limit.
        seed: Fixes the batches.
        output: None; "softmax": probabilities over the outputs that count; "zero-sum": the first
            inputs are the ranges of both players in the order of the outputs, which are values, and
            what their products add up to is taken off evenly (`zero_sum`).
        delta: Where the Huber loss becomes linear.
        held_out: Rows of which the loss is measured at the end.
        progress: Called with the steps made and the mean loss since the last call.
        stop: Called now and then; once it answers True the fit ends as it is.

    Returns:
        The fitted network, and how the fit went.

    Raises:
        ConfigError: PyTorch is missing, or an argument is out of range.
        MismatchError: The shapes do not fit.
    """
    data = Data(inputs, targets, weights, mask, input_row)
    _check(network, data, loss, output)
    if held_out is not None:
        _check(network, held_out, loss, output)
    steps = whole_number("steps", steps, 0)
    size = optional_whole_number("batch_size", batch_size, 1)
    random = np.random.default_rng(np.random.SeedSequence(whole_number("seed", seed, 0)))
    if not len(targets):
        raise bad_argument("targets", "no row", "at least one row")
    started = time.perf_counter()
    torch = load_torch()
    with _one_thread(torch):
        model = _Model(torch, network, loss, output, delta)
        mean = 1.0 if weights is None else float(np.mean(weights, dtype=np.float64))
        rate = learning_rate if callable(learning_rate) else None
        first_rate = rate(0) if rate is not None else learning_rate
        adam = torch.optim.Adam(model.parameters, lr=first_rate, fused=True)
        batch = model.batch(data, np.arange(len(targets) if size is None else 0), mean)
        losses: list[float] = []
        window = max(1, steps // _WINDOWS)
        total, since, made = 0.0, 0, 0
        for step in range(steps):
            if stop is not None and step % _LOOK_EVERY == 0 and stop():
                break
            if rate is not None:
                for group in adam.param_groups:
                    group["lr"] = rate(step)
            if size is not None:
                batch = model.batch(data, random.integers(0, len(targets), size), mean)
            adam.zero_grad(set_to_none=True)
            error = model.loss(batch)
            error.backward()
            if clip is not None:
                torch.nn.utils.clip_grad_norm_(model.parameters, clip)
            adam.step()
            total, since, made = total + float(error.detach()), since + 1, step + 1
            if since == window:
                losses.append(total / since)
                if progress is not None:
                    progress(made, losses[-1])
                total, since = 0.0, 0
        if since:
            losses.append(total / since)
        validation = None if held_out is None else model.whole_loss(held_out)
        return FitReport(
            network=model.network(),
            losses=tuple(losses),
            validation=validation,
            seconds=time.perf_counter() - started,
            steps=made,
        )


def weight_gradient(
    network: Network,
    inputs: Float32Array,
    slope_of: Callable[[NDArray[np.floating]], NDArray[np.floating]],
) -> Float32Array:
    """The gradient of a loss by the weights of a network, from its slopes by the outputs.

    One thread of PyTorch is used, on which equal arguments give equal bits.

    Args:
        network: The network.
        inputs: float32[n, F].
        slope_of: Called once with the outputs, float32[n, A]; gives the slopes, [n, A].

    Returns:
        float32[W]: in the order of `Network.weights`.

    Raises:
        ConfigError: PyTorch is missing.
        MismatchError: The shapes do not fit.
    """
    _check_shape("inputs", inputs, (len(inputs), network.inputs))
    torch = load_torch()
    with _one_thread(torch):
        model = _Model(torch, network, "squared", None, 1.0)
        outputs = model.outputs(torch.from_numpy(np.asarray(inputs, dtype=np.float32)), None)
        slopes = slope_of(outputs.detach().numpy())
        _check_shape("slopes", slopes, tuple(outputs.shape))
        outputs.backward(torch.from_numpy(np.asarray(slopes, dtype=np.float32)))
        return np.concatenate([part.grad.numpy().ravel() for part in model.parameters])


def load_torch() -> Any:
    """PyTorch; ConfigError that says how to install it, if it is missing or does not load."""
    try:
        import torch
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError) and error.name == "torch":
            raise _no_torch() from None
        raise ConfigError(
            f"networks are fitted by PyTorch, which is installed but does not load: {error}",
            option="package",
            given="torch",
            remedy="install it anew: pip install --force-reinstall torch",
        ) from None
    return torch


def find_torch() -> None:
    """Raise ConfigError where PyTorch is missing, without the seconds of loading it."""
    if find_spec("torch") is None:
        raise _no_torch()


def _no_torch() -> ConfigError:
    return ConfigError(
        "networks are fitted by PyTorch, which is not installed",
        option="package",
        given="torch",
        remedy='pip install "equilibrist[nets]" (on Linux without a GPU take the CPU build of '
        "PyTorch first: it is a tenth as large)",
    )


@contextmanager
def _one_thread(torch: Any) -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


class _Batch(NamedTuple):
    """Rows of a step, as tensors."""

    inputs: Any  # float32[n, F]
    targets: Any  # float32[n, A]
    weights: Any  # float32[n], or None
    mask: Any  # bool[n, A], or None


class _Model:
    """The parameters of a network as tensors, and its loss."""

    def __init__(
        self, torch: Any, network: Network, loss: str, output: str | None, delta: float
    ) -> None:
        self._torch, self._sizes, self._activation = torch, network.sizes, network.activation
        self._loss, self._output, self._delta = loss, output, delta
        self.parameters = [
            torch.tensor(part, requires_grad=True) for layer in network.layers for part in layer
        ]

    def network(self) -> Network:
        """The network with the present parameters."""
        weights = [part.detach().numpy().ravel() for part in self.parameters]
        return Network(self._sizes, np.concatenate(weights), self._activation)

    def batch(self, data: Data, chosen: NDArray[np.integer], mean: float) -> _Batch:
        """The chosen rows as tensors, with weights divided by `mean`."""
        tensor = self._torch.from_numpy
        rows = chosen if data.input_row is None else data.input_row[chosen]
        weights = None if data.weights is None else data.weights[chosen] / mean
        return _Batch(
            inputs=tensor(np.asarray(data.inputs[rows], dtype=np.float32)),
            targets=tensor(np.asarray(data.targets[chosen], dtype=np.float32)),
            weights=None if weights is None else tensor(weights.astype(np.float32)),
            mask=None if data.mask is None else tensor(data.mask[rows]),
        )

    def loss(self, batch: _Batch) -> Any:
        """The mean loss of rows."""
        errors = self._errors(self.outputs(batch.inputs, batch.mask), batch.targets)
        if batch.mask is not None:
            errors = self._torch.where(batch.mask, errors, 0.0)
        by_row = errors.sum(dim=1)
        if batch.weights is not None:
            by_row = by_row * batch.weights
        return by_row.mean()

    def whole_loss(self, data: Data, block: int = 4096) -> float:
        """The mean loss of all rows."""
        total, count = 0.0, len(data.targets)
        mean = 1.0 if data.weights is None else float(np.mean(data.weights, dtype=np.float64))
        with self._torch.no_grad():
            for start in range(0, count, block):
                chosen = np.arange(start, min(start + block, count))
                total += float(self.loss(self.batch(data, chosen, mean))) * len(chosen)
        return total / count

    def outputs(self, inputs: Any, mask: Any) -> Any:
        """What rows of inputs give: -inf at masked logits."""
        torch = self._torch
        values = inputs
        for at in range(0, len(self.parameters), 2):
            values = torch.nn.functional.linear(values, *self.parameters[at : at + 2])
            if at + 2 < len(self.parameters):
                values = torch.relu(values)
        if self._output == "zero-sum":
            ranges = inputs[:, : values.shape[1]]
            surplus = (ranges * values).sum(dim=1, keepdim=True)
            mass = ranges.sum(dim=1, keepdim=True)
            values = values - surplus / mass
        if mask is not None and (self._output == "softmax" or self._loss == "cross-entropy"):
            values = values.masked_fill(~mask, -torch.inf)
        return torch.softmax(values, dim=1) if self._output == "softmax" else values

    def _errors(self, values: Any, targets: Any) -> Any:
        functional = self._torch.nn.functional
        if self._loss == "squared":
            return (values - targets) ** 2
        if self._loss == "huber":
            return functional.huber_loss(values, targets, reduction="none", delta=self._delta)
        return -targets * functional.log_softmax(values, dim=1)


def _check(network: Network, data: Data, loss: str, output: str | None) -> None:
    """Refuse what does not fit together."""
    if loss not in LOSSES:
        raise bad_argument("loss", loss, ", ".join(LOSSES))
    if output not in OUTPUTS:
        raise bad_argument("output", output, "None, zero-sum or softmax")
    if loss == "cross-entropy" and output is not None:
        raise bad_argument("output", output, "None, as cross-entropy takes logits")
    rows, count = len(data.inputs), len(data.targets)
    _check_shape("inputs", data.inputs, (rows, network.inputs))
    _check_shape("targets", data.targets, (count, network.outputs))
    if data.weights is not None:
        _check_shape("weights", data.weights, (count,))
    if data.mask is not None:
        _check_shape("mask", data.mask, (rows, network.outputs))
    if data.input_row is not None:
        _check_shape("input_row", data.input_row, (count,))
    elif rows != count:
        _check_shape("inputs", data.inputs, (count, network.inputs))


def _check_shape(name: str, array: NDArray[Any], expected: tuple[int, ...]) -> None:
    if array.shape != expected:
        raise MismatchError(
            f"{name} has the shape {array.shape}; expected {expected}",
            option=name,
            given=array.shape,
            expected=expected,
        )
