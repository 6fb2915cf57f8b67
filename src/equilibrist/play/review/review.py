"""Reviews of hands: every decision of a player, or of all, with totals; as table and document."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from equilibrist.errors import ConfigError
from equilibrist.formatting.brief import brief_repr
from equilibrist.formatting.escaping import guard_cell
from equilibrist.parsing.arguments import file_name
from equilibrist.play.grades import Grade
from equilibrist.play.histories.faults import HandError, LeftOut
from equilibrist.play.histories.played import ReadHands
from equilibrist.play.review.decisions import COLUMNS, ReviewedDecision, Unjudged
from equilibrist.play.review.judging import Judge, Verdict
from equilibrist.play.review.table_hands import TableHand, table_hand
from equilibrist.play.review.turns import Turn, calls_whole_blind, replay_hand, street_name
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.combos import combo_name
from equilibrist.storage.atomic import write_bytes
from equilibrist.storage.replaceable import check_replaceable

_PROGRESS_OF: Final = (
    Unjudged.UNREADABLE,
    Unjudged.NOT_COVERED,
    Unjudged.OTHER_GAME,
    Unjudged.OTHER_BOARD,
    Unjudged.MULTIWAY,
    Unjudged.NO_RANGES,
    Unjudged.STACKS,
    Unjudged.UNSOLVED,
    Unjudged.OFF_TREE,
    Unjudged.NOT_IN_RANGE,
    Unjudged.UNREACHED,
    Unjudged.NO_CARDS,
)
"""Reasons by how near the solution was to a judgement, the farthest first."""


_NOT_COVERED: Final = Verdict(None, Unjudged.NOT_COVERED, "the solutions begin later in the hand")


class ReviewedHand(NamedTuple):
    """What is said of a hand."""

    name: str
    """What it is called."""
    decisions: list[ReviewedDecision]
    stopped: str = ""
    """Why there are no more decisions; empty if the hand is whole."""
    is_complete: bool = True
    """Whether all judges were asked; else `decisions` has what was judged before."""

    def to_line(self) -> str:
        """Give it as a line of JSON, of which `from_line` makes an equal one."""
        decisions = [decision.to_state() for decision in self.decisions]
        state = {"hand": self.name, "stopped": self.stopped, "decisions": decisions}
        return json.dumps(state, allow_nan=False)

    @classmethod
    def from_line(cls, line: str) -> Self:
        """Make it of a line that `to_line` gave.

        Args:
            line: The line.

        Raises:
            ValueError: It is none, as one that was cut off; KeyError and TypeError likewise.
        """
        state = json.loads(line)
        decisions = [ReviewedDecision.from_state(decision) for decision in state["decisions"]]
        return cls(str(state["hand"]), decisions, str(state["stopped"]))


class Total(NamedTuple):
    """What decisions lost together."""

    decisions: int
    """How many were judged."""
    unjudged: int
    loss: float
    """In chips."""
    loss_bb: float
    """In big blinds."""
    pot_share: float
    """The sum of the losses in percent of their pots."""

    @classmethod
    def of(cls, decisions: Iterable[ReviewedDecision]) -> Total:
        """Add up decisions."""
        listed = list(decisions)
        judged = [decision for decision in listed if decision.judgement is not None]
        return cls(
            len(judged),
            len(listed) - len(judged),
            sum(decision.loss or 0.0 for decision in judged),
            sum(decision.loss_bb or 0.0 for decision in judged),
            sum(decision.loss_percent or 0.0 for decision in judged),
        )

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain values; the share of the pot as a mean."""
        return {
            "judged": self.decisions,
            "unjudged": self.unjudged,
            "loss": self.loss,
            "loss_bb": self.loss_bb,
            "mean_loss_percent": self.pot_share / self.decisions if self.decisions else None,
        }


