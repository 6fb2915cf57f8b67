"""Distributions of hands over what the cards to come make of them."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel


@kernel
def histograms(
    equities, bin_of, images, places, permutations, runs, wanted, starts, scale, out, sums
):
    """Running sums of the histograms of river equities, and the sums of the equities.

    equities: uint16[R, 1326], of all river boards. bin_of: uint8[], the bin of each equity, and
    one after the last for hands that are blocked. images: uint16[24, 1326]. Board b has the
    runouts from runs[b] to runs[b + 1]: places and permutations, the river board that each is and
    the permutation of suits that leads there. wanted: uint16[m], hands of board b in the slice
    from starts[b] to starts[b + 1]. out: uint16[m, bins - 1], receives `scale` times the number of
    runouts in bins up to each. sums: int64[m]; a runout that is blocked adds an equity, too.
    """
    dims = out.shape[1]
    most = 0
    for b in range(starts.shape[0] - 1):
        most = max(most, starts[b + 1] - starts[b])
    counts = np.empty((most, dims + 2), np.uint16)
    for b in range(starts.shape[0] - 1):
        begin, number = starts[b], starts[b + 1] - starts[b]
        counts[:number] = 0
        for i in range(number):
            sums[begin + i] = 0
        for r in range(runs[b], runs[b + 1]):
            row = equities[places[r]]
            image = images[permutations[r]]
            for i in range(number):
                equity = np.uintp(row[np.uintp(image[np.uintp(wanted[begin + i])])])
                counts[i, np.uintp(bin_of[equity])] += 1
                sums[begin + i] += equity
        for i in range(number):
            running = 0
            for d in range(dims):
                running += counts[i, d]
                out[begin + i, d] = running * scale


@kernel
def class_histograms(equities, bin_of, copies, class_of, out, sums):
    """Count equities before the flop by classes of hands: out, int64[C, bins + 1], sums, int64[C].

    Adds the number of boards in each bin, each board `copies` times.

    equities: uint16[B, 1326]. bin_of: uint8[], the bin of each equity. class_of: [1326], the
    class of each hand. copies: int64[B].
    """
    for b in range(equities.shape[0]):
        row = equities[b]
        times = np.int64(copies[b])
        for h in range(row.shape[0]):
            c = np.uintp(class_of[h])
            out[c, np.uintp(bin_of[np.uintp(row[h])])] += times
            sums[c] += times * np.int64(row[h])


@kernel
def successors(rows, images, places, permutations, runs, wanted, starts, out):
    """The bucket that a hand is in after each next card; out, uint16[m, cards], 65535 if blocked.

    The arguments are those of `histograms`; every board has as many next cards.

    rows: uint16[B', 1326], the buckets on the next boards.
    """
    for b in range(starts.shape[0] - 1):
        for r in range(runs[b], runs[b + 1]):
            row = rows[places[r]]
            image = images[permutations[r]]
            for i in range(starts[b], starts[b + 1]):
                out[i, r - runs[b]] = row[np.uintp(image[np.uintp(wanted[i])])]


@kernel
def tally(rows, values, copies, size, total):
    """Add the hands of each bucket to size, int64[K], and their values to total, int64[K].

    rows: uint16[B, N], the bucket of each hand. values: [B, N]. copies: [B], how often a board
    counts.
    """
    for b in range(rows.shape[0]):
        for h in range(rows.shape[1]):
            bucket = np.uintp(rows[b, h])
            if bucket < np.uintp(size.shape[0]):
                size[bucket] += copies[b]
                total[bucket] += np.int64(copies[b]) * np.int64(values[b, h])
