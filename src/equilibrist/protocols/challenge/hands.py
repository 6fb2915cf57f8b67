"""Playing against a server by Slumbot's calls: hands in which we are the client."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from fractions import Fraction
from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from pydantic import BaseModel, ConfigDict, ValidationError

from equilibrist._version import __version__
from equilibrist.errors import EquilibristError, PeerError
from equilibrist.parsing.arguments import bad_argument, whole_number
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.protocols.acpc.client import Player
from equilibrist.protocols.acpc.dealer import MatchResult
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.log import LoggedHand, MatchLog
from equilibrist.protocols.acpc.match_state import Deal, MatchState
from equilibrist.protocols.acpc.rules import AcpcRules, rules_of
from equilibrist.protocols.acpc.values import values
from equilibrist.protocols.slumbot_notation import increment, read_betting

SLUMBOT: Final = GameDefinition("nolimit", (20000, 20000), (100, 50), first_players=(1, 0, 0, 0))
"""The game that Slumbot plays: blinds 50/100, stacks 20,000."""
PATH: Final = "/slumbot/api"
"""Where the calls are, if the address of a server has no path."""
_SECONDS: Final = 60.0
_MOST_BYTES: Final = 1_000_000
_PIECE: Final = 65_536
_OPPONENT: Final = "opponent"

Post = Callable[[str, dict[str, Any]], Any]
"""Sends a document to a call by its name, `new_hand` or `act`; returns the document answered."""


class ServerState(BaseModel):
    """What the server answers; it may have more."""

    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)

    token: str | None = None
    client_pos: int
    hole_cards: list[str]
    board: list[str]
    action: str
    winnings: float | None = None
    bot_hole_cards: list[str] | None = None


def poster(url: str, seconds: float = _SECONDS) -> Post:
    """Make what sends documents to a server.

    Args:
        url: Its address; without a path the calls are below `/slumbot/api`.
        seconds: How long to wait for a whole answer, however slowly it comes.

    Returns:
        The function.

    Raises:
        ConfigError: The address is none of HTTP.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise bad_argument("url", url, "an address such as https://slumbot.com")
    base = url.rstrip("/") if parts.path.strip("/") else f"{url.rstrip('/')}{PATH}"

    def post(call: str, document: dict[str, Any]) -> Any:
        request = Request(  # noqa: S310 the scheme was checked
            f"{base}/{call}",
            json.dumps(document).encode(),
            {"Content-Type": "application/json", "User-Agent": f"equilibrist/{__version__}"},
        )
        answered: Future[Any] = Future()

        def ask() -> None:
            try:
                answered.set_result(_answer(request, url, seconds))
            except Exception as error:
                answered.set_exception(error)

        # The time of a socket begins anew with every byte: the one deadline is out here.
        threading.Thread(target=ask, daemon=True).start()
        try:
            return answered.result(seconds)
        except TimeoutError:
            raise _failed(url, _too_late(seconds)) from None

    return post


def heading(url: str, definition: GameDefinition, player: str) -> str:
    """Write the first line of a log: only a challenge with the same one goes on with it.

    Args:
        url: The address of the server; a name and a password in it are left out.
        definition: The game.
        player: What tells the player from others.

    Returns:
        A comment.
    """
    parts = urlsplit(url)
    server = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path.rstrip('/')}"
    return f"# server/game/player {server} {_digest(definition.text())} {_digest(player)}"


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _answer(request: Request, url: str, seconds: float) -> Any:
    """What a server answers; PeerError for what is no JSON in time."""
    deadline = time.monotonic() + seconds
    try:
        with urlopen(request, timeout=seconds) as answer:  # noqa: S310 the scheme was checked
            return json.loads(_read(answer, deadline))
    except HTTPError as error:
        raise _failed(url, _reason(error, deadline)) from None
    except TimeoutError:
        raise _failed(url, _too_late(seconds)) from None
    except (OSError, ValueError, RecursionError, HTTPException) as error:
        raise _failed(url, f"{error}") from None


def _read(answer: Any, deadline: float) -> bytes:
    """The bytes of an answer; TimeoutError after the deadline."""
    content = b""
    while len(content) < _MOST_BYTES and (piece := answer.read1(_PIECE)):
        content += piece
        if time.monotonic() > deadline:
            raise TimeoutError
    return content


def _too_late(seconds: float) -> str:
    return f"no whole answer within {seconds:g} seconds"


def _reason(error: HTTPError, deadline: float) -> str:
    """What a server says of a call that it refuses."""
    try:
        with error:
            document = json.loads(_read(error, deadline))
        return f"{document['error_msg']} (status {error.code})"
    except (OSError, ValueError, KeyError, TypeError, RecursionError, HTTPException):
        return f"status {error.code}"


def _failed(server: str, reason: str) -> PeerError:
    return PeerError(f"{server}: {reason}", server, option="server", given=reason)


