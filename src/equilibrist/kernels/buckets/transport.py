"""Distances of distributions over buckets of the next street, by greedy transport.

The mass of a point goes to the nearest buckets of a centre that have mass left: first each atom
fills its nearest bucket, then its second nearest, and so on (Ganzfried and Sandholm,
Potential-aware imperfect-recall abstraction with earth mover's distance, AAAI 2014, algorithm 2,
which sets the target to zero before it takes it off the mass that is left; here it is taken off
first). All masses and distances are whole.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel

_FAR = np.int64(1 << 60)
_NONE = np.uint16(65535)


@inner_kernel
def greedy(atom, mass, number, centre, order, ground, left, target, most):
    """The cost of moving `number` atoms to a centre; `most` or more once it is that much.

    atom, mass: buckets and their masses. centre: int64[K], as much mass in all. order:
    uint16[K, K], for each bucket the others by distance. left, target, active: scratch.
    """
    for k in range(centre.shape[0]):
        left[k] = centre[k]
    for i in range(number):
        target[i] = mass[i]
    cost = np.int64(0)
    moving = number
    for j in range(centre.shape[0]):
        if moving == 0 or cost >= most:
            break
        for i in range(number):
            wanted = target[i]
            if wanted == 0:
                continue
            a = np.uintp(atom[i])
            k = np.uintp(order[a, j])
            free = left[k]
            if free == 0:
                continue
            moved = min(free, wanted)
            cost += moved * np.int64(ground[a, k])
            left[k] = free - moved
            target[i] = wanted - moved
            if moved == wanted:
                moving -= 1
    return cost


@inner_kernel
def atoms_of(buckets, unit, counts, atom, mass):
    """Write the distinct buckets of a point and their masses; their number. counts: zeros."""
    number = 0
    for c in range(buckets.shape[0]):
        bucket = buckets[c]
        if bucket == _NONE:
            continue
        if counts[bucket] == 0:
            atom[number] = bucket
            number += 1
        counts[bucket] += 1
    for i in range(number):
        mass[i] = unit * counts[atom[i]]
        counts[atom[i]] = 0
    return number


@kernel
def assign_distributions(points, unit, centres, place, order, ground, label, distance):
    """Write the nearest centre of each point by greedy transport, the lowest of several.

    points: uint16[n, cards], the buckets after each next card, 65535 for none; each card has the
    mass `unit`. centres: int64[C, K], masses. place: int64[K], numbers of buckets on a line that
    are at most as far apart as ground, int64[K, K], has them; centres are in the order of the sums
    of mass times place, which bound the distance from below.
    """
    num_centres, num_buckets = centres.shape
    sums = np.zeros(num_centres, np.int64)
    for k in range(num_centres):
        for b in range(num_buckets):
            sums[k] += centres[k, b] * place[b]
    cards = points.shape[1]
    counts = np.zeros(num_buckets, np.int64)
    left = np.empty(num_buckets, np.int64)
    atom, mass, target = (
        np.empty(cards, np.int64),
        np.empty(cards, np.int64),
        np.empty(cards, np.int64),
    )
    for i in range(points.shape[0]):
        number = atoms_of(points[i], unit, counts, atom, mass)
        own = np.int64(0)
        for k in range(number):
            own += mass[k] * place[atom[k]]
        high = np.searchsorted(sums, own)
        low = high - 1
        best, at = _FAR, -1
        while low >= 0 or high < num_centres:
            under = own - sums[low] if low >= 0 else _FAR
            over = sums[high] - own if high < num_centres else _FAR
            if at >= 0 and min(under, over) > best:
                break
            if under <= over:
                k = low
                low -= 1
            else:
                k = high
                high += 1
            far = greedy(
                atom, mass, number, centres[k], order, ground, left, target, best + np.int64(1)
            )
            if far < best or (far == best and k < at):
                best, at = far, k
        label[i] = at
        distance[i] = best


@kernel
def add_distributions(points, weight, label, sums, held):
    """Add the cards of each point, weight, int64[n], times, to its cluster's sums, int64[C, K].

    Adds the weights to held, int64[C].

    points: [n, C], the bucket of each card to come. label: [n], the cluster of each point.
    """
    for i in range(points.shape[0]):
        k = label[i]
        held[k] += weight[i]
        for c in range(points.shape[1]):
            bucket = points[i, c]
            if bucket != _NONE:
                sums[k, bucket] += weight[i]


@kernel
def distances_of_distributions(first, second, order, ground, out):
    """The greedy distance of each row of first, int64[n, K], to each of second, as int64[n, m].

    order, ground: see `greedy`. out: written.
    """
    num_buckets = first.shape[1]
    left = np.empty(num_buckets, np.int64)
    atom, mass, target = (
        np.empty(num_buckets, np.int64),
        np.empty(num_buckets, np.int64),
        np.empty(num_buckets, np.int64),
    )
    for i in range(first.shape[0]):
        number = 0
        for k in range(num_buckets):
            if first[i, k]:
                atom[number] = k
                mass[number] = first[i, k]
                number += 1
        for j in range(second.shape[0]):
            out[i, j] = greedy(atom, mass, number, second[j], order, ground, left, target, _FAR)
