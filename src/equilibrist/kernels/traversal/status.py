"""The status codes of sampling kernels, and the fields of their progress."""

from __future__ import annotations

DONE = 0
"""Status: complete."""
TABLE_FULL = 1
"""Status: a traversal needs a new row; none of its changes are applied. Grow and call again."""
LOG_FULL = 2
"""Status: as TABLE_FULL, for the log of changes."""
TOO_MANY_MOVES = 3
"""Status: a line of play has more moves than `max_moves()`."""
WRONG_COUNT = 4
"""Status: a state has no actions, more than `max_actions()`, or others than its infoset before."""
NO_NUMBER = 5
"""Status: a payoff is infinite or not a number."""
NON_INTEGER_PAYOFF = 6
"""Status: a payoff is not an integer number of units; no changes are applied. Use a finer unit."""

DECISION = -1
"""Where a step ended: the traverser is to move, or any player where all of them are walked."""
OVER = -2
"""Where a step ended: the game is over."""
UNREACHED = -3
"""Where a step ended: nobody plays there."""

ITERATION, TRAVERSAL, STREAM, TOUCHED = 0, 1, 2, 3
"""Fields of `progress`: next iteration and traversal, state of the stream, nodes visited."""
