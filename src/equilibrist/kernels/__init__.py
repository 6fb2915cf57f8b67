"""Numba kernels: arrays in, arrays out.

Apart from the kernels only `_jit`, which compiles them, and `rules.binding`, which binds them to a
rules module, import Numba, and only when called. This module does not import it.
"""

LANES = 8
"""Own sequences per vector instruction; arrays that vectors are stored to have as many extra
elements."""

TILE = 16
"""Hands that `kernels.poker.tiles` processes at once; rows of hands are padded to a multiple."""
ENDS = 32
"""Terminal nodes that it processes at once, or TILE or FEW_ENDS where fewer are left."""
FEW_ENDS = 8
"""Terminal nodes that it processes at once where so few are left."""
FREQUENCY_FIELDS = 4
"""Numbers per action after the locks of a decision, see `kernels.poker.locks`."""
LOCK_STATE = 5
"""Numbers after those."""


def filled_up(number: int, of: int) -> int:
    """The next multiple of `of`."""
    return -(-number // of) * of
