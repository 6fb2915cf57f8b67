"""A table: a session of one person against a solution, and what happened at it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from equilibrist.game import CHANCE
from equilibrist.library.opponents import Opponent
from equilibrist.parsing.arguments import bad_argument, whole_number
from equilibrist.web.errors import ConflictError, LimitError, NotFoundError

if TYPE_CHECKING:
    from equilibrist.play import Advice, Grades, HandRecord, Judgement
    from equilibrist.play.bets import MappedBet
    from equilibrist.play.range_mixtures import RangeMixture
    from equilibrist.web.answers.solutions import GoneFile

YOU = "you"
_MOST_OUTCOMES: Final = 20
"""Outcomes of an event of chance that are all kept."""


class _Drawn(Sequence[str]):
    """The labels of an event of chance, of which the one that was drawn is kept.

    A spot deals from a thousand hands: all labels of all hands would fill the memory.
    """

    def __init__(self, label: str, index: int, count: int) -> None:
        self._label, self._index, self._count = label, index, count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        if index != self._index:
            raise IndexError(index)
        return self._label


def _slim(record: HandRecord) -> HandRecord:
    """The hand without what was not drawn by chance, where that is much."""
    moves = []
    for move in record.moves:
        if move.player == CHANCE and len(move.actions) > _MOST_OUTCOMES:
            drawn: Any = _Drawn(move.action, move.index, len(move.actions))
            moves.append(replace(move, actions=drawn, probabilities=None))
        else:
            moves.append(move)
    return replace(record, moves=tuple(moves))


@dataclass(frozen=True)
class Decision:
    """A choice of the person.

    Attributes:
        move: Its number among the moves of the hand.
        infoset: The key of the infoset.
        words: The best word for each action.
        actions: The labels of the actions.
        chosen: The number of the action.
        advice: What the coach says; None without a coach.
        judgement: Its grade; None where the coach has no EVs.
        mapped: Of a bet that the solution does not have, what it was mapped to.
    """

    move: int
    infoset: str
    words: tuple[str, ...]
    actions: tuple[str, ...]
    chosen: int
    advice: Advice | None
    judgement: Judgement | None
    mapped: MappedBet | None = None


@dataclass(frozen=True)
class PlayedHand:
    """A hand that is over.

    Attributes:
        record: All moves.
        decisions: The person's choices.
        player: The person's place at the table.
        revealed: Whether the person saw the AI's cards before it was over.
    """

    record: HandRecord
    decisions: tuple[Decision, ...]
    player: int
    revealed: bool = False

    @property
    def payoff(self) -> float:
        """What the person won."""
        return self.record.payoffs[self.player]


@dataclass
class PlayTable:
    """A session, its hands and its grades. Used by one thread at a time: hold `opponent.lock`.

    Attributes:
        opponent: Whom the person plays against.
        seat: The person's seat in every hand; None if it changes.
        seed: The seed of the deals, where the person chose it; None for a secret one, since whoever
            knows it knows all cards, those of hands to come as well.
        most_hands: How many hands may be played.
        hands: The hands that are over.
        decisions: The choices in the hand in progress, or in the last one.
        revealed: Whether the AI's cards and probabilities are shown during hands.
        gone: The solution, or its game, if its file is there no longer.
    """

    opponent: Opponent
    seat: int | None
    seed: int | None
    most_hands: int
    hands: list[PlayedHand] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    revealed: bool = False
    gone: GoneFile | None = None

    def __post_init__(self) -> None:
        from equilibrist.play import Grades, Person, Session

        seed = secrets.randbits(128) if self.seed is None else self.seed
        if self.seed is not None:
            whole_number("seed", seed, 0, 2**63 - 1)
        players = self.opponent.players
        if self.seat is not None and not 0 <= self.seat < players:
            raise bad_argument("seat", self.seat, f"a number from 0 to {players - 1}")
        self.person = self.seat or 0
        names = ["AI"] if players == 2 else [f"AI {k}" for k in range(1, players)]
        seats = [self.opponent.agent(name) for name in names]
        self.session = Session(
            self.opponent.game,
            [*seats[: self.person], Person(YOU), *seats[self.person :]],
            seed=seed,
            alternate=self.seat is None,
            coach=self.opponent.coach,
            values=self.opponent.values,
        )
        self.grades: Grades = Grades()
        self._stake_name: str | None = None
        self._was_revealed = False
        self._bets = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0, 1)))

    @property
    def players(self) -> Sequence[int]:
        """The players whose part the person takes."""
        return range(self.opponent.players) if self.seat is None else (self.seat,)

    @property
    def _chips(self) -> float:
        """What a payoff of 1 is in chips: of prizes a percent of the pool."""
        return float(getattr(self.opponent.game, "chips_of_unit", 1.0))

    @property
    def stake_name(self) -> str:
        """What EV losses are held against: those graded last, else those of the turn."""
        from equilibrist.play.grades import Stake

        if self._stake_name is not None:
            return self._stake_name
        turn = self.session.turn
        stake = Stake.of(() if turn is None else turn.facts, self.opponent.stake)
        return "pot" if stake is None else stake.name

    @property
    def is_untouched(self) -> bool:
        """Whether the person has not chosen anything."""
        return not self.decisions and len(self.hands) <= 1

    def deal(self) -> None:
        """Begin the next hand. ConflictError in the middle of one, LimitError after the last."""
        if self.session.turn is not None:
            raise ConflictError(
                "the hand is not over", option="hand", remedy="choose one of its actions"
            )
        if len(self.hands) >= self.most_hands:
            raise LimitError(
                f"{self.most_hands:,} hands were played at this table, which is the limit",
                option="hands",
                given=len(self.hands),
                expected=self.most_hands,
                remedy="open another table",
            )
        self.decisions = []
        self._was_revealed = self.revealed
        if self.session.deal() is None:
            self._end()

    def reveal(self, *, shown: bool) -> None:
        """Show or hide the AI's cards and probabilities during hands.

        Args:
            shown: Whether they are shown from now on.
        """
        self.revealed = shown
        self._was_revealed = self._was_revealed or shown

    def ranges(self) -> tuple[RangeMixture, ...] | None:
        """Mix the AI's actions in the hand in progress over its whole range.

        Returns:
            One mixture per decision of the AI; None where nobody knows its ranges.

        Raises:
            ConflictError: No hand is in progress.
        """
        turn = self.session.turn
        if turn is None:
            raise ConflictError(
                "the hand is over", option="hand", remedy="look at the hand, which shows all"
            )
        ranges = self.opponent.ranges
        return None if ranges is None else ranges.mixtures(turn.infoset)

    def choose(self, hand: int, move: int, action: int | str | None, amount: float | None) -> None:
        """Play for the person.

        `hand` and `move` say which decision is meant: ConflictError if it is not the present one.
        An `amount` in chips is mapped to one of the bets of the solution.

        Args:
            hand: The number of the hand.
            move: The number of the move in it.
            action: The number of the action, or a word for it.
            amount: A bet of any size: the total on the street.
        """
        from equilibrist.play import HandGame, SpotGame, judge
        from equilibrist.play.bets import mapped_within
        from equilibrist.play.grades import Stake
        from equilibrist.play.spots.bets import map_bet

        turn, table = self.session.turn, self.session.table
        if turn is None or table is None or (turn.hand, len(table.moves)) != (hand, move):
            raise self._not_present(hand, move)
        mapped = None
        if amount is not None:
            if action is not None:
                raise bad_argument("amount", amount, "an action or an amount, not both")
            game = self.opponent.game
            if isinstance(game, HandGame):
                mapped = mapped_within(game.bet_limits(turn.infoset), amount, game.unit)
            elif isinstance(game, SpotGame):
                mapped = map_bet(game, turn.infoset, amount)
            else:
                raise bad_argument("amount", amount, "no amount: the game has none of its own")
            action = mapped.draw(self._bets)
        if action is None:
            raise bad_argument("action", action, "an action, or an amount")
        index = action if isinstance(action, int) else self._index(action, turn.words)
        self.session.choose(index)
        advice, judgement = self.session.advice, None
        if advice is not None and not advice.errors:  # estimates are not graded
            stake = Stake.of(turn.facts, self.opponent.stake, self._chips)
            judgement = judge(advice, stake, self.opponent.error)
        if judgement is not None:
            self.grades.add(judgement)
            self._stake_name = judgement.stake.name
        words = tuple(best for best, *_ in turn.words)
        self.decisions.append(
            Decision(
                move=move,
                infoset=turn.infoset,
                words=words,
                actions=turn.actions,
                chosen=index,
                advice=advice,
                judgement=judgement,
                mapped=mapped,
            )
        )
        if self.session.turn is None:
            self._end()

    def hand(self, number: int) -> PlayedHand:
        """A hand that is over; NotFoundError if there is none."""
        if not 1 <= number <= len(self.hands):
            is_present = self.session.turn is not None and number == len(self.hands) + 1
            raise NotFoundError(
                f"hand {number} is not over" if is_present else f"there is no hand {number}",
                option="hand",
                given=number,
                expected=f"1 to {len(self.hands)}" if self.hands else "a hand that is over",
                remedy="play it to its end" if is_present else "take one that was played",
            )
        return self.hands[number - 1]

    def _not_present(self, hand: int, move: int) -> ConflictError:
        """The error of a decision that is not the present one, which says why it is not.

        Args:
            hand: The number of its hand.
            move: Its number in the hand.
        """
        turn, table = self.session.turn, self.session.table
        present = turn.hand if turn is not None else len(self.hands)
        moves = 0 if table is None else len(table.moves)
        option, given = "hand", hand
        if hand < 1:
            why = f"there is no hand {hand}: the first is 1"
        elif hand > present:
            why = f"hand {hand} has not been dealt yet"
        elif turn is None or hand < present:
            why = f"hand {hand} is over"
        else:
            option, given = "move", move
            done = "was made already" if 0 <= move < moves else "is not the present one"
            why = f"move {move} of hand {hand} {done}"
        return ConflictError(
            why,
            option=option,
            given=given,
            expected=None if turn is None else f"hand {present}, move {moves}",
            remedy="look at the table again",
        )

    def _index(self, word: str, words: tuple[tuple[str, ...], ...]) -> int:
        from equilibrist.errors import UnknownNameError

        for index, names in enumerate(words):
            if word in names:
                return index
        raise UnknownNameError("action", word, [best for best, *_ in words], option="action")

    def _end(self) -> None:
        record = self.session.last
        assert record is not None
        player = record.seats.index(self.person)
        self.hands.append(
            PlayedHand(_slim(record), tuple(self.decisions), player, self._was_revealed)
        )
