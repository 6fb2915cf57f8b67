"""The dealer: deals hands, asks the seats, keeps to the rules, and writes what happened.

The cards come from NumPy's generator: hand by hand from the seed and the number of the deal, so
that any hand can be dealt alone. The competition's own dealer draws from a Mersenne twister, so the
same seed deals other cards there.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from equilibrist.errors import ConfigError, FileFormatError, PeerError
from equilibrist.parsing.arguments import bad_argument, whole_number
from equilibrist.poker.decisions.decision import finite_or_none
from equilibrist.protocols.acpc.betting import AcpcAction, Betting
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.log import LoggedHand, MatchLog, check_names, score_line
from equilibrist.protocols.acpc.match_state import (
    COMMENTS,
    MOST_HANDS,
    Deal,
    MatchState,
    rotated,
    seen_by,
)
from equilibrist.protocols.acpc.rules import rules_of
from equilibrist.protocols.acpc.transactions import Transaction, TransactionLog


class Seat(Protocol):
    """A player at the other end of a connection."""

    def send(self, line: str) -> None:
        """Send a line; raises PeerError where nobody is there any more.

        Args:
            line: The line, without its end.
        """
        ...

    def receive(self, seconds: float) -> str:
        """Wait for a line.

        Args:
            seconds: How long to wait.

        Returns:
            The line, without its end.

        Raises:
            PeerError: The player is gone.
            TimeoutError: No line came in time.
        """
        ...


@dataclass(frozen=True)
class TimeLimits:
    """How long a player may take, in seconds.

    Attributes:
        response: For an answer.
        hand: For all its answers in a hand.
        per_hand: For all its answers in the match, times the number of hands.
    """

    response: float = 600.0
    hand: float = 600.0
    per_hand: float = 7.0


@dataclass(frozen=True)
class MatchSettings:
    """What a match is.

    Attributes:
        definition: The game.
        hands: How many hands.
        seed: The seed of the cards.
        names: The players.
        fixed_seats: Whether seats do not rotate.
        duplicate: Whether every deal is played once in each rotation of the seats.
        shows_folded: Whether folded hands are shown at the end of a hand.
        limits: How long players may take.

    Raises:
        ConfigError: The values are out of range, or do not fit together.
    """

    definition: GameDefinition
    hands: int
    seed: int = 0
    names: tuple[str, ...] = ()
    fixed_seats: bool = False
    duplicate: bool = False
    shows_folded: bool = False
    limits: TimeLimits = field(default_factory=TimeLimits)

    def __post_init__(self) -> None:
        seats = self.definition.seats
        whole_number("hands", self.hands, 1, MOST_HANDS)
        whole_number("seed", self.seed, 0)
        names = self.names or tuple(f"player{number}" for number in range(1, seats + 1))
        if len(names) != seats:
            raise bad_argument("names", ", ".join(names), f"{seats} names, one a player")
        object.__setattr__(self, "names", check_names(names))
        if self.duplicate and self.fixed_seats:
            raise ConfigError(
                "duplicate hands are played in every rotation of the seats",
                option="fixed_seats",
                given=True,
                remedy="leave out one of the two",
            )
        if self.duplicate and self.hands % seats:
            raise bad_argument(
                "hands", self.hands, f"a multiple of {seats}: every deal is played so often"
            )


def deal_cards(settings: MatchSettings, hand: int) -> Deal:
    """Deal a hand.

    Args:
        settings: The match.
        hand: The number of the hand.

    Returns:
        All its cards.
    """
    definition = settings.definition
    number = hand // definition.seats if settings.duplicate else hand
    generator = np.random.default_rng(np.random.SeedSequence([settings.seed, number]))
    seats, size = definition.seats, definition.num_hole_cards
    count = seats * size + sum(definition.num_board_cards)
    drawn = generator.permutation(len(definition.deck))[:count].tolist()
    cards = [definition.deck[index] for index in drawn]
    holes = tuple(tuple(cards[k * size : (k + 1) * size]) for k in range(seats))
    return Deal(holes, tuple(cards[seats * size :]))


@dataclass(frozen=True)
class MatchResult:
    """How a match ended.

    Attributes:
        names: The players.
        scores: What each won in all, in chips.
        hands: How many hands were played.
        big_blind: The largest blind.
        blocks: By player what it won in each deal: a hand, or all rotations of a duplicate deal.
        block_hands: How many hands are in a block.
        warnings: How many messages were no legal answers.
    """

    names: tuple[str, ...]
    scores: tuple[Fraction, ...]
    hands: int
    big_blind: int
    blocks: tuple[tuple[float, ...], ...]
    block_hands: int
    warnings: int

    @property
    def score_line(self) -> str:
        """The last line of the log."""
        return score_line(self.scores, self.names)

    def mbb(self, player: int) -> tuple[float, float]:
        """What a player won in thousandths of a big blind a hand.

        Args:
            player: Its number.

        Returns:
            The mean, and half the width of its 95 % interval; NaN where there are no two deals.
        """
        won = np.array(self.blocks[player]) * 1000.0 / (self.block_hands * self.big_blind)
        if not len(won):
            return float("nan"), float("nan")
        if len(won) < 2:
            return float(won.mean()), float("nan")
        return float(won.mean()), float(1.96 * won.std(ddof=1) / np.sqrt(len(won)))

    def to_dict(self) -> dict[str, Any]:
        """Give the result as plain values.

        Returns:
            A document, as `--json` prints it.
        """
        players = []
        for player, name in enumerate(self.names):
            mean, width = self.mbb(player)
            players.append(
                {
                    "name": name,
                    "chips": float(self.scores[player]),
                    "mbb_per_hand": finite_or_none(mean),
                    "interval": finite_or_none(width),
                }
            )
        return {"hands": self.hands, "players": players, "warnings": self.warnings}


class Dealer:
    """Plays a match.

    Args:
        settings: The match.
        seats: The players.
        log: The log; None for none. Hands that it has already are not written again.
        transactions: The transaction log; None for none. The match begins with its past.
        warn: Called with a sentence about each message that is no legal answer.
        clock: The clock of the time limits, in seconds.
        on_hand: Called with the number of hands that are over.
    """

    def __init__(
        self,
        settings: MatchSettings,
        seats: Sequence[Seat],
        log: MatchLog | None = None,
        transactions: TransactionLog | None = None,
        warn: Callable[[str], None] = lambda _text: None,
        clock: Callable[[], float] = time.time,
        on_hand: Callable[[int], None] = lambda _hands: None,
    ) -> None:
        """Sit down; the class describes the arguments."""
        self.settings, self.rules = settings, rules_of(settings.definition)
        self._seats, self._log, self._transactions = seats, log, transactions
        self._warn, self._clock, self._on_hand = warn, clock, on_hand
        self._past = deque[Transaction]() if transactions is None else transactions.past
        self._used = [0.0] * len(seats)
        self._used_in_hand = [0.0] * len(seats)
        self._won: list[list[Fraction]] = [[] for _ in seats]
        self._warnings = 0

    def run(self) -> MatchResult:
        """Play all hands.

        Returns:
            The result; the score has been written to the log.

        Raises:
            PeerError: A player is gone, or took too long; the hands so far are in the log.
            FileFormatError: The transactions are none of this match.
            OutputError: A log cannot be written.
        """
        for hand in range(self.settings.hands):
            self._play(hand)
        if self._past:
            raise self._foreign(self._past[0])
        result = self.result
        if self._log is not None:
            self._log.add(result.score_line)
        return result

    @property
    def result(self) -> MatchResult:
        """The result so far."""
        settings = self.settings
        size = settings.definition.seats if settings.duplicate else 1
        hands = len(self._won[0])
        blocks = tuple(
            tuple(float(sum(won[k : k + size])) for k in range(0, hands - size + 1, size))
            for won in self._won
        )
        return MatchResult(
            names=settings.names,
            scores=tuple(sum(won, Fraction(0)) for won in self._won),
            hands=hands,
            big_blind=settings.definition.big_blind,
            blocks=blocks,
            block_hands=size,
            warnings=self._warnings,
        )

    def _play(self, hand: int) -> None:
        settings = self.settings
        position_of = rotated(len(self._seats), hand, fixed=settings.fixed_seats)
        player_at = [position_of.index(position) for position in range(len(position_of))]
        cards = deal_cards(settings, hand)
        self._used_in_hand = [0.0] * len(self._seats)
        betting = Betting.start(self.rules)
        is_told = betting.is_over and not self._past  # the blinds were all chips
        while not betting.is_over:
            player = player_at[betting.player]
            if self._past:
                betting = self._replayed(betting, hand, player)
                continue
            if self._log is not None and hand < self._log.first_hand:
                raise FileFormatError(
                    f"{self._log.path} has more hands than the transactions",
                    self._log.path,
                    option="transactions",
                    given=self._log.first_hand,
                    expected=hand,
                    remedy="name the transactions of this match, or another log",
                )
            state = self._tell(hand, betting, cards, position_of)[player]
            is_told = True
            transaction = self._ask(player, hand, betting, state)
            if self._transactions is not None:
                self._transactions.add(transaction)
            betting = betting.play(transaction.action)
        if is_told:
            self._tell(hand, betting, cards, position_of)
        names = [settings.names[player] for player in player_at]
        logged = LoggedHand.of(hand, betting, cards, names)
        for player, position in enumerate(position_of):
            self._won[player].append(logged.values[position])
        if self._log is not None and hand >= self._log.first_hand:
            self._log.add(logged)
        self._on_hand(hand + 1)

    def _tell(
        self, hand: int, betting: Betting, cards: Deal, position_of: Sequence[int]
    ) -> list[str]:
        """Send the state to every player; returns what each was sent."""
        lines = []
        for player, position in enumerate(position_of):
            seen = seen_by(betting, cards, position, shows_folded=self.settings.shows_folded)
            lines.append(str(MatchState(position, hand, betting, seen)))
            try:
                self._seats[player].send(lines[-1])
            except PeerError as error:
                raise self._broken(player, hand, str(error)) from None
        return lines

    def _ask(self, player: int, hand: int, betting: Betting, state: str) -> Transaction:
        """Wait for the answer to a state; what is no answer to it is ignored."""
        sent = self._clock()
        deadline = sent + self._time_left(player)
        while True:
            try:
                line = self._seats[player].receive(max(0.0, deadline - self._clock()))
            except TimeoutError:
                raise self._broken(player, hand, "it took too long to answer") from None
            except PeerError as error:
                raise self._broken(player, hand, str(error)) from None
            received = self._clock()
            if received > deadline:  # however many comments and empty lines keep coming
                raise self._broken(player, hand, "it took too long to answer")
            if line.startswith(COMMENTS) or not line.strip():
                continue
            if line != state and not line.startswith(f"{state}:"):
                self._complain(player, hand, f"ignored, as it answers another state: {line[:200]}")
                continue
            action, problem = betting.fixed(AcpcAction.parse(line[len(state) + 1 :]))
            if problem:
                self._complain(player, hand, f"{problem}, so it is {action}: {line[:200]}")
            used = max(0.0, received - sent)
            self._used[player] += used
            self._used_in_hand[player] += used
            return Transaction(action, hand, sent, received)

    def _time_left(self, player: int) -> float:
        limits = self.settings.limits
        pooled = limits.per_hand * self.settings.hands - self._used[player]
        return min(limits.response, limits.hand - self._used_in_hand[player], pooled)

    def _replayed(self, betting: Betting, hand: int, player: int) -> Betting:
        transaction = self._past.popleft()
        _, problem = betting.fixed(transaction.action)
        if transaction.hand != hand or problem:
            raise self._foreign(transaction)
        used = max(0.0, transaction.received - transaction.sent)
        self._used[player] += used
        self._used_in_hand[player] += used
        return betting.play(transaction.action)

    def _complain(self, player: int, hand: int, text: str) -> None:
        self._warnings += 1
        self._warn(f"{self.settings.names[player]}, hand {hand}: {text}")

    def _broken(self, player: int, hand: int, reason: str) -> PeerError:
        name = self.settings.names[player]
        kept = "" if self._log is None else f"; {hand} hands are in {self._log.path}"
        return PeerError(
            f"{name} is out of the match in hand {hand}: {reason}{kept}",
            peer=name,
            option="player",
            given=reason,
            place=f"hand {hand}",
            remedy=None if self._transactions is None else "go on with the match by --append",
        )

    def _foreign(self, transaction: Transaction) -> FileFormatError:
        assert self._transactions is not None
        path = self._transactions.path
        return FileFormatError(
            f"{path} has {transaction}, which does not fit this match",
            path,
            option="transactions",
            given=str(transaction),
            remedy="give the game, the seed and the options with which the match began",
        )
