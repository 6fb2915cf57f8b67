"""Products of dense matrices, on one thread and with the same bits everywhere."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import uncounted_kernel


@uncounted_kernel
def add_products(
    x,  # float[n, inputs]
    weights,  # float[inputs, outputs]
    out,  # float[n, outputs], added to
):
    """Add x @ weights; all float32 or all float64.

    Four rows share each weight that is loaded, and four inputs each output: as fast as the BLAS of
    NumPy on one thread. Its threads take longer to meet than to multiply matrices of a few hundred
    rows, where they have to wait for a processor by far. Each output is summed in the order of the
    inputs: the same bits whatever rows are beside it.
    """
    count, inputs = np.uintp(x.shape[0]), np.uintp(x.shape[1])
    outputs = np.uintp(weights.shape[1])
    one, two, three, four = np.uintp(1), np.uintp(2), np.uintp(3), np.uintp(4)
    rows, whole = count - count % four, inputs - inputs % four
    for r in range(np.uintp(0), rows, four):
        for i in range(np.uintp(0), whole, four):
            a0, a1, a2, a3 = x[r, i], x[r, i + one], x[r, i + two], x[r, i + three]
            b0, b1, b2, b3 = (
                x[r + one, i], x[r + one, i + one], x[r + one, i + two], x[r + one, i + three]
            )  # fmt: skip
            c0, c1, c2, c3 = (
                x[r + two, i], x[r + two, i + one], x[r + two, i + two], x[r + two, i + three]
            )  # fmt: skip
            d0, d1, d2, d3 = (
                x[r + three, i], x[r + three, i + one], x[r + three, i + two],
                x[r + three, i + three],
            )  # fmt: skip
            for o in range(outputs):
                w0, w1 = weights[i, o], weights[i + one, o]
                w2, w3 = weights[i + two, o], weights[i + three, o]
                out[r, o] = out[r, o] + w0 * a0 + w1 * a1 + w2 * a2 + w3 * a3
                out[r + one, o] = out[r + one, o] + w0 * b0 + w1 * b1 + w2 * b2 + w3 * b3
                out[r + two, o] = out[r + two, o] + w0 * c0 + w1 * c1 + w2 * c2 + w3 * c3
                out[r + three, o] = out[r + three, o] + w0 * d0 + w1 * d1 + w2 * d2 + w3 * d3
    for r in range(count):
        for i in range(np.uintp(0) if r >= rows else whole, inputs):
            value = x[r, i]
            for o in range(outputs):
                out[r, o] += weights[i, o] * value
