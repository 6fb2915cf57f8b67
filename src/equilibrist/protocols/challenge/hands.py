"""Playing hands against a server: what it tells of them is checked, counted and logged."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import urlsplit

import numpy as np

from equilibrist.errors import EquilibristError
from equilibrist.evaluation import Estimate
from equilibrist.parsing.arguments import bad_argument, whole_number
from equilibrist.play.bots.answers import BotAnswer
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.protocols.acpc.client import Player
from equilibrist.protocols.acpc.dealer import MatchResult
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.log import LoggedHand, MatchLog
from equilibrist.protocols.acpc.match_state import Deal, MatchState
from equilibrist.protocols.acpc.rules import rules_of
from equilibrist.protocols.acpc.values import values
from equilibrist.protocols.challenge.http_client import failed
from equilibrist.protocols.challenge.luck import ServedLuck, steps
from equilibrist.protocols.slumbot_notation import increment, read_betting

HEADS_UP: Final = GameDefinition("nolimit", (20000, 20000), (100, 50), first_players=(1, 0, 0, 0))
"""The game of public servers: blinds 50/100, stacks 20,000."""
SERVER: Final = "server"
HANDS: Final = "hands"
"""Who corrected the luck of hands: the server, or we, from both hands that it showed."""
_MOST_STACKS: Final = 20
"""Stacks by which a hand without luck may be won or lost; more is no figure of a hand."""
OPPONENT: Final = "opponent"
"""What the player at the other end is called."""


class ServedHand(NamedTuple):
    """A hand as a server tells it."""

    position: int
    """Ours: 0 is the big blind."""
    hole_cards: str
    """Ours, such as `AcKd`."""
    board: str
    actions: str
    """The betting in Slumbot's notation, see `slumbot_notation`."""
    winnings: float | None = None
    """What we won, in chips; None until the hand is over."""
    opponent_cards: str = ""
    """The cards of the opponent once the hand is over, if they are shown."""
    aivat: float | None = None
    """What we won without luck by the server's own account, in chips; None where it has none."""


class Server(Protocol):
    """The calls of a server."""

    def new_hand(self) -> ServedHand:
        """Ask for a hand; returns it once we are to act, or it is over.

        Returns:
            The hand.

        Raises:
            PeerError: The server is gone, or answers what is no hand.
        """
        ...

    def act(self, taken: str) -> ServedHand:
        """Send an action; returns the hand once we are to act again, or it is over.

        Args:
            taken: The action in Slumbot's notation.

        Returns:
            The hand.

        Raises:
            PeerError: The server is gone, or answers what is no hand.
        """
        ...


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


@dataclass(frozen=True)
class ChallengeResult(MatchResult):
    """How hands against a server ended; player 0 is ours.

    Attributes:
        without_luck: What we won in each hand without luck (AIVAT), in chips; None where a hand has
            no such figure.
        corrected_by: Whose account that is: `server`, or `hands`, both of which were shown.
    """

    without_luck: tuple[float, ...] | None = None
    corrected_by: str = HANDS

    @property
    def aivat(self) -> Estimate | None:
        """What we won in a hand without luck, in thousandths of a big blind; of two hands or more.

        The mean of the luck that is taken out is 0, whatever the server plays.
        """
        if self.without_luck is None or len(self.without_luck) < 2:
            return None
        won = np.array(self.without_luck) * 1000.0 / self.big_blind
        return Estimate.of_sums(len(won), float(won.sum()), float(np.square(won).sum()))

    def to_dict(self) -> dict[str, Any]:
        """Give the result as plain values.

        Returns:
            A document, as `--json` prints it.
        """
        aivat = self.aivat
        told = None
        if aivat is not None:
            told = {
                "mbb_per_hand": aivat.mean,
                "interval": aivat.half_width,
                "corrected_by": self.corrected_by,
            }
        return {**super().to_dict(), "aivat": told}


