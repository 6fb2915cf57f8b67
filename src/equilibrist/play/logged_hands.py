"""Hands as a log has them, and their replay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from equilibrist.errors import MismatchError
from equilibrist.formatting.brief import brief_repr
from equilibrist.game import Game
from equilibrist.play.table import Table


@dataclass(frozen=True)
class LoggedHand:
    """A hand as the log has it.

    Attributes:
        hand: Its number in the session, from 1.
        seats: The seat of each player.
        moves: (player, index, action) of each move, chance included.
        payoffs: By player, in payoff units.
    """

    hand: int
    seats: tuple[int, ...]
    moves: tuple[tuple[int, int, str], ...]
    payoffs: tuple[float, ...]

    def __repr__(self) -> str:
        return brief_repr(self)

    def replay(self, game: Game[Any]) -> Table:
        """Play the hand again.

        Args:
            game: The game of the session.

        Returns:
            The table after all moves.

        Raises:
            MismatchError: If the rules contradict the log.
        """
        table = Table.start(game)
        for number, (player, index, action) in enumerate(self.moves):
            is_offered = index < len(table.actions) and table.actions[index] == action
            if table.player != player or not is_offered:
                raise MismatchError(
                    f"hand {self.hand} does not follow the rules of {game.name}: move "
                    f"{number + 1} is {action!r} by player {player}; legal for player "
                    f"{table.player}: {', '.join(table.actions) or 'nothing'}",
                    option="action",
                    given=action,
                    place=f"hand {self.hand}, move {number + 1}",
                    remedy="use the game that the log names",
                )
            table = table.play(index)
        if not table.over or table.payoffs != self.payoffs:
            raise MismatchError(
                f"hand {self.hand} does not end by the rules of {game.name}: the log has the "
                f"payoffs {list(self.payoffs)}",
                option="payoffs",
                place=f"hand {self.hand}",
                remedy="use the game that the log names",
            )
        return table


@dataclass(frozen=True)
class LoggedSession:
    """A session in a log.

    Attributes:
        game: The name of the game.
        seats: The names of people and agents.
        alternate: Whether they change places after every hand.
        seed: The seed of the random numbers; None where the log keeps it secret.
        started: When it began, in ISO format.
        hands: The complete hands.
    """

    game: str
    seats: tuple[str, ...]
    alternate: bool
    seed: int | None
    started: str
    hands: tuple[LoggedHand, ...]

    def __repr__(self) -> str:
        return brief_repr(self)
