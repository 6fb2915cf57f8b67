"""Sums over the cards of the next street, by hand: the values of a street from those of the next.

The boards that follow a board stand in runs; each has a place among canonical boards and the
permutation of suits that leads there.
"""

from __future__ import annotations

from equilibrist._jit import kernel


@kernel
def sum_by_equity(equities, images, places, permutations, runs, table, out):
    """out[b, h] += table[e] over the rivers of board b, with e the equity of h there.

    equities: uint16[R, 1326]; larger than the rows of the table where a hand is blocked. images:
    uint16[24, 1326]. table: float32[E, S]. out: float32[B, 1326, S].
    """
    for b in range(out.shape[0]):
        for r in range(runs[b], runs[b + 1]):
            row, image = equities[places[r]], images[permutations[r]]
            for h in range(image.shape[0]):
                e = row[image[h]]
                if e < table.shape[0]:
                    for s in range(out.shape[2]):
                        out[b, h, s] += table[e, s]


@kernel
def sum_by_board(values, images, places, permutations, runs, out):
    """out[b, h] += values[place, image of h] over the boards that follow board b.

    values: float32[R, 1326, S], 0 for hands that a board blocks. out: float32[B, 1326, S].
    """
    for b in range(out.shape[0]):
        for r in range(runs[b], runs[b + 1]):
            place, image = places[r], images[permutations[r]]
            for h in range(image.shape[0]):
                for s in range(out.shape[2]):
                    out[b, h, s] += values[place, image[h], s]
