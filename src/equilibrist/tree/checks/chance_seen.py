"""Which players observe chance: keys that forget the own card are legal, but rarely meant."""

from __future__ import annotations


class ChanceSeen:
    """Whether the infosets of each player depend on outcomes of chance.

    Two decisions of a player before which the players made the same moves differ by outcomes of
    chance alone. If such decisions always share an infoset, the player never observes an outcome.
    Sequences of the players' moves are numbered; 0 is the empty one.
    """

    def __init__(self, num_players: int) -> None:
        self._numbers: dict[tuple[int, int, int], int] = {}
        self._keys: list[dict[int, str]] = [{} for _ in range(num_players)]
        self._unobserved = [False] * num_players
        self._unsettled = set(range(num_players))

    def after(self, moves: int, player: int, action: int) -> int:
        """The number of the sequence `moves` and one more move; chance adds none."""
        if player < 0 or not self._unsettled:
            return moves
        return self._numbers.setdefault((moves, player, action), len(self._numbers) + 1)

    def meet(self, player: int, key: str, moves: int) -> None:
        """Record one more history at which `player` decides, in the infoset `key`."""
        if player not in self._unsettled:
            return
        before = self._keys[player].get(moves)
        if before is None:
            self._keys[player][moves] = key
        elif before == key:
            self._unobserved[player] = True
        else:
            self._unsettled.remove(player)
            self._keys[player].clear()

    @property
    def blind_players(self) -> list[int]:
        """The players who never observe an outcome of chance that happened before they moved."""
        return [player for player in sorted(self._unsettled) if self._unobserved[player]]
