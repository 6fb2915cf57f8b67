"""Random hands: any legal actions, drawn by kind, with sizes from the least to all-in."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from equilibrist.protocols.acpc.betting import CALL, FOLD, RAISE, AcpcAction, Betting
from equilibrist.protocols.acpc.dealer import MatchSettings, deal_cards
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.match_state import Deal, MatchState, seen_by
from equilibrist.protocols.acpc.rules import rules_of


class RandomPlayer:
    """Folds, calls or raises, each equally often where it is legal; sizes are log-uniform.

    They are multiples of `unit`, where blinds and stacks are.
    """

    def __init__(self, seed: int = 0, unit: int = 1) -> None:
        self._generator = np.random.default_rng(seed)
        self._unit = unit

    def __call__(self, state: MatchState) -> AcpcAction:
        can = state.betting.choices()
        kinds = [CALL, *[FOLD] * can.can_fold, *[RAISE] * can.can_raise]
        kind = kinds[int(self._generator.integers(len(kinds)))]
        if kind != RAISE or state.rules.limit == "limit":
            return AcpcAction(kind)
        low, high = np.log([can.least, can.most])
        size = self._unit * round(float(np.exp(self._generator.uniform(low, high))) / self._unit)
        return AcpcAction(RAISE, min(max(size, can.least), can.most))


def random_definition(generator: np.random.Generator) -> GameDefinition:
    """A game of 2 to 10 positions with stacks of 1 to 60 big blinds, limit or not."""
    seats = int(generator.integers(2, 11))
    stacks = tuple(int(s) for s in generator.integers(100, 6000, seats))
    streets = int(generator.integers(1, 5))
    heads_up = seats == 2
    is_limit = bool(generator.integers(2))
    return GameDefinition(
        "limit" if is_limit else "nolimit",
        stacks,
        (100, 50) if heads_up else (50, 100, *[0] * (seats - 2)),
        raise_sizes=(100, 100, 200, 200)[:streets] if is_limit else (),
        first_players=(1 if heads_up else 2, 0, 0, 0)[:streets],
        max_raises=tuple(int(m) for m in generator.integers(1, 5, streets))
        if generator.integers(2)
        else (),
        num_board_cards=(0, 3, 1, 1)[:streets],
    )


def bettings(definition: GameDefinition, hand: int, seed: int, unit: int = 1) -> Iterator[Betting]:
    """The betting of a random hand, point by point."""
    player = RandomPlayer(seed, unit)
    betting = Betting.start(rules_of(definition))
    yield betting
    hidden = Deal(((),) * definition.seats, ())
    while not betting.is_over:
        betting = betting.play(player(MatchState(betting.player, hand, betting, hidden)))
        yield betting


def messages(definition: GameDefinition, hand: int, seed: int) -> Iterator[MatchState]:
    """All match states of a random hand, for all positions."""
    cards = deal_cards(MatchSettings(definition, hand + 1, seed), hand)
    for betting in bettings(definition, hand, seed):
        for position in range(definition.seats):
            yield MatchState(position, hand, betting, seen_by(betting, cards, position))