@dataclass
class Challenge:
    """Hands against a server.

    Attributes:
        server: The calls of the server.
        player: What plays.
        name: What it is called in the log.
        definition: The game.
        log: Where the hands go; None for nowhere.
        warn: Called with a sentence about each action that had to be made legal.
        won: Chips won, hand by hand.
        told: The same without luck, hand by hand, by the server's account; None where it has none.
        without_luck: The same by ours, from both hands; None where they were not shown.
        warnings: How many actions had to be made legal.
    """

    server: Server
    player: Player
    name: str = "player"
    definition: GameDefinition = HEADS_UP
    log: MatchLog | None = None
    warn: Callable[[str], None] = lambda _text: None
    won: list[Fraction] = field(default_factory=list, init=False)
    told: list[float | None] = field(default_factory=list, init=False)
    without_luck: list[float | None] = field(default_factory=list, init=False)
    warnings: int = field(default=0, init=False)

    def play(
        self, hands: int, on_hand: Callable[[int], None] = lambda _hands: None
    ) -> ChallengeResult:
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
    def result(self) -> ChallengeResult:
        """The result so far.

        Without luck it is by one account, that of the server where that covers all hands.
        """
        won = tuple(self.won)
        total = sum(won, Fraction(0))
        blocks = tuple(map(float, won))
        told, ours = _whole(self.told), _whole(self.without_luck)
        return ChallengeResult(
            names=(self.name, OPPONENT),
            scores=(total, -total),
            hands=len(won),
            big_blind=self.definition.big_blind,
            blocks=(blocks, tuple(-value for value in blocks)),
            block_hands=1,
            warnings=self.warnings,
            without_luck=ours if told is None else told,
            corrected_by=SERVER if told else HANDS,
        )

    def _hand(self, hand: int) -> None:
        answers = dict[str, BotAnswer]()
        served, taken = self.server.new_hand(), list[str]()
        first = served
        while served.winnings is None:
            seen = self._read(served, first, taken, hand)
            if not seen.is_to_act:
                raise failed(OPPONENT, f"it waits after {served.actions!r}")
            chosen, problem = seen.betting.fixed(self.player(seen))
            answer = getattr(self.player, "answer", None)
            if answer is not None and seen.betting.choices().can_fold:
                answers[seen.betting.text] = answer  # whatever was drawn, or a draw would be chosen
            if problem:
                self.warnings += 1
                self.warn(f"hand {hand}: {problem}, so it is {chosen}")
            taken.append(increment(seen.betting, chosen))
            before = _letters(served)
            served = self.server.act(taken[-1])
            if not _letters(served).startswith(before + taken[-1]):
                raise failed(
                    OPPONENT, f"{served.actions!r} does not go on from {before + taken[-1]!r}"
                )
        seen = self._read(served, first, taken, hand)
        if not seen.betting.is_over:
            raise failed(OPPONENT, f"it pays after {served.actions!r}")
        won = Fraction(served.winnings).limit_denominator(10**6)
        if won not in _possible(seen):
            raise failed(OPPONENT, f"it pays {served.winnings:g} after {served.actions!r}")
        most = _MOST_STACKS * max(self.definition.stacks)
        if served.aivat is not None and not abs(served.aivat) <= most:
            raise failed(OPPONENT, f"it says that {served.aivat:g} was won without luck")
        without_luck = self._without_luck(seen, won, answers)
        self.won.append(won)
        self.told.append(served.aivat)
        self.without_luck.append(without_luck)
        if self.log is not None:
            client = seen.position
            names = [OPPONENT, OPPONENT]
            names[client] = self.name
            values = [-won, -won]
            values[client] = won
            for whose, value in ((SERVER, served.aivat), (HANDS, without_luck)):
                if value is not None:
                    self.log.add(f"# without luck {hand} {value:.6g} by {whose}")
            self.log.add(LoggedHand(hand, seen.betting, seen.cards, tuple(values), tuple(names)))

    def _without_luck(
        self, seen: MatchState, won: Fraction, answers: dict[str, BotAnswer]
    ) -> float | None:
        """What a hand is worth without luck by our account; None where it has none."""
        if not all(seen.cards.holes):
            return None
        return float(won) - self._luck.of(seen.betting, seen.cards, seen.position, answers)

    @cached_property
    def _luck(self) -> ServedLuck:
        return ServedLuck(rules_of(self.definition))

    def _read(
        self, served: ServedHand, first: ServedHand, taken: Sequence[str], hand: int
    ) -> MatchState:
        """The hand of the server as a match state, in which we have acted as we did."""
        try:
            if served.position not in (0, 1):
                raise bad_argument("position", served.position, "0 or 1")
            betting = read_betting(rules_of(self.definition), served.actions)
            holes: list[tuple[int, ...]] = [(), ()]
            holes[served.position] = tuple(parse_cards(served.hole_cards))
            holes[1 - served.position] = tuple(parse_cards(served.opponent_cards))
            board = tuple(parse_cards(served.board))
            cards = Deal(tuple(holes), board[: betting.board_cards])
            # Writing and reading it checks the cards.
            written = MatchState(served.position, hand, betting, cards)
            read = MatchState.parse(rules_of(self.definition), str(written))
        except EquilibristError as error:
            raise failed(OPPONENT, f"no state of a hand: {error}") from None
        if (served.position, served.hole_cards) != (first.position, first.hole_cards):
            raise failed(OPPONENT, "our position or cards are others than at first")
        ours = [step for step in steps(betting) if step.before.player == served.position]
        if len(ours) != len(taken):
            raise failed(OPPONENT, f"{served.actions!r} has actions of ours that were not sent")
        return read


def _whole(figures: Sequence[float | None]) -> tuple[float, ...] | None:
    """The figures of all hands; None where one has none."""
    known = tuple(value for value in figures if value is not None)
    return known if len(known) == len(figures) else None


def _letters(served: ServedHand) -> str:
    """The actions of a hand without the slashes, some of which servers may leave out."""
    return served.actions.replace("/", "")


def _possible(seen: MatchState) -> set[Fraction]:
    """What a hand that is over may be worth to us: one amount where the cards tell, else three."""
    betting, cards = seen.betting, seen.cards
    tells = all(cards.holes) and len(cards.board) == sum(betting.rules.board)
    if betting.is_folded or tells:
        return {values(betting, cards)[seen.position]}
    most = Fraction(min(betting.state.stakes))
    return {most, Fraction(0), -most}
