"""The calls of Slumbot: `new_hand` and `act`, with a token that goes from answer to call."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from equilibrist.protocols.challenge.hands import OPPONENT, ServedHand
from equilibrist.protocols.challenge.http_client import Post, failed

PATH: Final = "/slumbot/api"
"""Where the calls are, if the address of a server has no path."""


class _Answer(BaseModel):
    """What the server answers; it may have more."""

    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)

    token: str | None = None
    client_pos: int
    hole_cards: list[str]
    board: list[str]
    action: str
    winnings: float | None = None
    bot_hole_cards: list[str] | None = None


class SlumbotServer:
    """Hands by Slumbot's calls.

    Args:
        post: Sends documents to the calls.
    """

    def __init__(self, post: Post) -> None:
        """Begin no session yet; the class describes the argument."""
        self._post = post
        self._token: str | None = None

    def new_hand(self) -> ServedHand:
        """Ask for a hand; see `Server`."""
        return self._call("new_hand", {} if self._token is None else {"token": self._token})

    def act(self, taken: str) -> ServedHand:
        """Send an action; see `Server`."""
        return self._call("act", {"token": self._token, "incr": taken})

    def _call(self, call: str, document: dict[str, Any]) -> ServedHand:
        answer = self._post(call, document)
        if isinstance(answer, dict) and answer.get("error_msg"):
            raise failed(OPPONENT, f"{answer['error_msg']}"[:500])
        try:
            state = _Answer.model_validate(answer)
        except ValidationError as error:
            raise failed(OPPONENT, f"no state of a hand: {error.errors()[0]['msg']}") from None
        if state.token is not None:
            self._token = state.token
        return ServedHand(
            position=state.client_pos,
            hole_cards="".join(state.hole_cards),
            board="".join(state.board),
            actions=state.action,
            winnings=state.winnings,
            opponent_cards="".join(state.bot_hole_cards or []),
        )
