"""Blocks of chance sampling as texts: `player:0`, or a user's function `rules.py:name_of`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from equilibrist.errors import ConfigError
from equilibrist.formatting.escaping import repr_short
from equilibrist.parsing.arguments import bad_argument
from equilibrist.parsing.user_code import failure_text, load_function, pass_interrupts
from equilibrist.tree.compile import GameTree
from equilibrist.tree.forms.chance import ChanceEvents

_PLAYER: Final = re.compile(r"player:(?P<player>\d{1,9})", re.ASCII)
_USER: Final = re.compile(r"(?P<path>.+\.py):(?P<name>\w+)")
_EXPECTED: Final = "player:0, for what a player sees of chance, or FILE.py:function"


@dataclass(frozen=True)
class BlockText:
    """What is drawn: a player's view of chance, or the names that a function gives.

    Attributes:
        text: As it was given.
        player: The player, or None.
        path: The file of the function, or None.
        name: The function in it.
    """

    text: str
    player: int | None = None
    path: str | None = None
    name: str = ""

    def check(self, tree: GameTree) -> None:
        """ConfigError for a player whom the game does not have."""
        if self.player is not None and self.player >= tree.num_players:
            players = f"player:0 to player:{tree.num_players - 1}"
            raise bad_argument("blocks", self.text, f"{players} in {tree.name}")

    def events(self, tree: GameTree) -> ChanceEvents:
        """The blocks on a game; ConfigError if the function fails or gives no text."""
        from equilibrist.tree.chance_blocks import blocks_by_name, blocks_of_player

        if self.player is not None:
            return blocks_of_player(tree, self.player)
        return blocks_by_name(tree, self._function())

    def _function(self) -> Any:
        assert self.path is not None
        expected = "a function of a history and an outcome"
        function = load_function(self.path, self.name, "blocks", expected)

        def named(history: tuple[str, ...], outcome: str) -> str:
            place = f"outcome {outcome!r} after {'/'.join(history) or 'the start'}"
            try:
                answer = function(history, outcome)
            except BaseException as error:
                pass_interrupts(error)
                raise ConfigError(
                    f"{self.text} raised at {place}: {failure_text(error)}",
                    option="blocks",
                    given=type(error).__name__,
                    expected="the name of an event",
                    place=place,
                ) from None
            if not isinstance(answer, str):
                raise ConfigError(
                    f"{self.text} gave {repr_short(answer)} for {place}",
                    option="blocks",
                    given=answer,
                    expected="the name of an event, a text",
                    place=place,
                )
            return str(answer)

        return named


def read_blocks(text: object) -> BlockText:
    """Read the blocks of chance that a text names; ConfigError for any other text."""
    if isinstance(text, str):
        seen = _PLAYER.fullmatch(text)
        if seen is not None:
            return BlockText(text, player=int(seen["player"]))
        user = _USER.fullmatch(text)
        if user is not None:
            return BlockText(text, path=user["path"], name=user["name"])
    raise bad_argument("blocks", text, _EXPECTED)
