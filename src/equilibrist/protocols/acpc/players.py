"""What can take a seat: fixed opponents, and solutions of whole hands.

A solution plays the decisions of its own game. What others do is followed there: bets become those
of its menu by the pseudo-harmonic mapping, as shares of the pot, and its own bets are made with the
same share of the real pot. Stacks and blinds may be others than those that were solved for: the
solution then plays the nearest that it knows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from equilibrist.abstraction.actions.mappings import MAPPINGS, between
from equilibrist.errors import ConfigError
from equilibrist.options.defaults import TRANSLATION
from equilibrist.play.hands.game import HandGame, TableState
from equilibrist.play.solutions.players import SolutionAgent
from equilibrist.play.solutions.reading import solution_game
from equilibrist.play.table import drawn_index
from equilibrist.poker.betting.actions import Action, Kind
from equilibrist.poker.cards.cards import RANKS, card_names
from equilibrist.poker.cards.combos import parse_combo
from equilibrist.poker.hands.betting import called, deal, folded, raised
from equilibrist.poker.hands.state import DEAL, DECISION, HandState
from equilibrist.protocols.acpc.betting import CALL, FOLD, PASSIVE, RAISE, AcpcAction, Betting
from equilibrist.protocols.acpc.client import Player
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.match_state import MatchState

_BETS: Final = (Kind.BET, Kind.RAISE, Kind.ALL_IN)
_OWN: Final = 1
"""Draws of the player's own actions, told from those of mapped bets in the seed."""
_MAPPED: Final = 0


def always_fold(state: MatchState) -> AcpcAction:
    """Fold; check where there is nothing to call.

    Args:
        state: The match state.

    Returns:
        The action.
    """
    return AcpcAction(FOLD) if state.betting.choices().can_fold else PASSIVE


def always_call(_state: MatchState) -> AcpcAction:
    """Check or call.

    Args:
        _state: The match state.

    Returns:
        The action.
    """
    return PASSIVE


def always_raise(state: MatchState) -> AcpcAction:
    """Bet or raise by the pot; with limit by the one size.

    Args:
        state: The match state.

    Returns:
        The action.
    """
    can = state.betting.choices()
    if not can.can_raise:
        return PASSIVE
    if state.rules.limit == "limit":
        return AcpcAction(RAISE)
    return AcpcAction(RAISE, _sized(state.betting, 1.0))


def all_in(state: MatchState) -> AcpcAction:
    """Bet all chips; with limit raise.

    Args:
        state: The match state.

    Returns:
        The action.
    """
    can = state.betting.choices()
    if not can.can_raise:
        return PASSIVE
    is_limit = state.rules.limit == "limit"
    return AcpcAction(RAISE, None if is_limit else can.most)


class RandomPlayer:
    """Folds, calls or raises, each equally often where it is legal; sizes are log-uniform.

    Args:
        seed: The seed.
    """

    def __init__(self, seed: int = 0) -> None:
        """Start the generator; the class describes the argument."""
        self._generator = np.random.default_rng(np.random.SeedSequence(seed))

    def __call__(self, state: MatchState) -> AcpcAction:
        """Choose an action.

        Args:
            state: The match state.

        Returns:
            The action.
        """
        can = state.betting.choices()
        kinds = [CALL, *[FOLD] * can.can_fold, *[RAISE] * can.can_raise]
        kind = kinds[int(self._generator.integers(len(kinds)))]
        if kind != RAISE or state.rules.limit == "limit":
            return AcpcAction(kind)
        low, high = np.log([can.least, can.most])
        size = round(float(np.exp(self._generator.uniform(low, high))))
        return AcpcAction(RAISE, min(max(size, can.least), can.most))


FIXED: Final[dict[str, Callable[[int], Player]]] = {
    "fold": lambda _seed: always_fold,
    "call": lambda _seed: always_call,
    "raise": lambda _seed: always_raise,
    "all-in": lambda _seed: all_in,
    "random": RandomPlayer,
}
"""The fixed opponents: from a seed, what plays."""


