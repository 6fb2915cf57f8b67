"""Judges: a solution of hold'em, and what it says of the decisions of played hands.

A hand is mapped to the betting of the solution as bots map it: bets count as shares of the pot, and
a bet that the solution does not have is taken for the likeliest of its neighbours. A loss is the
EV of the best action less that of what was played, both against what the solution's opponents bring
to the decision. Of a player's own bet between two of the menu the EV is the mean of both, weighted
by the mapping. Losses are shares of the pot, times the pot at the table. Of a chart with prizes a
percent of the prize pool counts as a percent of all chips in play.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, Protocol

from equilibrist.errors import EquilibristError
from equilibrist.formatting.amounts import counted, significant
from equilibrist.options.defaults import STACKS_WITHIN
from equilibrist.play.bets import MappedBet
from equilibrist.play.bots.betting import Betting, betting_of
from equilibrist.play.bots.translation import Translated, back, map_action, translate
from equilibrist.play.coach import Advice
from equilibrist.play.grades import Grade, Stake, judge
from equilibrist.play.hands.push_fold import PushFoldGame
from equilibrist.play.review.decisions import JudgedAction, Judgement, SolutionPlace, Unjudged
from equilibrist.play.review.fitting import Fit, HandFitting, SpotFitting, apart
from equilibrist.play.review.posted_rules import PostedRules
from equilibrist.play.review.table_hands import TableHand
from equilibrist.play.review.turns import (
    Replay,
    StreetRoot,
    Turn,
    hand_rules,
    replay_hand,
    replay_spot,
    street_name,
)
from equilibrist.play.solutions.players import SolutionCoach
from equilibrist.play.solutions.reading import PushFoldReader, Reader
from equilibrist.poker.betting.actions import WORDS, Action, Kind
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.combos import combo_name
from equilibrist.poker.cards.isomorphism import CARD_IMAGES, COMBO_IMAGES
from equilibrist.poker.decisions.solution import HandSolution
from equilibrist.poker.postflop.spot.spot import Spot

_FARTHEST: Final = 3.0
"""A bet is not taken for one that is more than so many times as large or as small."""
_SAME: Final = 1e-9
_RARELY: Final = 1e-3
"""After an action that the opponents take less often, nothing is known of what they hold."""


class Verdict(NamedTuple):
    """What a judge says of a decision: a judgement, or why there is none."""

    judgement: Judgement | None
    reason: Unjudged | None = None
    why: str = ""


class Judge(Protocol):
    """Anything that judges the decisions of hands."""

    name: str

    def fit(self, hand: TableHand) -> Fit:
        """Say whether the hand can be judged at all."""
        ...

    def verdicts(self, hand: TableHand, combos: Sequence[int | None]) -> list[Verdict]:
        """Judge the decisions of a hand.

        Args:
            hand: The hand.
            combos: The combo of each seat whose decisions are judged; None for the others.

        Returns:
            A verdict for each decision that `replay_hand` gives.
        """
        ...


class SolutionJudge:
    """Judges by a solution of whole hands, or of a spot.

    Args:
        name: What the solution is called.
        solution: The solution.
        within: By which factor stacks, and the pot that play begins with, may differ.
        seed: The seed of what is drawn where values are estimates.

    Raises:
        ConfigError: It is no solution of hold'em, or it has amounts that hands do not have.
    """

    def __init__(
        self, name: str, solution: HandSolution, within: float = STACKS_WITHIN, seed: int = 0
    ) -> None:
        """Judge by a solution; the class describes the arguments."""
        self.name, self.within = name, within
        self._coach = SolutionCoach(solution, seed)
        self._reader = self._coach.reader
        self._strategy = betting_of(self._reader.game)
        hand = self._reader.solution.hand
        self._spot: Spot | None = hand if isinstance(hand, Spot) else None
        self.fitting: SpotFitting | HandFitting = (
            HandFitting(self._reader.game.rules, within)
            if self._spot is None
            else SpotFitting(self._spot, within)
        )
        game = self._reader.game
        has_prizes = isinstance(game, PushFoldGame) and game.pushes.payouts is not None
        self._prize_chips = game.chips_of_unit if has_prizes else None
        """What a percent of the prize pool counts in chips; None for solutions of chips."""
        self._error = float(getattr(solution, "known_error", None) or 0.0) if self._spot else 0.0

    @property
    def reader(self) -> Reader:
        """What finds the decisions of the solution."""
        return self._reader

    @property
    def strategy(self) -> Betting:
        """The betting of the solution."""
        return self._strategy

    @property
    def solution(self) -> Any:
        """The solution."""
        return self._reader.solution

    def fit(self, hand: TableHand) -> Fit:
        """Say whether the hand can be judged at all.

        Args:
            hand: The hand.

        Returns:
            Whether it fits, or why not.
        """
        return self.fitting.fit(hand)

    def verdicts(self, hand: TableHand, combos: Sequence[int | None]) -> list[Verdict]:
        """Judge the decisions of a hand.

        Args:
            hand: The hand.
            combos: The combo of each seat whose decisions are judged; None for the others.

        Returns:
            A verdict for each decision that `replay_hand` gives.
        """
        whole = replay_hand(hand, combos)
        fit = self.fit(hand)
        if fit.reason is not None:
            return refused_by(fit, hand)
        if isinstance(self.fitting, HandFitting):
            return self._whole_hand(hand, whole, combos)
        street = self.fitting.street
        before = [turn for turn in whole.turns if turn.street < street]
        earlier = _too_early(street)
        replay = self._replay(hand, self.fitting, combos)
        verdicts = [earlier] * len(before)
        verdicts += [self._verdict(replay, turn) for turn in replay.turns]
        lost = Verdict(None, Unjudged.OFF_TREE, replay.stopped or "the spot is over")
        return (verdicts + [lost] * len(whole.turns))[: len(whole.turns)]

    # -- the play of a hand

    def _whole_hand(
        self, hand: TableHand, whole: Replay, combos: Sequence[int | None]
    ) -> list[Verdict]:
        """Judge a hand from its first decision that the solution has."""
        assert isinstance(self.fitting, HandFitting)
        seen = self.fitting.seen(hand)
        assert seen is not None
        gone = hand.hand.seats - seen.hand.seats
        if not gone:
            return [self._verdict(whole, turn) for turn in whole.turns]
        theirs = counted(seen.hand.seats, "seat")
        missing = Verdict(None, Unjudged.OTHER_GAME, f"the solution has {theirs}, and not this one")
        note = f"{counted(gone, 'seat')} that folded left out"
        replay = replay_hand(seen, [*combos[:2], *combos[2 + gone :]])
        verdicts = [self._verdict(replay, turn) for turn in replay.turns]
        return [*[missing] * gone, *(noted(verdict, note) for verdict in verdicts)]

    def _replay(
        self, hand: TableHand, fitting: SpotFitting, combos: Sequence[int | None]
    ) -> Replay:
        """The hand from the root of the spot on, with the suits of the spot."""
        root, number = fitting.root(hand), fitting.images(hand)
        assert root is not None
        assert number is not None
        images = CARD_IMAGES[number].tolist()
        held = [None if combo is None else int(COMBO_IMAGES[number, combo]) for combo in combos]
        return replay_spot(hand.moved(images), root, table_spot(fitting.spot, hand, root), held)

    def _verdict(self, replay: Replay, turn: Turn) -> Verdict:
        if turn.played.combo < 0:
            return Verdict(None, Unjudged.NO_CARDS, "the cards are not known")
        there = replay.table.depth(turn.played.seat)
        own = self._strategy.depth(turn.played.seat)
        has, wants = significant(there, 3), significant(own, 3)
        if apart(there, own) > self.within:
            unit = "pots" if self._spot is not None else "bb"
            why = f"the stack is {has} {unit} deep, and in the solution {wants}"
            return Verdict(None, Unjudged.STACKS, why)
        notes = []
        posted = None if self._spot is not None else hand_rules(replay)
        if isinstance(posted, PostedRules):
            if turn.street == 0 and turn.seat in posted.late:
                why = "a late blind is posted there, and none in the solution"
                return Verdict(None, Unjudged.OFF_TREE, why)
            notes.append(f"the hand has {posted.words}")
        place = translate(turn.played, replay.table, self._strategy, None, {})
        if apart(there, own) > 1.0 + _SAME:
            unit = "pots" if self._spot is not None else "bb"
            notes.append(f"stacks of {has} {unit}, in the solution {wants}")
        strange = self._strange_bet(turn, place)
        if strange is not None:
            why = f"{strange} is like no bet of the solution"
            return Verdict(None, Unjudged.OFF_TREE, why)
        notes += [f"{mapped.action} taken for {mapped.taken_for}" for mapped in place.mapped]
        if place.state is None:
            after = f" after {place.lost_at}" if place.lost_at else ""
            return Verdict(None, Unjudged.OFF_TREE, f"the solution has nothing like it{after}")
        try:
            return self._judged(replay, turn, place, notes)
        except EquilibristError as error:
            return Verdict(None, Unjudged.OFF_TREE, f"{error}")

    def _strange_bet(self, turn: Turn, place: Translated) -> str | None:
        """Name the first bet before a decision that is like none of the solution; None if all are.

        What a bet is taken for may be the nearest and still far from it.
        """
        for mapped in place.mapped:
            number = next(
                k for k, before in enumerate(turn.played.actions) if before.where == mapped.where
            )
            if number < len(place.steps) and self._is_strange(
                mapped.bet, place.steps[number].state
            ):
                return mapped.action
        return None

    def _is_strange(self, bet: MappedBet, state: Any) -> bool:
        """Whether a bet is far from all that it may be taken for at a state of the strategy."""
        if bet.is_exact:
            return False
        if isinstance(self._reader, PushFoldReader):  # no other bet is like all-in
            return True
        menu, limits = self._strategy.menu(state), self._strategy.options(state).bets
        assert limits is not None
        own = [limits.share(float(menu[k].amount)) for k in bet.shares]
        return all(apart(bet.share, share) > _FARTHEST for share in own)

    def _judged(self, replay: Replay, turn: Turn, place: Translated, notes: list[str]) -> Verdict:
        table, strategy, played = replay.table, self._strategy, turn.played
        menu = strategy.menu(place.state)
        bet = map_action(played.state, turn.action, table, strategy, place.state, menu)
        if bet is None or self._is_strange(bet, place.state):
            why = f"{turn.action} is like no action of the solution"
            return Verdict(None, Unjudged.OFF_TREE, why)
        size = table.board_size[table.street(played.state)]
        at = self._reader.place(place.state, played.board[:size])
        if self._reader.mixture(at, played.combo) is None:
            return Verdict(None, Unjudged.NOT_IN_RANGE, "the solution does not bring the hand here")
        rare = self._rare_action(turn, place)
        if rare is not None:
            return Verdict(None, Unjudged.UNREACHED, f"the solution hardly ever plays {rare}")
        advice = self._coach.advise_at(played.combo, at)
        if advice.values is None:
            return Verdict(None, Unjudged.UNREACHED, "the opponents never come here")
        labels = self._labels(replay, turn, place.state, menu)
        if not bet.is_exact:
            names = " or ".join(labels[k] for k in bet.shares)
            notes = [*notes, f"{turn.action} valued as {names}"]
        pot = float(strategy.options(place.state).pot)
        if self._prize_chips is not None:
            advice = replace(
                advice,
                values=tuple(self._prize_chips * value for value in advice.values),
                errors=None
                if advice.errors is None
                else tuple(self._prize_chips * error for error in advice.errors),
            )
        judgement = self._judgement(advice, bet, turn.pot / pot, pot, labels, notes)
        there = SolutionPlace(
            kind="hands" if self._spot is None else "spot",
            line=at.line,
            board=card_names(at.board),
            hand=combo_name(played.combo),
        )
        is_mapped = bool(place.mapped) or not bet.is_exact
        return Verdict(replace(judgement, is_mapped=is_mapped, place=there))

    def _rare_action(self, turn: Turn, place: Translated) -> str | None:
        """The first action of an opponent that the solution hardly ever takes; None if all are."""
        for step in place.steps:
            if step.seat == turn.played.seat:
                continue
            decision = self._reader.decision(self._reader.place(step.state, step.board))
            if decision.frequencies[step.taken] < _RARELY:
                return decision.codes[step.taken]
        return None

    def _judgement(
        self,
        advice: Advice,
        bet: MappedBet,
        chips: float,
        pot: float,
        labels: Sequence[str],
        notes: Sequence[str],
    ) -> Judgement:
        """Value what was played; `chips` are those of the table per unit of the solution."""
        values, mixture, errors = advice.values, advice.mixture, advice.errors
        assert values is not None
        value = sum(share * values[k] for k, share in bet.shares.items())
        frequency = sum(share * mixture[k] for k, share in bet.shares.items())
        best = values.index(max(values))
        error = None
        if errors is not None:
            error = errors[best] + sum(share * errors[k] for k, share in bet.shares.items())
            error = 0.0 if bet.shares.get(best) == 1.0 else error
        chosen = replace(
            advice,
            actions=(*advice.actions, "played"),
            chosen=len(values),
            values=(*values, value),
            mixture=(*mixture, frequency),
            errors=None,
        )
        graded = judge(chosen, Stake(pot), max(self._error, error or 0.0))
        loss, prize_loss = values[best] - value, None
        if self._prize_chips is not None:
            prize_loss = loss / self._prize_chips
            notes = [*notes, f"{prize_loss:.3g}% of the prize pool"]
        return Judgement(
            against=self.name,
            best=labels[best],
            loss=chips * loss,
            prize_loss=prize_loss,
            error=None if error is None else chips * error,
            frequency=float(frequency),
            grade=Grade.BEST if graded is None else graded.grade,
            actions=tuple(
                JudgedAction(label, float(share), chips * (values[best] - own))
                for label, share, own in zip(labels, mixture, values, strict=True)
            ),
            notes=tuple(notes),
        )

    def _labels(
        self, replay: Replay, turn: Turn, state: Any, menu: Sequence[Action]
    ) -> tuple[str, ...]:
        """The actions of the solution as they are at the table, in words."""
        table, strategy = replay.table, self._strategy
        options, own = table.options(turn.played.state), strategy.options(state)
        is_deeper = table.depth(turn.played.seat) > strategy.depth(turn.played.seat) * (1 + _SAME)
        labels = []
        for action in menu:
            kind, total = back(action, own, options, is_deeper=is_deeper)
            if total is None:
                labels.append(WORDS[kind])
            else:
                labels.append(f"{table.read(turn.played.state, Action(Kind.BET, _whole(total)))}")
        return tuple(labels)


def refused_by(fit: Fit, hand: TableHand) -> list[Verdict]:
    """Give the verdict on all decisions of a hand that does not fit.

    Args:
        fit: How it does not.
        hand: The hand.

    Returns:
        A verdict for each decision.
    """
    refusal, early = Verdict(None, fit.reason, fit.why), _too_early(fit.street)
    turns = replay_hand(hand, hand.combos).turns
    return [early if turn.street < fit.street else refusal for turn in turns]


def noted(verdict: Verdict, note: str) -> Verdict:
    """Add a note to a judgement.

    Args:
        verdict: A verdict.
        note: The note.

    Returns:
        The verdict with the note; as it is without a judgement.
    """
    judgement = verdict.judgement
    if judgement is None:
        return verdict
    return verdict._replace(judgement=replace(judgement, notes=(*judgement.notes, note)))


def _too_early(street: int) -> Verdict:
    """The verdict on decisions before the street with which a solution begins."""
    return Verdict(None, Unjudged.NOT_COVERED, f"the solution begins on the {street_name(street)}")


def table_spot(spot: Spot, hand: TableHand, root: StreetRoot) -> Spot:
    """The spot of a solution with pot and stacks of a hand, and every amount to bet.

    Args:
        spot: The spot of the solution.
        hand: The hand.
        root: Where two seats begin to play the spot.

    Returns:
        The spot at the table.
    """
    every = dict.fromkeys(("oop_bets", "oop_raises", "ip_bets", "ip_raises"))
    return spot.replace(
        pot=root.pot,
        stack=root.stack,
        bets="",
        raises="",
        donks="",
        add_all_in=0.0,
        force_all_in=0.0,
        merge=0.0,
        raise_cap=None,
        min_bet=hand.big_blind,
        unit=hand.rules.scale.unit,
        added_lines=(),
        removed_lines=(),
        locks=(),
        rake_cap=None,
        **every,
    )


def _whole(total: float) -> float:
    """An amount as actions have it: an int where it is whole."""
    return int(total) if float(total).is_integer() else total
