"""What sampling kernels say when they return, and where a run of iterations stands."""

from __future__ import annotations

DONE = 0
"""Status: everything asked for has been done."""
TABLE_FULL = 1
"""Status: a traversal needed a new row; nothing of it has been entered. Grow and call again."""
LOG_FULL = 2
"""Status: as TABLE_FULL, for the log of changes."""
ENDLESS = 3
"""Status: a line of play has more moves than the rules say."""
WRONG_COUNT = 4
"""Status: a state has no action, more than the rules say, or others than its infoset had before."""
NO_NUMBER = 5
"""Status: a payoff is infinite or not a number."""
NOT_WHOLE = 6
"""Status: a payoff is no whole number of units; nothing has been entered. Take a finer one."""

DECISION = -1
"""Where a step ended: the traverser is to move, or any player where all of them are walked."""
OVER = -2
"""Where a step ended: the game is over."""
UNREACHED = -3
"""Where a step ended: nobody plays there."""

ITERATION, TRAVERSAL, STREAM, TOUCHED = 0, 1, 2, 3
"""Fields of `progress`: next iteration and traversal, state of the stream, nodes visited."""