class SolutionPlayer:
    """Plays a solution of whole hands at a table with the rules of a game definition.

    The same seed plays the same action with the same cards in the same hand again.

    Args:
        solution: A blueprint, an exact solution, or charts.
        definition: The game.
        seed: The seed of all draws.

    Attributes:
        notes: Sentences on what the solution does not have of this game.

    Raises:
        ConfigError: The solution is of another number of seats, of other limits or cards.
    """

    def __init__(self, solution: Any, definition: GameDefinition, seed: int = 0) -> None:
        """Take a solution; the class describes the arguments."""
        self._agent = SolutionAgent(solution)
        game = solution_game(solution)
        if not isinstance(game, HandGame):
            raise ConfigError(
                "a spot begins after the flop, and a match plays whole hands",
                option="solution",
                given=game.name,
                remedy="give a blueprint, or another solution of whole hands",
            )
        self._game, self._seed, self._definition = game, seed, definition
        self._small_blind = _small_blind(definition)
        self._check(game, definition)
        self.notes = tuple(_notes(game, definition, self._seat))

    def __call__(self, state: MatchState) -> AcpcAction:
        """Choose an action.

        Args:
            state: The match state.

        Returns:
            The action; a call where the solution's own hand is over, as after its all-in.
        """
        mine = self._followed(state)
        seat = self._seat(state.position)
        at = state.betting
        if mine is None or mine.kind != DECISION or mine.player != seat or mine.street != at.street:
            return PASSIVE
        own, board = map(self._own_deck, (state.cards.holes[state.position], state.cards.board))
        combo = parse_combo(card_names(own))
        table = TableState((combo,) * self._game.num_players, board, mine)
        actions = self._game.legal(table)
        mixture = self._agent.mixture_at(self._game.infoset(table))
        generator = self._generator(state.hand, _OWN, len(at.text), state.position)
        return self._real(at, mine, actions[drawn_index(mixture, generator)])

    def _followed(self, state: MatchState) -> HandState | None:
        """The state of the solution's own betting; None where it cannot be followed."""
        mine: HandState = self._game.initial_state().betting
        real = Betting.start(state.rules)
        for number, action in enumerate(_actions(state.betting)):
            if mine.kind == DEAL:
                mine = deal(self._game.rules, mine)
            is_same = mine.player == self._seat(real.player) and mine.street == real.street
            if mine.kind != DECISION or not is_same:
                return None
            generator = self._generator(state.hand, _MAPPED, number, real.player)
            mine = self._mapped(real, mine, action, generator)
            real = real.play(action)
        return deal(self._game.rules, mine) if mine.kind == DEAL else mine

    def _mapped(
        self, real: Betting, mine: HandState, action: AcpcAction, generator: np.random.Generator
    ) -> HandState:
        rules = self._game.rules
        faces_bet = max(mine.bets) > mine.bets[mine.player]
        if action.kind == FOLD:
            return folded(rules, mine) if faces_bet else called(rules, mine)
        totals = self._totals(mine)
        if action.kind == CALL or not totals:
            return called(rules, mine)
        choices = real.choices()
        size = choices.least if action.size is None else action.size
        if size >= choices.most:
            return raised(rules, mine, totals[-1])
        unit = rules.big_blind / self._definition.big_blind
        before = real.state.stakes[real.player] - real.state.bets[real.player]
        if abs(mine.pot - unit * real.state.pot) < unit:
            nearest = min(totals, key=lambda total: abs(total - unit * (size - before)))
            if abs(nearest - unit * (size - before)) <= unit / 2:
                return raised(rules, mine, nearest)
        shares = tuple(_share(mine, total) for total in totals)
        share = _share(real.state, size - before)
        chances = between(share, shares, MAPPINGS[TRANSLATION].share)
        chosen = list(chances)[drawn_index(list(chances.values()), generator)]
        return raised(rules, mine, totals[chosen])

    def _totals(self, mine: HandState) -> list[int]:
        """The totals of the menu's bets, ascending, in units."""
        actions = self._game.legal(TableState((), (), mine))
        units = self._game.rules.scale.units
        return [units(action.amount) for action in actions if action.kind in _BETS]

    def _real(self, at: Betting, mine: HandState, action: Action) -> AcpcAction:
        """The action at the real table."""
        if action.kind not in _BETS:
            return AcpcAction(FOLD) if action.kind is Kind.FOLD else PASSIVE
        can = at.choices()
        if not can.can_raise:
            return PASSIVE
        if at.rules.limit == "limit":
            return AcpcAction(RAISE)
        if action.kind is Kind.ALL_IN:
            return AcpcAction(RAISE, can.most)
        total = self._game.rules.scale.units(action.amount)
        return AcpcAction(RAISE, _sized(at, _share(mine, total)))

    def _seat(self, position: int) -> int:
        """The seat of the solution that a position has: 0 is the small blind."""
        return (position - self._small_blind) % self._definition.seats

    def _own_deck(self, cards: Sequence[int]) -> tuple[int, ...]:
        """The cards in the deck of the solution, which may begin above deuces."""
        rules = self._game.rules
        above = 4 * rules.lowest_rank + 4 - rules.suits
        return tuple(card + above for card in cards)

    def _generator(self, *place: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence([self._seed, *place]))

    def _check(self, game: HandGame, definition: GameDefinition) -> None:
        rules = game.rules
        is_limit = rules.limit == "limit"
        wrong = {
            "numPlayers": (rules.seats, definition.seats),
            "limit": (is_limit, definition.betting == "limit"),
            "numHoleCards": (rules.hole_cards, definition.num_hole_cards),
            "numBoardCards": (rules.board, definition.num_board_cards),
            "numRanks": (len(RANKS) - rules.lowest_rank, definition.num_ranks),
            "numSuits": (rules.suits, definition.num_suits),
        }
        for option, (own, given) in wrong.items():
            if own != given:
                raise ConfigError(
                    f"the solution is of another game: its {option} is {own}, that of the game "
                    f"definition {given}",
                    option=option,
                    given=given,
                    expected=own,
                    remedy="write the game of the solution by `equilibrist acpc game`",
                )


