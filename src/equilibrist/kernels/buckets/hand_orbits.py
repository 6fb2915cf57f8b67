"""Hands that the symmetries of a board map to each other."""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel

_ONE = np.uint64(1)


@kernel
def orbits(boards, hands, card_images, combo_images, lowest, members):
    """The lowest hand of each orbit, under the permutations of suits that fix the board.

    boards: uint8[B, size]. hands: the deck's. card_images: uint8[24, 52]. combo_images:
    uint16[24, 1326]. lowest: uint16[B, 1326], receives the lowest hand of each hand's orbit, 65535
    where the hand is not dealt. members: uint8[B, 1326], receives the number of hands of the orbit
    at its lowest hand, and 0 elsewhere.
    """
    first, second, combo = hands
    group = np.empty(card_images.shape[0], np.uintp)
    for b in range(boards.shape[0]):
        mask = np.uint64(0)
        for k in range(boards.shape[1]):
            mask |= _ONE << np.uint64(boards[b, k])
        size = 0
        for g in range(card_images.shape[0]):
            image = np.uint64(0)
            for k in range(boards.shape[1]):
                image |= _ONE << np.uint64(card_images[g, boards[b, k]])
            if image == mask:
                group[size] = g
                size += 1
        lowest[b, :] = np.uint16(65535)
        members[b, :] = 0
        for h in range(first.shape[0]):
            if (mask >> np.uint64(first[h]) | mask >> np.uint64(second[h])) & _ONE:
                continue
            least = np.uint16(combo[h])
            for k in range(size):
                least = min(least, combo_images[group[k], combo[h]])
            lowest[b, combo[h]] = least
            members[b, least] += 1


@kernel
def spread_labels(lowest, wanted, starts, label, blocked, rows):
    """Give every hand the label of the lowest of its orbit, `blocked` where it is not dealt.

    wanted: uint16[m], the lowest hands of board b in the slice from starts[b] to starts[b + 1], and
    label their labels. rows: [B, 1326].
    """
    label_of = np.empty(lowest.shape[1], np.int32)
    for b in range(lowest.shape[0]):
        for k in range(starts[b], starts[b + 1]):
            label_of[np.uintp(wanted[k])] = label[k]
        for h in range(lowest.shape[1]):
            least = lowest[b, h]
            rows[b, h] = blocked if least == np.uint16(65535) else label_of[np.uintp(least)]
