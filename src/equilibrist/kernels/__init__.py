"""Numba kernels: arrays in, arrays out.

Beside them only `_jit`, which compiles them, and `rules.binding`, which binds them to a rules
module, import Numba, and only when they are called. This module itself does not.
"""

LANES = 8
"""Neighbouring own sequences that one vector instruction takes; arrays that vectors are stored to
are longer by this many."""

TILE = 16
"""Hands that `kernels.poker.tiles` takes at once; rows of hands are padded to a multiple of it."""
ENDS = 32
"""Ends of lines that it takes at once, or half of them where fewer folds are left."""
AIMS = 4
"""Numbers per action behind the locks of a decision, see `kernels.poker.locks`."""
LOCK_STATE = 5
"""Numbers behind those."""


def filled_up(number: int, of: int) -> int:
    """The next multiple of `of`."""
    return -(-number // of) * of
