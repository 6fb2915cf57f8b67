"""Local best response (LBR): a lower bound of how exploitable a blueprint is.

Viliam Lisy and Michael Bowling, "Equilibrium approximation quality of current no-limit poker bots",
AAAI 2017 workshop. LBR knows the range of the blueprint exactly. At each of its turns it takes the
action that is best if nobody bets afterwards: hands are checked down, and after a bet the blueprint
folds or calls. So it never plans ahead, and what it wins is what some strategy wins: a lower bound.
It may bet sizes that the blueprint's tree lacks; the blueprint then plays on as in `shadow_play`.

LBR plays the same cards on the same board in both seats, and several hands on a board, spread over
its strengths. The blueprint's hand is never drawn: folds and showdowns are valued by its range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

import numpy as np

from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.evaluation.duplicates import Estimate
from equilibrist.parsing.arguments import whole_number
from equilibrist.poker.betting.actions import Kind
from equilibrist.poker.blueprint.abstract_game import check_evaluated
from equilibrist.poker.blueprint.evaluation.dealt_board import DealtBoard
from equilibrist.poker.blueprint.evaluation.exploiter_figures import as_json
from equilibrist.poker.blueprint.evaluation.played_range import BlueprintRange, PlayedRange
from equilibrist.poker.blueprint.evaluation.shadow_play import ShadowPlay, pot_after_call
from equilibrist.poker.blueprint.evaluation.values import MILLI, estimate, random_boards
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.cards.combos import COMBO_MASKS
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.poker.hands.betting import called, covering, deal, folded, legal, raised, start
from equilibrist.poker.hands.menu import offered_totals
from equilibrist.poker.hands.rules import STREET_NAMES
from equilibrist.poker.hands.state import DEAL, DECISION, SHOWDOWN, HandState
from equilibrist.progress import Callbacks, OnProgress, PartsReport, as_callbacks
from equilibrist.typing import BoolArray, FloatArray

BETS: Final = {
    "fc": "fold, check and call",
    "tree": "and the sizes of the tree",
    "fcpa": "and pot and all-in",
    "56": "and 56 sizes: 0.05 x 1.15^k of the pot for k = 0 to 54, and all-in",
}
"""The bets of a setting, each besides fold, check and call."""
HANDS: Final = 10_000
"""Hands of each seat unless a number is given."""
PER_BOARD: Final = 8
"""Hands of each seat on a board."""
LEAST_HANDS: Final = 2 * PER_BOARD
_PILOT: Final = 10
"""A tenth of the hands goes to the choice of a setting, all settings together."""
_RATIO, _SMALLEST, _SIZES = 1.15, 0.05, 55
_CHOICE, _VALUE, _TIMING = 5, 6, 7
"""What boards are for."""


@dataclass(frozen=True)
class LocalSetting:
    """What LBR may do.

    Attributes:
        bets: A name of `BETS`.
        first: The first street on which it chooses: 0 before the flop, to 3. Before it, it checks
            and calls.

    Raises:
        UnknownNameError: The bets are unknown.
        ConfigError: There is no such street.
    """

    bets: str = "tree"
    first: int = 0

    def __post_init__(self) -> None:
        if self.bets not in BETS:
            raise UnknownNameError("bets of LBR", self.bets, [*BETS], option="lbr")
        whole_number("first", self.first, 0, 3)

    @classmethod
    def read(cls, text: str) -> LocalSetting:
        """From a text such as `fcpa` or `56:turn`.

        Args:
            text: The bets, and after a colon the first street.

        Returns:
            The setting.

        Raises:
            UnknownNameError: The bets or the street are unknown.
        """
        bets, _, street = text.strip().lower().partition(":")
        if street and street not in STREET_NAMES:
            raise UnknownNameError("street", street, list(STREET_NAMES), option="lbr")
        return cls(bets, STREET_NAMES.index(street) if street else 0)

    def __str__(self) -> str:
        return f"{self.bets}:{STREET_NAMES[self.first]}"


@dataclass(frozen=True)
class LocalResponse:
    """What LBR wins, in mbb per hand, with 95 % intervals over boards.

    Attributes:
        gain: The mean over both seats: a lower bound of the exploitability of the blueprint as it
            is played, with bets mapped.
        values: What it wins as small blind and as big blind.
        setting: The setting that was valued, that of the largest mean in `tried`.
        tried: The gain of every setting on other hands than those of `gain`, from which the setting
            was chosen; none if there was one setting.
        hands: Hands of each seat.
        seed: The seed.
    """

    gain: Estimate
    values: tuple[Estimate, Estimate]
    setting: LocalSetting
    tried: tuple[tuple[LocalSetting, Estimate], ...]
    hands: int
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """The figures for JSON.

        Returns:
            Every estimate as `{"mean": ..., "half_width": ...}`, in mbb per hand.
        """
        return {
            "kind": "lower bound",
            "gain": as_json(self.gain),
            "values": [as_json(value) for value in self.values],
            "setting": str(self.setting),
            "tried": {str(setting): as_json(won) for setting, won in self.tried},
            "hands": self.hands,
            "seed": self.seed,
        }


def settings_for(blueprint: Blueprint) -> tuple[LocalSetting, ...]:
    """The settings that are tried unless some are given.

    Args:
        blueprint: The blueprint.

    Returns:
        Those that fit its limit and its streets.
    """
    rules = blueprint.hand.rules
    bets = ["fc", "tree"] if rules.limit == "limit" else [*BETS]
    firsts = [0] if rules.final_street < 2 else [0, 2]
    return tuple(
        LocalSetting(bets_of_setting, first) for first in firsts for bets_of_setting in bets
    )


def local_response(
    blueprint: Blueprint,
    settings: Sequence[LocalSetting | str] | None = None,
    *,
    hands: int = HANDS,
    seed: int = 0,
    callbacks: Callbacks | OnProgress | None = None,
    opponents: Opponents | None = None,
) -> LocalResponse:
    """Play local best responses against a blueprint, or what plays in its place.

    Args:
        blueprint: The blueprint.
        settings: What LBR may do, `LocalSetting` or texts such as `fcpa:turn`; the best one is
            valued. None for all that fit.
        hands: Hands of each seat that are valued; a tenth more goes to the choice of a setting.
        seed: The seed of boards, hands and the blueprint's actions.
        callbacks: Functions called as hands are played.
        opponents: What plays in place of the blueprint, at its table; None for the blueprint.

    Returns:
        What it wins: a lower bound.

    Raises:
        ConfigError: An argument is out of range.
        UnknownNameError: A setting is unknown.
        UnsupportedError: The blueprint has more than two seats.
        KeyboardInterrupt: Ctrl-C was pressed, or a callback ended it.
    """
    check_evaluated(blueprint.hand, "a local best response")
    whole_number("hands", hands, LEAST_HANDS, 10**9)
    whole_number("seed", seed, 0)
    chosen = read_settings(blueprint, settings)
    boards, pilot = numbers_of_boards(hands, len(chosen))
    total, done = PER_BOARD * (boards + pilot * len(chosen)), 0
    report = PartsReport(as_callbacks(callbacks), "local best response", "hands", total)

    def won(setting: LocalSetting, count: int, use: int) -> FloatArray:
        nonlocal done
        player = _Player(blueprint, setting, opponents)
        rows = []
        for row in player.on_boards(count, (seed, use)):
            rows.append(row)
            done += PER_BOARD
            if not report.goes_on(done):
                raise KeyboardInterrupt
        return MILLI * np.array(rows)

    tried = tuple(
        (setting, estimate(won(setting, pilot, _CHOICE).mean(axis=1)))
        for setting in chosen
        if pilot
    )
    best = max(tried, key=lambda row: row[1].mean)[0] if tried else chosen[0]
    won_by_board = won(best, boards, _VALUE)
    values = estimate(won_by_board[:, 0]), estimate(won_by_board[:, 1])
    return LocalResponse(
        estimate(won_by_board.mean(axis=1)), values, best, tried, PER_BOARD * boards, seed
    )


def seconds_of_a_board(blueprint: Blueprint, setting: LocalSetting, seed: int) -> float:
    """About how long a board takes with a setting: that of the second of two, without compiling."""
    played = _Player(blueprint, setting).on_boards(2, (seed, _TIMING))
    next(played)
    begun = perf_counter()
    next(played)
    return perf_counter() - begun


def read_settings(
    blueprint: Blueprint, settings: Sequence[LocalSetting | str] | None
) -> tuple[LocalSetting, ...]:
    """The settings; raises ConfigError where there is none."""
    chosen = tuple(
        LocalSetting.read(setting) if isinstance(setting, str) else setting
        for setting in (settings_for(blueprint) if settings is None else settings)
    )
    if not chosen:
        raise ConfigError(
            "no setting of LBR is given", option="lbr", remedy="give one, such as fcpa:turn"
        )
    return chosen


def numbers_of_boards(hands: int, settings: int) -> tuple[int, int]:
    """The boards on which the best setting is valued, and those on which each is tried."""
    boards = -(-hands // PER_BOARD)
    return boards, 0 if settings == 1 else max(2, boards // (_PILOT * settings))


def _spread_hands(board: DealtBoard, random: np.random.Generator) -> list[int]:
    """Hands of all strengths on a board, each as likely as any other."""
    strength = combo_strengths(board.cards)
    dealt = np.flatnonzero(board.masks[3])
    ordered = dealt[np.argsort(strength[dealt], kind="stable")]
    places = (np.arange(PER_BOARD) + random.random()) * (len(ordered) / PER_BOARD)
    hands: list[int] = ordered[places.astype(np.int64)].tolist()
    return hands


Opponents = Callable[[DealtBoard], Callable[[int], PlayedRange]]
"""Makes, for a board, what makes the range of a seat at the beginning of a hand."""


def _blueprint_ranges(blueprint: Blueprint) -> Opponents:
    """The ranges of a blueprint as it is."""
    shadow = ShadowPlay(blueprint.tree, blueprint.hand.rules)
    return lambda board: lambda _seat: BlueprintRange(shadow, board)


class _Player:
    """LBR with a setting, against a blueprint, or what plays in its place."""

    def __init__(
        self, blueprint: Blueprint, setting: LocalSetting, opponents: Opponents | None = None
    ) -> None:
        self._blueprint, self._setting = blueprint, setting
        self._rules, self._menu = blueprint.hand.rules, blueprint.hand.menu
        self._unit = float(self._rules.big_blind)
        self._opponents = opponents or _blueprint_ranges(blueprint)

    def on_boards(self, count: int, seed: Sequence[int]) -> Iterator[FloatArray]:
        """float64[2] board by board: what LBR wins in each seat, in big blinds."""
        boards = random_boards(self._blueprint.cards.lowest_rank, count, seed)
        for number, cards in enumerate(boards):
            random = np.random.default_rng([*seed, number])
            board = DealtBoard(self._blueprint, cards.tolist(), random)
            opponent = self._opponents(board)
            won = [
                [self._hand(board, combo, seat, opponent(1 - seat), random) for seat in (0, 1)]
                for combo in _spread_hands(board, random)
            ]
            yield np.mean(won, axis=0) / self._unit

    def _hand(
        self,
        board: DealtBoard,
        combo: int,
        seat: int,
        opponent: PlayedRange,
        random: np.random.Generator,
    ) -> float:
        """Play a hand with LBR in a seat for units: exact but for the opponent's drawn actions."""
        rules = self._rules
        others = COMBO_MASKS & COMBO_MASKS[combo] == 0
        dealt = others & board.masks[3]
        state = start(rules)
        total, left = 0.0, 1.0
        while True:
            if state.kind == DEAL:
                state = deal(rules, state)
            elif state.kind == SHOWDOWN:
                return total + left * self._showdown(board, combo, seat, opponent, dealt, state)
            elif state.kind != DECISION:  # LBR has folded
                return total - left * state.stakes[seat]
            elif state.player == seat:
                state = self._chosen(board, combo, state, opponent, others)
            else:
                stake = state.stakes[1 - seat]
                weights = opponent.weights(state, dealt)
                all_weights = sum(weights.values())
                fold = weights.pop((Kind.FOLD, 0), 0.0)
                total += left * (fold / all_weights) * stake
                left *= 1.0 - fold / all_weights
                if not any(weights.values()):
                    return total
                keys, shares = zip(*weights.items(), strict=True)
                kind, amount = keys[random.choice(len(keys), p=np.array(shares) / sum(shares))]
                opponent.acts((kind, amount), dealt)
                state = raised(rules, state, amount) if amount else called(rules, state)

    def _showdown(
        self,
        board: DealtBoard,
        combo: int,
        seat: int,
        opponent: PlayedRange,
        dealt: BoolArray,
        state: HandState,
    ) -> float:
        """Value a showdown against the range, in units."""
        reach = opponent.reach() * dealt
        equity = float(board.equities(3, combo) @ reach / reach.sum())
        return equity * sum(state.stakes) - state.stakes[seat]

    def _chosen(
        self,
        board: DealtBoard,
        combo: int,
        state: HandState,
        opponent: PlayedRange,
        others: BoolArray,
    ) -> HandState:
        """The state after LBR's action, which the opponent is told."""
        rules = self._rules
        if state.street < self._setting.first:
            opponent.faces_passive(state)
            return called(rules, state)
        seat = state.player
        seen = others & board.masks[state.street]
        equity = board.equities(state.street, combo)
        can, mine, theirs = legal(rules, state), state.stakes[seat], state.stakes[1 - seat]
        reach = opponent.reach() * seen
        share = float(equity @ reach / reach.sum())
        called_from = min(theirs, theirs - state.bets[1 - seat] + state.bets[seat] + can.call)
        best = share * (mine + can.call + called_from) - can.call
        amount = 0
        if can.fold and best < 0.0:
            best, amount = 0.0, -1
        totals = self._totals(state) if can.most else []
        answers = opponent.answers(state, totals, seen, equity) if totals else []
        for total, (folds, calls, won) in zip(totals, answers, strict=bool(answers)):
            paid = total - state.bets[seat]
            matched = theirs + total - state.bets[1 - seat]
            value = folds * state.pot + won * (mine + paid + matched) - calls * paid
            value /= folds + calls
            if value > best:
                best, amount = value, total
        if amount < 0:
            return folded(rules, state)
        if not amount:
            opponent.faces_passive(state)
            return called(rules, state)
        opponent.faces_bet(state, amount)
        return raised(rules, state, amount)

    def _totals(self, state: HandState) -> list[int]:
        """The totals of bets and raises that the setting has."""
        rules, bets = self._rules, self._setting.bets
        if bets == "fc":
            return []
        if bets == "tree" or rules.limit == "limit":
            return offered_totals(rules, self._menu, state)
        can = legal(rules, state)
        top = min(can.most, max(can.least, covering(rules, state)))
        pot, facing = pot_after_call(state), max(state.bets)
        shares = [1.0] if bets == "fcpa" else [_SMALLEST * _RATIO**k for k in range(_SIZES)]
        wanted = [facing + round(share * pot) for share in shares]
        return sorted({*(min(max(total, can.least), top) for total in wanted), top})
