"""A dense network with rectified hidden layers, evaluated row by row in float32.

Each layer is out = W x + b. Weights are packed by input: layer after layer W transposed,
[inputs, outputs] row-major, then b. So the inner loop runs over outputs, side by side in memory,
and every output is summed in the order of the inputs: it vectorises without reordering any sum, and
the bits depend neither on the machine's vectors nor on how many rows are evaluated together.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, uncounted_kernel


@inner_kernel
def add_layer(packed, at, inputs, outputs, source, source_at, target, target_at, rectified):
    """One layer: target[target_at + o] = b[o] + sum of W[o, i] * source[source_at + i] over i.

    packed: float32, the layer's weights from `at` on. inputs, outputs, at, source_at, target_at:
    uintp. source, target: float32, two different arrays or parts that do not overlap. rectified:
    whether negative outputs become 0. Returns where the next layer's weights begin.
    """
    bias = at + inputs * outputs
    for o in range(outputs):
        target[target_at + o] = packed[bias + o]
    for i in range(inputs):
        value = source[source_at + i]
        # Inputs are often one-hot, and half of the rectified ones are 0: they add nothing.
        if value != np.float32(0.0):
            row = at + i * outputs
            for o in range(outputs):
                target[target_at + o] += packed[row + o] * value
    if rectified:
        for o in range(outputs):
            target[target_at + o] = max(target[target_at + o], np.float32(0.0))
    return bias + outputs


@inner_kernel
def dense_row(packed, sizes, x, x_at, out, out_at, scratch):
    """Evaluate one row; other kernels call this.

    Args:
        packed: float32[W]: `Network.packed`.
        sizes: int64[L + 1]: inputs, hidden widths, outputs.
        x: float32: the inputs.
        x_at: uintp: where they begin.
        out: float32: the outputs, written.
        out_at: uintp: where they begin.
        scratch: float32[2 * widest hidden layer], at least 1 long: two layers' outputs in turn.
    """
    layers = len(sizes) - 1
    half = np.uintp(len(scratch) // 2)
    at = np.uintp(0)
    if layers == 1:
        add_layer(packed, at, np.uintp(sizes[0]), np.uintp(sizes[1]), x, x_at, out, out_at, False)
        return
    here, there = np.uintp(0), half
    at = add_layer(packed, at, np.uintp(sizes[0]), np.uintp(sizes[1]), x, x_at, scratch, here, True)
    for layer in range(1, layers - 1):
        inputs, outputs = np.uintp(sizes[layer]), np.uintp(sizes[layer + 1])
        at = add_layer(packed, at, inputs, outputs, scratch, here, scratch, there, True)
        here, there = there, here
    inputs, outputs = np.uintp(sizes[layers - 1]), np.uintp(sizes[layers])
    add_layer(packed, at, inputs, outputs, scratch, here, out, out_at, False)


@uncounted_kernel
def dense(
    packed,  # float32[W]
    sizes,  # int64[L + 1]
    x,  # float32[n * inputs]
    out,  # float32[n * outputs], written
    scratch,  # float32[2 * widest hidden layer]
):
    """Evaluate rows that stand one after another."""
    inputs, outputs = np.uintp(sizes[0]), np.uintp(sizes[len(sizes) - 1])
    for row in range(np.uintp(len(out)) // outputs):
        dense_row(packed, sizes, x, row * inputs, out, row * outputs, scratch)
