"""How a bot decides in games with infosets by name: compiled ones, and rules without a tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final
from zlib import crc32

from equilibrist.errors import UnknownNameError
from equilibrist.game import Game
from equilibrist.parsing.arguments import bad_argument
from equilibrist.play.bots.answers import BotAnswer, DecidedBy
from equilibrist.play.bots.requests import Request
from equilibrist.play.table import drawn_index
from equilibrist.rules.strategy import PackedStrategy

_JOINTS: Final = ("", ":", "/")
"""What stands between the private part of a key and the public one, in the games that ship."""
_SAFE: Final = ("check", "pass", "call", "fold")


class GameMind:
    """Decides by a strategy that maps keys of infosets to mixtures.

    Args:
        strategy: A `Strategy`, a `StoredStrategy` or a `PackedStrategy`.
        game: Of a packed strategy of own rules, the game, which names its infosets.
    """

    def __init__(self, strategy: Any, game: Game[Any] | None) -> None:
        """Go by a strategy; the class describes the arguments."""
        if game is not None and isinstance(strategy, PackedStrategy):
            strategy = strategy.named_by(game)
        self._strategy = strategy
        self.game = game if game is not None else getattr(strategy, "game", None)

    def decide(self, request: Request) -> BotAnswer:
        """Answer a question."""
        key, row = self._row(request)
        legal = tuple(row) if request.legal_actions is None else request.legal_actions
        shares = {label: row.get(label, 0.0) for label in legal}
        unknown = [label for label in legal if label not in row]
        if unknown:
            raise bad_argument("legal_actions", unknown[0], f"actions of {', '.join(row)}")
        total = sum(shares.values())
        decided_by, note = DecidedBy.BLUEPRINT, ""
        packed = isinstance(self._strategy, PackedStrategy)
        if total <= 0.0 or (packed and key not in self._strategy):
            decided_by = DecidedBy.FALLBACK
            safe = next((label for label in _SAFE if label in shares), None)
            note = f"the strategy says nothing of {key}"
            shares = dict.fromkeys(legal, 1.0) if safe is None else shares | _only(safe, legal)
            total = sum(shares.values())
        mixture = {label: share / total for label, share in shares.items()}
        generator = request.memory.action_draw(crc32(key.encode()))
        drawn = drawn_index([*mixture.values()], generator)
        return BotAnswer([*mixture][drawn], mixture, decided_by, strategy_line=key, note=note)

    def _row(self, request: Request) -> tuple[str, Mapping[str, float]]:
        """The infoset and its mixture; UnknownNameError if no infoset has these parts."""
        first: UnknownNameError | None = None
        for key in _keys(request.hole_cards, request.line):
            try:
                return key, self._strategy[key]
            except UnknownNameError as error:
                first = first or error
        assert first is not None
        raise first


def _keys(private: str, public: str) -> Iterator[str]:
    """The keys that the parts may make, the plainest first."""
    for joint in _JOINTS:
        yield private + joint + public


def _only(label: str, labels: tuple[str, ...]) -> dict[str, float]:
    return {other: float(other == label) for other in labels}
