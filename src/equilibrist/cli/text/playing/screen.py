"""The terminal interface of `play.Session`: its output, and the input of people."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from equilibrist.cli.text.output import (
    Align,
    heading,
    show,
    show_exactly,
    show_facts,
    show_table,
)
from equilibrist.cli.text.playing.answering import (
    EndOfInputError,
    QuitError,
    ask_action,
    read_line,
    show_actions,
    shown,
)
from equilibrist.cli.text.wording import Wording
from equilibrist.errors import ConfigError, EquilibristError
from equilibrist.formatting.amounts import probability_text
from equilibrist.formatting.escaping import escape_control_chars
from equilibrist.game import CHANCE

if TYPE_CHECKING:
    from equilibrist.play import HandLog, HandRecord, Move, PhhLog, Score, Session
    from equilibrist.play.range_mixtures import RangeMixture, Ranges
    from equilibrist.play.session import Turn

_CLEAR = "\x1b[2J\x1b[3J\x1b[H"
_LONG: Final = 11
"""Payoffs with a sign, a point and more than nine digits are rounded."""
_SIDES: Final[tuple[Align, ...]] = ("left", "right", "left", "left")


class Screen:
    """Plays a session with the people who type into standard input."""

    def __init__(
        self,
        session: Session,
        *,
        show_ai: bool,
        quiet: bool,
        log: HandLog | PhhLog | None = None,
        wording: Wording | None = None,
        ranges: Ranges | None = None,
        is_open: bool = False,
    ) -> None:
        from equilibrist.play import Person

        self.session = session
        self.wording = Wording() if wording is None else wording
        self.show_ai = show_ai
        self.quiet = quiet
        self.log = log
        self.ranges = ranges
        self.is_open = is_open
        self.names = [seat.name for seat in session.seats]
        self.people = [i for i, seat in enumerate(session.seats) if isinstance(seat, Person)]
        self.is_terminal = sys.stdin is not None and sys.stdin.isatty()
        self._last_seen: int | None = None
        """The seat of the person who looks at the screen, where several share it."""
        self._is_written_on = False
        """Whether there is anything to read before the screen is cleared."""
        self._ev_loss = 0.0
        """In all complete hands."""
        self._remark = ""
        """What the coach adds to its verdict on the choice that was typed."""

    def run(self, hands: int | None) -> None:
        """Play `hands` hands (None: until the input ends), then show the score.

        ConfigError where the input ends in the middle of a hand, or before the first was complete.
        """
        broken_off = ""
        try:
            while hands is None or self.session.score.hands < hands:
                self._play_hand()
        except QuitError:
            self.session.withdraw()
        except EndOfInputError:
            chosen = self.session.withdraw()
            done = self.session.score.hands
            if not self.is_terminal and (chosen or not done):
                broken_off = (
                    f"the input ended in the middle of hand {done + 1}, which does not count; "
                    f"complete hands: {done}"
                )
        except (KeyboardInterrupt, EquilibristError) as error:  # rules that fail, a full disk
            if self.is_terminal and isinstance(error, KeyboardInterrupt):
                show()  # the cursor stands behind a prompt
            self.session.withdraw()
            self._finish()
            raise
        self._finish()
        if broken_off:
            raise ConfigError(
                broken_off, option="hand", remedy="answer every prompt, or end with q"
            )

    def _play_hand(self) -> None:
        session = self.session
        ev_loss = 0.0
        with self.wording.thinking():
            turn = session.deal()
        while turn is not None:
            self._hide_from_others(turn)
            self._show_turn(turn)
            index = self._ask(turn)
            words = shown(turn.words)
            show(f"{self._who(turn.seat, turn.player)}: {words[index]}")
            with self.wording.thinking():
                turn = session.choose(index)
            if session.advice is not None:
                ev_loss += session.advice.ev_loss or 0.0
                self.wording.advice(session.advice, words)
                if self._remark:
                    show(self._remark)
        self._last_seen = None
        self._ev_loss += ev_loss
        record = session.last
        assert record is not None
        if self.log is not None:
            self.log.add(record)
        if self.people or not self.quiet:
            self._show_record(record)

    def _who(self, seat: int, player: int) -> str:
        return f"{self.names[seat]} ({self.wording.player(player)})"

    def _hide_from_others(self, turn: Turn) -> None:
        """Where people share the screen, give it to the one whose turn it is."""
        if len(self.people) < 2 or turn.seat == self._last_seen:
            return
        self._last_seen = turn.seat
        if not self.is_terminal:
            show(f"--- {self.names[turn.seat]} only ---")
            return
        if self._is_written_on:
            self._read("Press Enter when you have read this; the screen is cleared then: ")
        self._is_written_on = True
        show_exactly(_CLEAR)
        show(f"It is the turn of {self._who(turn.seat, turn.player)}; others look away.")
        self._read("Press Enter when only you see the screen: ")

    def _show_turn(self, turn: Turn) -> None:
        heading(f"Hand {turn.hand}: {self._who(turn.seat, turn.player)} to choose")
        from equilibrist.play.words import shown_facts

        facts = shown_facts(turn.facts, self._key_names)
        infoset = self._key_names.get(turn.infoset, turn.infoset)
        show_facts([*facts, ("infoset", infoset), ("mediator", _recommended(turn))])
        if self.is_open:
            self._show_open()
        show_actions(turn.actions, turn.words)

    def _ask(self, turn: Turn) -> int:
        """The index of the action that is typed."""
        bet, ranges = self.wording.bet, self.ranges
        self._remark = ""

        def meant(text: str) -> int | None:
            mapped = None if bet is None else bet(turn.infoset, text, turn.words)
            if mapped is None:
                return None
            index, self._remark = mapped
            return index

        return ask_action(
            self.names[turn.seat],
            turn.actions,
            turn.words,
            is_terminal=self.is_terminal,
            meant=None if bet is None else meant,
            ranges=None if ranges is None else lambda: self._show_ranges(ranges, turn),
        )

    def _show_ranges(self, ranges: Ranges, turn: Turn) -> None:
        """Show what the AI does with its whole range, as far as the person may know it."""
        with self.wording.thinking():
            mixtures = ranges.mixtures(turn.infoset)
        if not mixtures:
            show("The AI has not acted yet in this hand.")
            return
        show("The AI, with its whole range (what it did in brackets):")
        has_lines = any(mixture.where for mixture in mixtures)  # else none, or the root alone
        rows = []
        for mixture in mixtures:
            who = self._who(self.session.seat_of(mixture.player), mixture.player)
            where = [mixture.where] if has_lines else []
            rows.append([who, *where, f"{mixture.holdings:,}", _range_text(mixture)])
        sides: list[Align] = ["left", "right", "left"]
        if has_lines:
            sides.insert(1, "left")
        show_table(["who", *(["after"] if has_lines else []), "may hold", "takes"], rows, sides)

    def _show_open(self) -> None:
        """All moves so far, with what the strategies hold and drew from."""
        table = self.session.table
        assert table is not None
        seats = [self.session.seat_of(player) for player in range(len(self.names))]
        columns = ["who", "infoset", "action", "drawn from"]
        rows = [self._row(move, seats, mixture=True) for move in table.moves]
        show_table(columns, rows, ["left"] * len(columns))

    def _read(self, text: str) -> str:
        return read_line(text, is_terminal=self.is_terminal)

    def _show_record(self, record: HandRecord) -> None:
        result = ", ".join(
            f"{self.names[seat]} {_payoff_text(payoff, self.wording)}"
            for seat, payoff in enumerate(record.payoffs_by_seat())
        )
        heading(f"Hand {record.hand} is over: {result}{self.wording.in_unit}")
        rows = [self._row(move, record.seats, mixture=self.show_ai) for move in record.moves]
        columns = ["who", "infoset", "action", *(["drawn from"] if self.show_ai else [])]
        show_table(columns, rows, ["left"] * len(columns))
        if self.people:
            self._show_running()
            show()

    def _row(self, move: Move, seats: Sequence[int], *, mixture: bool) -> list[str]:
        """A move, and what it was drawn from."""
        chance = move.player == CHANCE
        mover = "chance" if chance else self._who(seats[move.player], move.player)
        words = self._words(move)
        key = move.infoset or ""
        row = [mover, self._key_names.get(key, key), words[move.index]]
        if mixture:
            row.append("" if chance else _mixture_text(move, words))
        return row

    @cached_property
    def _key_names(self) -> dict[str, str]:
        """What people read for keys and outcomes that are called otherwise."""
        from equilibrist.tree.shown_names import shown_names

        return shown_names(self.session.game)

    def _words(self, move: Move) -> Sequence[str]:
        """The best word for each action that was open."""
        from equilibrist.play import action_words

        if move.infoset is None:
            return [self._key_names.get(text, text) for text in move.actions]
        return shown(action_words(self.session.game, move.infoset, move.actions))

    def _show_running(self) -> None:
        score, aivat = self.session.score, self.session.aivat_score
        for seat in self.people:
            parts = [f"{self.names[seat]} {_mean_text(score, seat, self.wording)}"]
            if aivat is not None:
                parts.append(f"AIVAT {_mean_text(aivat, seat, self.wording)}")
            hands, unit = _hands(score.hands), self.wording.in_unit
            show(f"Score after {hands}, per hand{unit}: {'; '.join(parts)}")

    def _finish(self) -> None:
        score = self.session.score
        if not score.hands:
            show("No hand was complete.")
            return
        name, unit = self.session.game.name, self.wording.in_unit
        heading(f"{name}: the score after {_hands(score.hands)}{unit}")
        columns = ["seat", "total", "per hand"]
        rows = [
            [name, _payoff_text(score.totals[s], self.wording), _mean_text(score, s, self.wording)]
            for s, name in enumerate(self.names)
        ]
        aivat = self.session.aivat_score
        if aivat is not None:
            columns.append("per hand, by AIVAT")
            rows = [[*row, _mean_text(aivat, s, self.wording)] for s, row in enumerate(rows)]
        show_table(columns, rows, _SIDES[: len(columns)])
        if aivat is not None:
            show("AIVAT estimates the same mean with lower variance: it corrects for the luck of")
            show("the deal and of the strategies' random actions and hidden information.")
        if self.session.coach is not None:
            show(
                f"Total EV loss against the solution: {self.wording.amount(self._ev_loss)} in "
                f"{_hands(score.hands)}."
            )
        show(f"--seed {self.session.seed} deals the same hands again.")


def _recommended(turn: Turn) -> str:
    """Say what a mediator recommends; nothing where there is none."""
    if not turn.mediated:
        return ""
    if turn.recommended is None:
        return "says nothing more in this hand: you did not follow"
    return f"recommends {shown(turn.words)[turn.actions.index(turn.recommended)]}"


def _hands(count: int) -> str:
    return f"{count:,} hand{'s' * (count != 1)}"


def _payoff_text(payoff: float, wording: Wording) -> str:
    """Write a payoff in chips with up to four decimals, else as it is, if that is short."""
    if wording.unit and min(wording.payoff_ranges, default=1.0) >= 1.0:
        return f"{payoff:+z.4f}".rstrip("0").rstrip(".")
    text = f"{payoff:+z.10g}"
    return text if len(text) < _LONG else f"{payoff:+z.6g}"


def _mean_text(score: Score, seat: int, wording: Wording) -> str:
    mean, *ends = wording.figures(score.means[seat], *(score.interval(seat) or ()))
    return f"{mean} (95 % interval {' to '.join(ends)})" if ends else mean


def _mixture_text(move: Move, words: Sequence[str]) -> str:
    if move.probabilities is None:
        return "chosen"
    return _shares_text(words, move.probabilities, move.index)


def _range_text(mixture: RangeMixture) -> str:
    if mixture.probabilities is None:
        return "unknown: the solution never comes here"
    taken = None if mixture.taken is None else mixture.actions.index(mixture.taken)
    words = [escape_control_chars(word) for word in mixture.words]
    return _shares_text(words, mixture.probabilities, taken)


def _shares_text(words: Sequence[str], shares: Sequence[float], marked: int | None) -> str:
    """Each action with its probability; one of them in brackets."""
    texts = [f"{word} {probability_text(p)}" for word, p in zip(words, shares, strict=True)]
    if marked is not None:
        texts[marked] = f"[{texts[marked]}]"
    return "  ".join(texts)
