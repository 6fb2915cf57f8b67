"""What is known of the hands at one node of a solved spot, on one board."""

from __future__ import annotations

from typing import NamedTuple

from equilibrist.typing import FloatArray


class NodeValues(NamedTuple):
    """Of both players, over the 1,326 combos of `equilibrist.poker.cards.combos`.

    Player 0 is out of position, player 1 in position. Hands that share a card with the board have
    weight 0.
    """

    weight: FloatArray
    """float64[2, 1326]: weight in the range times the player's own reach; 0 for hands not held."""
    matchups: FloatArray
    """float64[2, 1326]: the weight of the other player's hands that the hand can face."""
    ev: FloatArray
    """float64[2, 1326]: chips at the end less chips behind at the node; NaN for hands not held and
    for hands that can face none. The mean of both players adds up to the pot less rake."""
    equity: FloatArray
    """float64[2, 1326]: the share of the pot, 0 to 1, if all cards came without more betting; NaN
    as in `ev`."""
    strategy: FloatArray
    """float64[A, 1326]: how often the player who acts takes each of A actions, in the order of
    `public_tree.node_actions`; NaN for hands that he does not hold. A is 0 where nobody acts."""
