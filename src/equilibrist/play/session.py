"""Session: hand after hand between people and agents; a state machine that any front can drive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.game import CHANCE, Game
from equilibrist.parsing.arguments import bad_argument, check_bool, whole_number
from equilibrist.play.agents import Agent, Person, checked_mixture
from equilibrist.play.aivat import SeatAivat
from equilibrist.play.coach import Advice, Coach
from equilibrist.play.score import Score, Tally
from equilibrist.play.table import Move, Table
from equilibrist.strategy import Strategy


@dataclass(frozen=True)
class Turn:
    """A person is to choose: all that this person may see, and nothing else.

    `seat` counts the people and agents of the session, `player` the places at the table in this
    hand. `facts` is the infoset in words, () where the game has none. `words` are what each of the
    actions may be called, the best word first.
    """

    hand: int
    seat: int
    player: int
    infoset: str
    facts: tuple[tuple[str, str], ...]
    actions: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class HandRecord:
    """A hand that is over: `seats[p]` sat as player p and got `payoffs[p]`; moves with all secrets.

    `hand` counts from 1.
    """

    hand: int
    seats: tuple[int, ...]
    moves: tuple[Move, ...]
    payoffs: tuple[float, ...]

    def payoffs_by_seat(self) -> tuple[float, ...]:
        """What each seat got."""
        return tuple(self.payoffs[self.seats.index(seat)] for seat in range(len(self.seats)))


class Session:
    """Hands of `game` between `seats`, one Person or Agent per player.

    In the first hand seat i is player i. With `alternate` everybody moves one place on with every
    hand, else the places are fixed. `seed` decides what chance and the agents draw; chance draws
    the same in hand k whatever anybody does. With a `coach`, `advice` is its word on the last
    choice of a person.

    With `values`, a strategy of the compiled game, `aivat_score` is a second, unbiased estimate,
    with less luck in it (`aivat.Aivat`), by what histories are worth where all play that strategy.

    `deal` begins a hand, `choose` plays for the person whose `turn` it is; both go on until the
    next person is to choose, and return that turn, or None: the hand is over. `last` is the last
    complete hand, `score` where it stands.
    """

    def __init__(
        self,
        game: Game[Any],
        seats: Sequence[Person | Agent],
        *,
        seed: int = 0,
        alternate: bool = True,
        coach: Coach | None = None,
        values: Strategy | None = None,
    ) -> None:
        """ConfigError for seats that do not fit the game, MismatchError for values of another."""
        self._first = Table.start(game)
        players = self._first.num_players
        if len(seats) != players:
            raise ConfigError(
                f"{game.name} has {players} player{'s' * (players != 1)}, and {len(seats)} "
                f"seat{'s are' if len(seats) != 1 else ' is'} taken",
                option="seats",
                given=len(seats),
                expected=players,
                remedy="give one seat per player",
            )
        for seat in seats:
            if not isinstance(seat, Person | Agent):
                raise bad_argument("seat", seat, "a Person or an Agent")
        self.game = game
        self.seats = tuple(seats)
        self.seed = whole_number("seed", seed, 0)
        self.alternate = check_bool("alternate", alternate)
        self.coach = coach
        self.advice: Advice | None = None
        self.last: HandRecord | None = None
        self._tally = Tally(players)
        self._aivat = None if values is None else SeatAivat(values, game.name, self.seats)
        self._aivat_tally = Tally(players)
        self._dealt = 0
        self._table: Table | None = None
        self._has_people = any(isinstance(seat, Person) for seat in seats)
        self._generators: list[np.random.Generator] = []
        """Of this hand: chance's, then one per player."""

    @property
    def score(self) -> Score:
        """Of all complete hands."""
        return self._tally.score

    @property
    def aivat_score(self) -> Score | None:
        """The score by AIVAT; None without `values`."""
        return None if self._aivat is None else self._aivat_tally.score

    @property
    def table(self) -> Table | None:
        """The hand in progress with all its secrets; None between hands."""
        return self._table

    def seat_of(self, player: int) -> int:
        """Which seat is `player` in the hand that was dealt last."""
        whole_number("player", player, 0, len(self.seats) - 1)
        shift = self._dealt - 1 if self.alternate and self._dealt else 0
        return (player - shift) % len(self.seats)

    @property
    def turn(self) -> Turn | None:
        """Who is to choose and from what; None if no hand is in progress."""
        table = self._table
        if table is None:
            return None
        seat = self.seat_of(table.player)
        return Turn(
            self._dealt,
            seat,
            table.player,
            table.infoset,
            table.facts,
            table.actions,
            table.words,
        )

    def deal(self) -> Turn | None:
        """Begin the next hand; ConfigError while one is in progress."""
        if self._table is not None:
            raise ConfigError(
                "a hand is in progress",
                option="deal",
                remedy="choose() goes on, withdraw() gives it up",
            )
        self._dealt += 1
        seeds = np.random.SeedSequence(self.seed, spawn_key=(self._dealt,))
        self._generators = [np.random.default_rng(one) for one in seeds.spawn(len(self.seats) + 1)]
        return self._go_on(self._first)

    def choose(self, action: int | str) -> Turn | None:
        """Play for the person whose turn it is, by index, label or another word for the action.

        Raises UnknownNameError or ConfigError for what is not legal; nothing has happened then.
        """
        table = self._table
        if table is None:
            raise ConfigError("nobody is to choose", option="choose", remedy="deal() begins a hand")
        after = table.play(action)
        if self.coach is not None:
            self.advice = self.coach.advise(table.infoset, after.moves[-1].index)
            move = replace(after.moves[-1], given_up=self.advice.given_up)
            after = replace(after, moves=(*table.moves, move))
        return self._go_on(after)

    def withdraw(self) -> bool:
        """Give up the hand in progress, which does not count; whether a person had chosen in it."""
        table, self._table = self._table, None
        return table is not None and any(
            move.player != CHANCE and move.probabilities is None for move in table.moves
        )

    def play(self, hands: int) -> Iterator[HandRecord]:
        """Play complete hands between agents; ConfigError if a person has a seat."""
        if self._has_people:
            raise ConfigError(
                "a person has a seat", option="seats", remedy="use deal() and choose()"
            )
        for _ in range(whole_number("hands", hands, 0)):
            self.deal()
            assert self.last is not None
            yield self.last

    def _go_on(self, table: Table) -> Turn | None:
        """Let chance and agents move, until a person is to choose or the hand is over."""
        while not table.over:
            if table.player == CHANCE:
                probabilities, generator = table.chance, self._generators[0]
            else:
                agent = self.seats[self.seat_of(table.player)]
                if isinstance(agent, Person):
                    self._table = table
                    return self.turn
                probabilities = checked_mixture(agent, table)
                generator = self._generators[1 + table.player]
            table = table.draw(probabilities, generator)
        self._table = None
        seats = tuple(self.seat_of(player) for player in range(len(self.seats)))
        self.last = HandRecord(self._dealt, seats, table.moves, table.payoffs)
        self._tally.add(self.last.payoffs_by_seat())
        if self._aivat is not None:
            moves = [move.index for move in table.moves]
            self._aivat_tally.add(self._aivat.by_seat(seats, moves))
        return None
