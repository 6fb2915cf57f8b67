"""Streets that two seats play, solved when hands are reviewed: flops, or what follows later."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from equilibrist.errors import ConfigError, EquilibristError
from equilibrist.formatting.amounts import counted, significant
from equilibrist.options.defaults import FLOP_BETS, FLOP_RAISES
from equilibrist.play.bots.betting import BETS
from equilibrist.play.review.decisions import Unjudged
from equilibrist.play.review.fitting import Fit, HandFitting
from equilibrist.play.review.judging import (
    Judge,
    SolutionJudge,
    Verdict,
    noted,
    refused_by,
    table_spot,
)
from equilibrist.play.review.preflop_ranges import ranges_by_solution, roles, with_hands
from equilibrist.play.review.table_hands import TableHand
from equilibrist.play.review.turns import (
    StreetRoot,
    Turn,
    live_seats,
    replay_hand,
    replay_spot,
    street_name,
    street_root,
)
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.cards.cards import card_mask, card_names
from equilibrist.poker.cards.combos import without_cards
from equilibrist.poker.cards.decks import read_deck
from equilibrist.poker.postflop.estimate.runtime import loaded_bandwidth
from equilibrist.poker.postflop.estimate.size import estimate
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.range import Range, to_digits
from equilibrist.typing import FloatArray

FORCE_ALL_IN: Final = 0.2
_LAST: Final = 1e6
"""The distance of what has to be solved first: every solution that is there comes before it."""
_ADDED: Final = 1e-3
"""The weight of hands that were held although the range lacks them."""
_LEAST: Final = 1e-4
"""Hands that a solution brings less often, compared with the most frequent one, are left out."""
_FARTHEST: Final = 10.0
"""The mean gain in percent of the pot beyond which a solution judges nothing."""
_KEPT: Final = 2
"""Solved flops that are kept, as each may take a gigabyte."""
_FLOP: Final = 1
_WITH_THREE: Final = 3
_STREET_OF_BOARD: Final = {3: 1, 4: 2, 5: 3}
_STREETS: Final = 3
_ITERATIONS: Final = 40
"""Iterations after which a solution is seldom beyond the farthest that judges."""
_FIRST: Final = 4.0
"""The time of the first iteration beyond that of others, in times that its memory is copied."""

_RAISED: Final = ("raiser", "-bettor")

SolveSpot = Callable[[Spot], PostflopResult]
"""Solves a spot; what it returns may be cut short."""


@dataclass(frozen=True)
class FlopMenu:
    """What is offered in a flop that is solved, beside the bets of the hand itself.

    Attributes:
        bets: Bet sizes of both players, as a spot has them.
        raises: Raise sizes.
        seconds: How long a solve may take; None for any time. Sizes are left out, raises first and
            then the bets of the last streets, where the solve would hardly begin in it.
        threads: The threads of a solve; by default one for each processor.
    """

    bets: str = FLOP_BETS
    raises: str = FLOP_RAISES
    seconds: float | None = None
    threads: int | None = None

    def smaller(self) -> Iterator[FlopMenu]:
        """Give this menu, and then ever smaller ones, down to the bets of the hand alone."""
        yield self
        if self.raises.strip("| "):
            yield replace(self, raises="")
        parts = self.bets.split("|")
        streets = parts * _STREETS if len(parts) == 1 else parts
        for kept in reversed(range(len(streets))):
            if any(part.strip() for part in streets[kept:]):
                bets = "|".join([*streets[:kept], *[""] * (len(streets) - kept)])
                yield replace(self, bets=bets if bets.strip("| ") else "", raises="")


class FlopJudge:
    """Judges hands by solving their flop, where two seats with chips see it.

    Pot and stacks are those of the hand, and its own bets are in the menu. The ranges are those
    that are given; else those of the first solution of whole hands that has the play before the
    flop; else those of a rule (see `preflop_ranges`). Spots are solved once.

    Where more see the flop, and two are left on the turn or the river, that street is solved if
    a solution of whole hands says what they bring there; neither given ranges nor the rule do.

    Args:
        solve: Solves a spot; a solution that it has kept in a file judges by the name of that.
        menu: The sizes.
        sources: Judges; those by solutions of whole hands give ranges.
        ranges: The range of who raised last before the flop, and of who called; of a pot without a
            raise that of who acts first, and of the other.
        farthest: The mean gain of best responses, in percent of the pot, beyond which a solution
            judges nothing.
    """

    name = "solved flop"
    """What it is called where it has solved nothing yet."""

    def __init__(
        self,
        solve: SolveSpot,
        menu: FlopMenu = FlopMenu(),
        sources: Sequence[Judge] = (),
        ranges: tuple[Range, Range] | None = None,
        farthest: float = _FARTHEST,
    ) -> None:
        """Solve flops; the class describes the arguments."""
        self._farthest = farthest
        self._solve, self._menu, self._ranges = solve, menu, ranges
        self._sources = [
            judge
            for judge in sources
            if isinstance(judge, SolutionJudge) and isinstance(judge.fitting, HandFitting)
        ]
        self._judges: dict[Spot, SolutionJudge] = {}
        self._bandwidth: float | None = None

    def fit(self, hand: TableHand) -> Fit:
        """Say whether two seats see a flop.

        Args:
            hand: The hand.

        Returns:
            Whether they do, or why not.
        """
        if hand.hand.limit == "limit":
            return _refused(Unjudged.OTHER_GAME, "spots have no limit")
        if len(hand.streets) <= _FLOP:
            return _refused(Unjudged.NOT_COVERED, "the hand does not come to the flop")
        if _root(hand) is not None:
            return Fit(None, "", _LAST, _FLOP)
        if live_seats(hand, _FLOP) >= _WITH_THREE:
            return _refused(*_multiway(hand, _FLOP))
        return _refused(Unjudged.NOT_COVERED, "nobody acts on the flop")

    def verdicts(self, hand: TableHand, combos: Sequence[int | None]) -> list[Verdict]:
        """Judge the decisions of a hand.

        Args:
            hand: The hand.
            combos: The combo of each seat whose decisions are judged; None for the others.

        Returns:
            A verdict for each decision that `replay_hand` gives.

        Raises:
            KeyboardInterrupt: The solve was interrupted.
        """
        fit = self.fit(hand)
        if fit.reason is not None:
            return refused_by(fit, hand)
        root = _root(hand)
        assert root is not None
        turns = replay_hand(hand, combos).turns
        verdicts = self._from_root(hand, root, combos, turns)
        return [
            Verdict(None, *_multiway(hand, turn.street))
            if _FLOP <= turn.street < root.street
            else verdict
            for turn, verdict in zip(turns, verdicts, strict=True)
        ]

    def _from_root(
        self, hand: TableHand, root: StreetRoot, combos: Sequence[int | None], turns: Sequence[Turn]
    ) -> list[Verdict]:
        """Judge the decisions from the street on that is solved."""
        if root.street > _FLOP:
            if all(turn.street < root.street or combos[turn.seat] is None for turn in turns):
                return refused_by(_refused(Unjudged.NO_CARDS, "the cards are not known"), hand)
            if self._by_solution(hand, root) is None:
                return refused_by(_no_ranges(hand, root), hand)
        try:
            spot, origin = self.spot(hand, root, combos)
            smaller, cut = self._in_time(spot)
            if smaller is None:
                return refused_by(_refused(Unjudged.UNSOLVED, cut, root.street), hand)
            judge = self._judge(smaller)
        except EquilibristError as error:
            return refused_by(_refused(Unjudged.UNSOLVED, f"{error}", root.street), hand)
        gain = judge.solution.mean_gain_percent
        street = street_name(root.street)
        if gain > self._farthest:
            made = counted(judge.solution.iterations, "iteration")
            share = significant(gain, 2)
            why = f"in {made} the {street} was solved to {share}% of the pot: it needs more time"
            return refused_by(_refused(Unjudged.UNSOLVED, why, root.street), hand)
        note = f"{street} solved to {significant(gain, 2)}% of the pot; ranges: {origin}{cut}"
        return [noted(verdict, note) for verdict in judge.verdicts(hand, combos)]

    def spot(
        self, hand: TableHand, root: StreetRoot, combos: Sequence[int | None]
    ) -> tuple[Spot, str]:
        """Make the spot of a street.

        Args:
            hand: The hand.
            root: The street.
            combos: The combo of each seat whose decisions are judged.

        Returns:
            The spot, and where its ranges are from, in words.

        Raises:
            EquilibristError: It cannot be made: ranges are empty, amounts are too fine.
        """
        weights, origin = self._weights(hand, root)
        in_deck = without_cards(card_mask(read_deck(hand.hand.deck).absent))
        held = [combos[seat] for seat in root.seats]
        oop, ip = (
            Range.from_weights(
                with_hands(own * in_deck, [] if combo is None else [combo], _ADDED) * in_deck
            )
            for own, combo in zip(weights, held, strict=True)
        )
        spot = Spot(
            board=card_names(root.board),
            oop=oop,
            ip=ip,
            pot=root.pot,
            stack=root.stack,
            bets=self._menu.bets,
            raises=self._menu.raises,
            force_all_in=FORCE_ALL_IN,
            min_bet=hand.big_blind,
            unit=hand.rules.scale.unit,
            deck=hand.hand.deck,
        )
        table = table_spot(spot, hand, root)
        lines = _bets_of(hand, root, table)
        return spot.replace(added_lines=lines), origin

    def _in_time(self, spot: Spot) -> tuple[Spot | None, str]:
        """The spot with sizes with which it can be solved in its time, and a note on them.

        Without any the spot is None, and the note says why.
        """
        limit = self._menu.seconds
        if limit is None or spot in self._judges:
            return spot, ""
        seconds = 0.0
        for menu in self._menu.smaller():
            smaller = spot.replace(bets=menu.bets, raises=menu.raises)
            seconds = self._least_seconds(smaller)
            if seconds <= limit:
                if menu == self._menu:
                    return smaller, ""
                words = f"bets {menu.bets}" if menu.bets else "no bets but those of the hand"
                return smaller, f"; for the time: {words}" + ("" if menu.raises else ", no raises")
        needs, given = significant(seconds, 2), significant(limit, 2)
        return None, f"to begin with it takes some {needs} s, and a spot may take {given} s"

    def _least_seconds(self, spot: Spot) -> float:
        """What the first iterations of a solve take with what this machine does besides."""
        if self._bandwidth is None:
            self._bandwidth = loaded_bandwidth()
        size = estimate(spot)
        run = size.estimate_run(threads=self._menu.threads, bandwidth=self._bandwidth)
        first = _FIRST * size.memory_bytes(threads=self._menu.threads) / self._bandwidth
        return first + _ITERATIONS * run.seconds / run.iterations

    def _judge(self, spot: Spot) -> SolutionJudge:
        judge = self._judges.get(spot)
        if judge is None:
            solution = self._solve(spot)
            if solution.stopped_by == "interrupted":
                raise KeyboardInterrupt
            while len(self._judges) >= _KEPT:
                del self._judges[next(iter(self._judges))]
            file = solution.solution_file
            street = street_name(_STREET_OF_BOARD[len(spot.cards)])
            name = f"solved {street}" if file is None else file.stem
            judge = self._judges[spot] = SolutionJudge(name, solution)
        return judge

    def _weights(self, hand: TableHand, root: StreetRoot) -> tuple[list[FloatArray], str]:
        """float64[1326] of who acts first and of the other, and where they are from."""
        replay = replay_hand(hand, [None] * hand.hand.seats)
        acted = roles(replay)
        if root.street == _FLOP and self._ranges is not None:
            raiser = [seat for seat in root.seats if acted[seat].words.endswith(_RAISED)]
            first, second = (held.weights for held in self._ranges)
            if raiser == [root.seats[1]]:
                first, second = second, first
            return [first, second], "as given"
        by_solution = self._by_solution(hand, root)
        if by_solution is not None:
            return by_solution
        words = " against ".join(acted[seat].words for seat in root.seats)
        deck = read_deck(hand.hand.deck)
        return [acted[seat].weights_in(deck) for seat in root.seats], f"presets, {words}"

    def _by_solution(
        self, hand: TableHand, root: StreetRoot
    ) -> tuple[list[FloatArray], str] | None:
        """Ranges and their source by the first solution that has the play; None if none has."""
        replay = replay_hand(hand, [None] * hand.hand.seats)
        for judge in self._sources:
            if judge.fit(hand).reason is not None:
                continue
            ranges = ranges_by_solution(judge.reader, judge.strategy, replay, root.street)
            if ranges is None:
                continue
            weights = [to_digits(ranges[seat], 3, least=_LEAST) for seat in root.seats]
            if all(own.any() for own in weights):
                return weights, judge.name
        return None


def _root(hand: TableHand) -> StreetRoot | None:
    """The first street that two seats with chips play; None if there is none."""
    roots = (street_root(hand, street) for street in range(_FLOP, len(hand.streets)))
    return next((root for root in roots if root is not None), None)


def _refused(reason: Unjudged, why: str, street: int = _FLOP) -> Fit:
    return Fit(reason, why, street=street)


def _multiway(hand: TableHand, street: int) -> tuple[Unjudged, str]:
    return Unjudged.MULTIWAY, f"{live_seats(hand, street)} players see the {street_name(street)}"


def _no_ranges(hand: TableHand, root: StreetRoot) -> Fit:
    before, street = live_seats(hand, _FLOP), street_name(root.street)
    why = (
        f"two of {before} players are left on the {street}, and no solution of whole hands for "
        f"{hand.hand.seats} seats says with what ranges"
    )
    return _refused(Unjudged.NO_RANGES, why, root.street)


def _bets_of(hand: TableHand, root: StreetRoot, table: Spot) -> tuple[str, ...]:
    """The lines of the hand that end in a bet or raise, without cards, the longest alone."""
    replay = replay_spot(hand, root, table, [None] * hand.hand.seats)
    streets = [
        [turn.action for turn in replay.turns if turn.street == k] for k in range(root.street, 4)
    ]
    bets = [(turn.street, turn) for turn in replay.turns if turn.action.kind in BETS]
    if not bets:
        return ()
    last = max(street for street, _ in bets) - root.street
    played = [tuple(actions) for actions in streets[: last + 1]]
    while played and played[-1][-1].kind not in BETS:
        played[-1] = played[-1][:-1]
    return (line_text(played),)


def read_ranges(text: str) -> tuple[Range, Range]:
    """Read the ranges of who raised before the flop and of who called.

    Args:
        text: Two ranges, or names of presets, with a bar between them: `6max-BTN|22+,A2s+`.

    Returns:
        Both.

    Raises:
        ConfigError: There are not two.
        RangeSyntaxError: One cannot be read.
    """
    parts = text.split("|")
    if len(parts) != len(("raiser", "caller")):
        raise ConfigError(
            option="--ranges",
            given=text,
            expected="two ranges, who raised and who called: 6max-BTN|22+,A2s+,KTs+",
        )
    raiser, caller = (Range(part.strip()) for part in parts)
    for held in (raiser, caller):
        if not np.any(held.weights):
            raise ConfigError("a range is empty", option="--ranges", given=text)
    return raiser, caller