def _actions(betting: Betting) -> Sequence[AcpcAction]:
    """The actions of a betting text, without its slashes."""
    found, text = [], betting.text.replace("/", "")
    begin = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or not text[end].isdigit():
            action = AcpcAction.parse(text[begin:end])
            assert action is not None
            found.append(action)
            begin = end
    return found


def _share(state: HandState, total: int) -> float:
    """A bet or raise to a total of the street, as a share of the pot after a call."""
    highest = max(state.bets)
    return (total - highest) / (state.pot + highest - state.bets[state.player])


def _sized(betting: Betting, share: float) -> int:
    """The total of the hand of a raise by a share of the pot after a call, made legal."""
    state, can = betting.state, betting.choices()
    seat, highest = state.player, max(state.bets)
    pot = state.pot + highest - state.bets[seat]
    total = round(state.stakes[seat] - state.bets[seat] + highest + share * pot)
    return min(max(total, can.least), can.most)


def _small_blind(definition: GameDefinition) -> int:
    """The position of the small blind: the one before the big blind."""
    return (definition.blinds.index(definition.big_blind) - 1) % definition.seats


def _notes(
    game: HandGame, definition: GameDefinition, seat_of: Callable[[int], int]
) -> Sequence[str]:
    """What of the game the solution does not have."""
    rules = game.rules
    notes = []
    for name, own, theirs in (
        ("stacks", rules.stacks, definition.stacks),
        ("blinds", rules.blinds, definition.blinds),
    ):
        real = [0.0] * rules.seats
        for position, chips in enumerate(theirs):
            real[seat_of(position)] = chips / definition.big_blind
        solved = [chips / rules.big_blind for chips in own]
        if any(abs(a - b) > 1e-9 for a, b in zip(real, solved, strict=True)):
            notes.append(
                f"the solution has {name} of {_listed(solved)} big blinds, the game "
                f"{_listed(real)}: it plays as with its own"
            )
    return notes


def _listed(numbers: Sequence[float]) -> str:
    return "/".join(f"{number:g}" for number in numbers)