@dataclass
class Challenge:
    """Hands against a server.

    Attributes:
        post: Sends documents to the server.
        player: What plays.
        name: What it is called in the log.
        definition: The game.
        log: Where the hands go; None for nowhere.
        warn: Called with a sentence about each action that had to be made legal.
        won: Chips won, hand by hand.
        warnings: How many actions had to be made legal.
    """

    post: Post
    player: Player
    name: str = "player"
    definition: GameDefinition = SLUMBOT
    log: MatchLog | None = None
    warn: Callable[[str], None] = lambda _text: None
    won: list[Fraction] = field(default_factory=list, init=False)
    warnings: int = field(default=0, init=False)
    _token: str | None = field(default=None, init=False)

    def play(self, hands: int, on_hand: Callable[[int], None] = lambda _hands: None) -> MatchResult:
        """Play hands.

        Args:
            hands: How many, those of the log included.
            on_hand: Called with the number of hands that are over.

        Returns:
            The result of the hands that were played now.

        Raises:
            PeerError: The server is gone, or answers what is no state of a hand; the hands so far
                are in the log, and `result` has them.
            OutputError: The log cannot be written.
        """
        whole_number("hands", hands, 1)
        first = 0 if self.log is None else self.log.first_hand
        for hand in range(first, hands):
            self._hand(hand)
            on_hand(hand + 1)
        return self.result

    @property
    def result(self) -> MatchResult:
        """The result so far."""
        won = tuple(self.won)
        total = sum(won, Fraction(0))
        blocks = tuple(map(float, won))
        return MatchResult(
            names=(self.name, _OPPONENT),
            scores=(total, -total),
            hands=len(won),
            big_blind=self.definition.big_blind,
            blocks=(blocks, tuple(-value for value in blocks)),
            block_hands=1,
            warnings=self.warnings,
        )

    def _hand(self, hand: int) -> None:
        rules = rules_of(self.definition)
        state = self._call("new_hand", {} if self._token is None else {"token": self._token})
        while state.winnings is None:
            seen = self._read(rules, state, hand)
            if not seen.is_to_act:
                raise _failed(_OPPONENT, f"it waits after {state.action!r}")
            chosen, problem = seen.betting.fixed(self.player(seen))
            if problem:
                self.warnings += 1
                self.warn(f"hand {hand}: {problem}, so it is {chosen}")
            taken = increment(seen.betting, chosen)
            before = _letters(state)
            state = self._call("act", {"token": self._token, "incr": taken})
            if not _letters(state).startswith(before + taken):
                raise _failed(_OPPONENT, f"{state.action!r} does not go on from {before + taken!r}")
        seen = self._read(rules, state, hand)
        if not seen.betting.is_over:
            raise _failed(_OPPONENT, f"it pays after {state.action!r}")
        won = Fraction(state.winnings).limit_denominator(10**6)
        if won not in _possible(seen):
            raise _failed(_OPPONENT, f"it pays {state.winnings:g} after {state.action!r}")
        self.won.append(won)
        if self.log is not None:
            client = seen.position
            names = [_OPPONENT, _OPPONENT]
            names[client] = self.name
            values = [-won, -won]
            values[client] = won
            self.log.add(LoggedHand(hand, seen.betting, seen.cards, tuple(values), tuple(names)))

    def _call(self, call: str, document: dict[str, Any]) -> ServerState:
        answer = self.post(call, document)
        if isinstance(answer, dict) and answer.get("error_msg"):
            raise _failed(_OPPONENT, f"{answer['error_msg']}"[:500])
        try:
            state = ServerState.model_validate(answer)
        except ValidationError as error:
            raise _failed(_OPPONENT, f"no state of a hand: {error.errors()[0]['msg']}") from None
        if state.token is not None:
            self._token = state.token
        return state

    def _read(self, rules: AcpcRules, state: ServerState, hand: int) -> MatchState:
        """The state of the server as a match state."""
        try:
            if state.client_pos not in (0, 1):
                raise bad_argument("client_pos", state.client_pos, "0 or 1")
            betting = read_betting(rules, state.action)
            holes: list[tuple[int, ...]] = [(), ()]
            holes[state.client_pos] = tuple(parse_cards("".join(state.hole_cards)))
            holes[1 - state.client_pos] = tuple(parse_cards("".join(state.bot_hole_cards or [])))
            board = tuple(parse_cards("".join(state.board)))
            cards = Deal(tuple(holes), board[: betting.board_cards])
            # Writing and reading it checks the cards.
            read = MatchState(state.client_pos, hand, betting, cards)
            return MatchState.parse(rules, str(read))
        except EquilibristError as error:
            raise _failed(_OPPONENT, f"no state of a hand: {error}") from None


def _letters(state: ServerState) -> str:
    """The actions of a state without the slashes, some of which servers may leave out."""
    return state.action.replace("/", "")


def _possible(seen: MatchState) -> set[Fraction]:
    """What a hand that is over may be worth to us: one amount where the cards tell, else three."""
    betting, cards = seen.betting, seen.cards
    tells = all(cards.holes) and len(cards.board) == sum(betting.rules.board)
    if betting.is_folded or tells:
        return {values(betting, cards)[seen.position]}
    most = Fraction(min(betting.state.stakes))
    return {most, Fraction(0), -most}