@dataclass(frozen=True, eq=False)
class Review:
    """What the decisions of hands lost against solutions.

    Attributes:
        decisions: All decisions of the players that were reviewed, in the order of play.
        hands: How many hands were read.
        left_out: Hands that could not be read.
        players: The names of those who were reviewed, in the order in which they came.
        is_complete: Whether all hands were reviewed; not after Ctrl-C, or when time was up.
    """

    decisions: tuple[ReviewedDecision, ...]
    hands: int
    left_out: tuple[LeftOut, ...] = ()
    players: tuple[str, ...] = ()
    is_complete: bool = True

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def judged(self) -> list[ReviewedDecision]:
        """The decisions that could be judged."""
        return [decision for decision in self.decisions if decision.judgement is not None]

    @property
    def worst(self) -> list[ReviewedDecision]:
        """Decisions that lost anything, in big blinds, the worst first."""
        lost = [decision for decision in self.judged if (decision.loss or 0.0) > 0.0]
        return sorted(lost, key=lambda decision: -(decision.loss_bb or 0.0))

    @property
    def total(self) -> Total:
        """What all lost together."""
        return Total.of(self.decisions)

    def totals(self, key: Callable[[ReviewedDecision], str]) -> dict[str, Total]:
        """Add up decisions by street, by position, or by anything else.

        Args:
            key: What they are sorted by.

        Returns:
            A total for each key, in the order in which they come.
        """
        groups: dict[str, list[ReviewedDecision]] = {}
        for decision in self.decisions:
            groups.setdefault(key(decision), []).append(decision)
        return {name: Total.of(group) for name, group in groups.items()}

    @property
    def by_street(self) -> dict[str, Total]:
        """Totals of the streets that were played, from the first."""
        totals = self.totals(lambda decision: decision.street)
        return {name: totals[name] for name in map(street_name, range(4)) if name in totals}

    @property
    def by_position(self) -> dict[str, Total]:
        """Totals of the positions."""
        return self.totals(lambda decision: decision.position)

    @property
    def by_player(self) -> dict[str, Total]:
        """Totals of the players."""
        return self.totals(lambda decision: decision.player)

    @property
    def grades(self) -> dict[Grade, int]:
        """How many decisions had each grade."""
        counts = dict.fromkeys(Grade, 0)
        for decision in self.judged:
            assert decision.judgement is not None
            counts[decision.judgement.grade] += 1
        return counts

    @property
    def reasons(self) -> dict[Unjudged, int]:
        """How many decisions could not be judged, by the reason, the most frequent first."""
        counts: dict[Unjudged, int] = {}
        for decision in self.decisions:
            if decision.reason is not None:
                counts[decision.reason] = counts.get(decision.reason, 0) + 1
        return dict(sorted(counts.items(), key=lambda entry: -entry[1]))

    def to_dict(self) -> dict[str, Any]:
        """Give all of it as plain values, the worst decisions first.

        Returns:
            A document, as `--json` prints it.
        """
        worst = self.worst
        rest = [decision for decision in self.judged if not (decision.loss or 0.0) > 0.0]
        unjudged = [decision for decision in self.decisions if decision.judgement is None]

        def documents(totals: dict[str, Total]) -> dict[str, Any]:
            return {name: total.to_dict() for name, total in totals.items()}

        return {
            "hands": self.hands,
            "players": list(self.players),
            "complete": self.is_complete,
            "total": self.total.to_dict(),
            "by_street": documents(self.by_street),
            "by_position": documents(self.by_position),
            "by_player": documents(self.by_player),
            "grades": {str(grade): count for grade, count in self.grades.items()},
            "unjudged": {str(reason): count for reason, count in self.reasons.items()},
            "left_out": [entry._asdict() for entry in self.left_out],
            "decisions": [decision.to_dict() for decision in [*worst, *rest, *unjudged]],
        }

    def to_csv(self) -> str:
        """Give the decisions as CSV, in the order of play.

        Returns:
            A row for each decision, with the columns `COLUMNS`.
        """
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        for decision in self.decisions:
            row = decision.row()
            writer.writerow([_cell(row[column]) for column in COLUMNS])
        return text.getvalue()


def review_hands(
    hands: Sequence[TableHand],
    judges: Sequence[Judge],
    *,
    hero: str | None = None,
    everybody: bool = False,
    left_out: Sequence[LeftOut] = (),
    on_hand: Callable[[int, TableHand], object] | None = None,
    earlier: Sequence[ReviewedHand] = (),
    on_reviewed: Callable[[ReviewedHand], object] | None = None,
) -> Review:
    """Judge every decision of a player in hands.

    Args:
        hands: The hands.
        judges: The solutions; each decision is judged by the one that fits best and says most.
        hero: The name of the player; None for the player whose cards the hands tell, and where
            they tell those of several players, for all of them.
        everybody: Whether all players whose cards are known are judged, shown ones included.
        left_out: Hands that could not be read.
        on_hand: Called before each hand with its number, from 0, and the hand.
        earlier: What an earlier review of the same hands said of the first of them.
        on_reviewed: Called with what is said of each further hand that was judged whole.

    Returns:
        The review; that of the hands so far, and of what was judged of the last one, if a
        KeyboardInterrupt comes between.

    Raises:
        ConfigError: There is no such player.
    """
    if hero is not None:
        check_hero(hands, hero)
    decisions: list[ReviewedDecision] = []
    players: dict[str, None] = {}
    unread = list(left_out)
    is_complete = True
    try:
        for number, hand in enumerate(hands):
            seats = _reviewed_seats(hand, hero, everybody=everybody)
            if number < len(earlier):
                reviewed = earlier[number]
            else:
                if on_hand is not None:
                    on_hand(number, hand)
                reviewed = _reviewed(hand, seats, judges)
            players |= {hand.players[seat]: None for seat in seats}
            decisions += reviewed.decisions
            if not reviewed.is_complete:
                raise KeyboardInterrupt
            if on_reviewed is not None and number >= len(earlier):
                on_reviewed(reviewed)
            if reviewed.stopped:
                fault = HandError("end-not-reviewed", detail=reviewed.stopped)
                unread.append(LeftOut.of(number + 1, hand.line, hand.name, fault))
    except KeyboardInterrupt:
        is_complete = False
    return Review(
        tuple(decisions), len(hands) + len(left_out), tuple(unread), tuple(players), is_complete
    )


