"""The calls of the GTO Wizard Benchmark: `POST hands`, then `POST hands/{id}/act`.

Marc-Antoine Provost et al., "GTO Wizard Benchmark", arXiv 2603.23660. Blinds are 50/100 and stacks
20,000 chips in every hand; the server corrects the luck of each hand by AIVAT, knowing its own
strategy. What is known of the documents is what public clients of it read and write; all names are
in this module, in `FIELDS` and the constants beside it, so that another version is a matter of this
one table. Nothing here has been tried against the server itself.

Actions are `f`, `k` (check), `c`, and `b` with the total of the street as `amount`; the history is
a list of them, `b` with its total, and `_` where a street ends.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.challenge.hands import OPPONENT, ServedHand
from equilibrist.protocols.challenge.http_client import Post, failed
from equilibrist.protocols.slumbot_notation import BET

URL: Final = "https://researcher.gtowizard.com"
"""The address of the server."""
KEY_HEADER: Final = "X-API-Key"
"""The header that has the key of a user."""
GAME: Final = "HUNL 200BB"
"""What the server calls its game."""
HANDS: Final = "hands"
"""The call for a new hand; `hands/{id}/act` takes an action."""
REQUEST: Final = {"game": "game_name", "action": "action", "amount": "amount"}
"""The names in the documents that are sent."""
FIELDS: Final = {
    "number": "hand_id",
    "stack": "game.starting_stack",
    "blinds": "game.blinds",
    "is_over": "game_state.is_hand_over",
    "history": "game_state.action_history",
    "board": "game_state.board_cards",
    "players": "game_state.players",
    "winnings": "game_state.winnings",
    "aivat": "game_state.aivat_score",
}
"""Where the answer has what; a point leads into a document inside."""
PLAYER_FIELDS: Final = {"name": "name", "position": "position", "hole_cards": "hole_cards"}
"""The names of what the answer has of a player."""
SERVER_PLAYERS: Final = ("GTO Wizard", "GTO Wizard AI")
"""What the server calls itself among the players."""
POSITIONS: Final = {"BB": 0, "SB": 1, "BTN": 1}
"""Its words for positions: 0 is the big blind."""
STREET_END: Final = "_"
"""What stands in the history where a street ends."""
BUSY: Final = frozenset(
    {HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT}
)
"""The statuses of a server that is busy: the call is sent again."""
FULL: Final = HTTPStatus.CONFLICT
"""The status of a new hand where too many are open."""


def is_busy(call: str, status: int) -> bool:
    """Tell whether a call may be sent again; see `poster`.

    Args:
        call: Its name.
        status: The status that was answered.

    Returns:
        Whether it was not taken.
    """
    return status in BUSY or (status == FULL and call == HANDS)


class _Player(BaseModel):
    """A player of an answer."""

    name: str = ""
    position: str
    hole_cards: str | None = None


class _Answer(BaseModel):
    """What the server answers, by our names."""

    model_config = ConfigDict(allow_inf_nan=False)

    number: int | str
    stack: float | None = None
    blinds: list[float] | None = None
    is_over: bool
    history: list[str]
    board: str | None = ""
    players: list[_Player] = Field(min_length=2, max_length=2)
    winnings: float | None = None
    aivat: float | None = None


class GtoWizardServer:
    """Hands by the calls of the GTO Wizard Benchmark.

    Args:
        post: Sends documents to the calls.
        definition: The game that is played; the server's stacks and blinds must be these.
    """

    def __init__(self, post: Post, definition: GameDefinition) -> None:
        """Play no hand yet; the class describes the arguments."""
        self._post, self._definition = post, definition
        self._number: int | str = ""
        self._own: int | None = None

    def new_hand(self) -> ServedHand:
        """Ask for a hand; see `Server`."""
        self._own = None
        return self._call(HANDS, {REQUEST["game"]: GAME})

    def act(self, taken: str) -> ServedHand:
        """Send an action; see `Server`."""
        document: dict[str, Any] = {REQUEST["action"]: taken[:1], REQUEST["amount"]: None}
        if taken.startswith(BET):
            document[REQUEST["amount"]] = int(taken[1:])
        return self._call(f"{HANDS}/{self._number}/act", document)

    def _call(self, call: str, document: dict[str, Any]) -> ServedHand:
        answer = self._post(call, document)
        try:
            state = _Answer.model_validate(_renamed(answer))
        except ValidationError as error:
            raise failed(OPPONENT, f"no state of a hand: {error.errors()[0]['msg']}") from None
        self._check(state, is_new=call == HANDS)
        number = self._own_player(state)
        own, other = state.players[number], state.players[1 - number]
        if (
            own.position not in POSITIONS
            or POSITIONS.get(other.position) == POSITIONS[own.position]
        ):
            raise failed(OPPONENT, f"the positions are {own.position!r} and {other.position!r}")
        if state.is_over and state.winnings is None:
            raise failed(OPPONENT, "it ends a hand, and pays nothing")
        return ServedHand(
            position=POSITIONS[own.position],
            hole_cards=own.hole_cards or "",
            board=state.board or "",
            actions="".join(map(_action, state.history)),
            winnings=state.winnings if state.is_over else None,
            opponent_cards=(other.hole_cards or "") if state.is_over else "",
            aivat=state.aivat,
        )

    def _check(self, state: _Answer, *, is_new: bool) -> None:
        """Check that the answer is of the hand, and of the game."""
        if is_new:
            self._number = state.number
        elif state.number != self._number:
            raise failed(OPPONENT, f"it answers hand {state.number} in hand {self._number}")
        definition = self._definition
        if state.stack is not None and {state.stack} != {*definition.stacks}:
            raise failed(OPPONENT, f"its stacks are {state.stack:g}")
        if state.blinds is not None and sorted(state.blinds) != sorted(definition.blinds):
            raise failed(OPPONENT, f"its blinds are {state.blinds}")

    def _own_player(self, state: _Answer) -> int:
        """Which of the players we are: the one that is not the server, and shows its cards."""
        if self._own is None:
            others = [k for k in (0, 1) if state.players[k].name not in SERVER_PLAYERS]
            shown = [k for k in (0, 1) if state.players[k].hole_cards]
            either = next((found for found in (others, shown) if len(found) == 1), None)
            if either is None:
                names = [player.name for player in state.players]
                raise failed(OPPONENT, f"which of the players {names} we are is not said")
            self._own = either[0]
        return self._own


def _renamed(answer: Any) -> dict[str, Any]:
    """The parts of an answer by our names; those that it lacks are left out."""
    parts = {ours: _at(answer, path) for ours, path in FIELDS.items()}
    players = parts["players"]
    if isinstance(players, list):
        parts["players"] = [
            {ours: _at(player, path) for ours, path in PLAYER_FIELDS.items()} for player in players
        ]
    return {ours: part for ours, part in parts.items() if part is not None}


def _at(document: Any, path: str) -> Any:
    for name in path.split("."):
        document = document.get(name) if isinstance(document, dict) else None
    return document


def _action(word: str) -> str:
    """An action of the history in Slumbot's notation, in which chips are whole numbers."""
    if word == STREET_END:
        return "/"
    return word.removesuffix(".0")