def check_hero(hands: Sequence[TableHand], hero: str) -> None:
    """Check that somebody in the hands has a name.

    Args:
        hands: The hands.
        hero: The name.

    Raises:
        ConfigError: Nobody has it, and there are hands.
    """
    names = {name: None for hand in hands for name in hand.players}
    if hands and hero not in names:
        raise ConfigError(
            f"no player is called {hero}",
            option="hero",
            given=hero,
            expected=", ".join([*names][:12]),
            remedy="give a name as the hands have it",
        )


def _reviewed_seats(hand: TableHand, hero: str | None, *, everybody: bool) -> list[int]:
    """The seats whose decisions are judged."""
    if everybody:
        return [*range(hand.hand.seats)]
    if hero is not None:
        return [seat for seat, name in enumerate(hand.players) if name == hero]
    if hand.hero is not None:
        return [hand.hero]
    return [seat for seat, combo in enumerate(hand.combos) if combo is not None]


def _reviewed(hand: TableHand, seats: Sequence[int], judges: Sequence[Judge]) -> ReviewedHand:
    """Judge the decisions of seats in a hand."""
    combos = [hand.combos[seat] if seat in seats else None for seat in range(hand.hand.seats)]
    replay = replay_hand(hand, combos)
    wanted = [k for k, turn in enumerate(replay.turns) if turn.seat in seats]
    chosen: list[Verdict | None] = [
        Verdict(None, Unjudged.NO_CARDS, "the cards are not known")
        if combos[turn.seat] is None
        else None
        for turn in replay.turns
    ]
    fits = sorted(
        ((judge.fit(hand), judge) for judge in judges),
        key=lambda entry: (entry[0].reason is not None, entry[0].distance),
    )
    is_complete = True
    for fit, judge in fits:
        open_turns = [replay.turns[k] for k in wanted if _is_open(chosen[k])]
        if fit.reason is None and all(turn.street < fit.street for turn in open_turns):
            continue  # opening or solving it would tell nothing new
        try:
            verdicts = judge.verdicts(hand, combos)
        except KeyboardInterrupt:
            is_complete = False
            wanted = [k for k in wanted if (own := chosen[k]) is not None and own.judgement]
            break
        for k, verdict in enumerate(verdicts):
            chosen[k] = _better(chosen[k], verdict)
    decisions = [_decision(hand, replay.turns[k], chosen[k] or _NOT_COVERED) for k in wanted]
    return ReviewedHand(hand.name, decisions, replay.stopped, is_complete)


def _is_open(verdict: Verdict | None) -> bool:
    """Whether another judge may have more to say on a decision."""
    if verdict is None:
        return True
    return verdict.judgement is None and verdict.reason is not Unjudged.NO_CARDS


def _better(one: Verdict | None, other: Verdict) -> Verdict:
    """The verdict that says more; of two judgements the first."""
    if one is None:
        return other
    if one.judgement is not None or other.judgement is None:
        if one.judgement is None and one.reason is not None and other.reason is not None:
            near = _PROGRESS_OF.index
            return other if near(other.reason) > near(one.reason) else one
        return one
    return other


def _decision(hand: TableHand, turn: Turn, verdict: Verdict) -> ReviewedDecision:
    combo = hand.combos[turn.seat]
    return ReviewedDecision(
        hand=hand.name,
        player=hand.players[turn.seat],
        position=hand.positions[turn.seat],
        street=street_name(turn.street),
        cards="" if combo is None else combo_name(combo),
        board=card_names(turn.played.board),
        line=turn.played.text,
        played="Call" if calls_whole_blind(hand.rules, turn) else f"{turn.action}",
        pot=float(turn.pot),
        big_blind=hand.big_blind,
        judgement=verdict.judgement,
        reason=verdict.reason,
        why=verdict.why,
    )


def table_hands(played: ReadHands) -> tuple[list[TableHand], list[LeftOut]]:
    """Take the hands of a file that can be reviewed.

    Args:
        played: What the file holds.

    Returns:
        The hands, and those that are left out, with those that could not be read before.
    """
    hands, left_out = list[TableHand](), list(played.left_out)
    for hand in played.hands:
        try:
            hands.append(table_hand(hand))
        except HandError as error:
            left_out.append(LeftOut.of(hand.number, hand.line, hand.name, error))
    return hands, sorted(left_out, key=lambda out: out.number)


def _cell(value: Any) -> str:
    """A value in a table; numbers with nine significant digits."""
    if value is None:
        return ""
    return f"{value:.9g}" if isinstance(value, float) else guard_cell(f"{value}")


def write_review_csv(review: Review, path: str | os.PathLike[str]) -> Path:
    """Write the decisions of a review as CSV; an earlier review is replaced, no other file.

    Args:
        review: The review.
        path: The file.

    Returns:
        The path.

    Raises:
        OutputError: It cannot be written, or another file stands there.
    """
    target = file_name("path", path)
    check_replaceable(target, ".csv")
    write_bytes(target, review.to_csv().encode())
    return target
