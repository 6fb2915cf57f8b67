"""Sessions: hands between people and agents, as a state machine that any front end can drive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.formatting.brief import brief_repr
from equilibrist.game import CHANCE, Game
from equilibrist.parsing.arguments import bad_argument, check_bool, several, whole_number
from equilibrist.play.agents import Agent, CountsHands, Person, checked_mixture
from equilibrist.play.aivat import SeatAivat, SeatEstimates
from equilibrist.play.coach import Advice, Adviser
from equilibrist.play.mediator import MediatedAgent, Mediator
from equilibrist.play.score import Score, Tally
from equilibrist.play.table import Move, Table
from equilibrist.strategy import Strategy


@dataclass(frozen=True)
class Turn:
    """A person is to choose: all that this person may see, and nothing else.

    Attributes:
        hand: The number of the hand, from 1.
        seat: The number of the person among the people and agents of the session.
        player: The place at the table in this hand.
        infoset: The key of the infoset.
        facts: The infoset in words, () where the game has none.
        actions: The labels of the actions.
        words: What each action may be called, the preferred word first.
        mediated: Whether a mediator recommends actions in this session.
        recommended: The label of the action that the mediator recommends; None without a mediator,
            and for who has not followed an earlier recommendation in this hand.
    """

    hand: int
    seat: int
    player: int
    infoset: str
    facts: tuple[tuple[str, str], ...]
    actions: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]
    mediated: bool = False
    recommended: str | None = None

    def __repr__(self) -> str:
        return brief_repr(self)


@dataclass(frozen=True)
class HandRecord:
    """A hand that is over, with all its secrets.

    Attributes:
        hand: Its number, from 1.
        seats: `seats[p]` sat as player p.
        moves: All moves, chance included.
        payoffs: By player, in payoff units.
    """

    hand: int
    seats: tuple[int, ...]
    moves: tuple[Move, ...]
    payoffs: tuple[float, ...]

    def __repr__(self) -> str:
        return brief_repr(self)

    def payoffs_by_seat(self) -> tuple[float, ...]:
        """The payoffs in the order of the seats.

        Returns:
            One payoff per seat, in payoff units.
        """
        return tuple(self.payoffs[self.seats.index(seat)] for seat in range(len(self.seats)))


class Session:
    """Hands of a game between people and agents.

    `deal` begins a hand, `choose` plays for the person whose `turn` it is; both continue until the
    next person is to choose, and return that turn, or None if the hand is over. `last` is the last
    complete hand, `score` the payoffs so far. With a coach, `advice` is about the last choice of a
    person.

    Args:
        game: The game.
        seats: One Person or Agent per player; in the first hand seat i is player i.
        seed: The seed of what chance and the agents draw; chance draws the same in hand k whatever
            anybody does.
        alternate: Whether everybody moves one place on with every hand; one place back where the
            game's `rotation` is -1, as that of `HandGame`, whose button moves on.
        coach: Judges the choices of people.
        values: A strategy of the compiled game; `aivat_score` is then a second, unbiased estimate
            of lower variance (AIVAT), from the values of histories where all play that strategy.
            In spots a `SpotAivat`.
        mediator: Recommends actions to people and to each `MediatedAgent`.

    Raises:
        ConfigError: If the seats do not fit the game, or a `MediatedAgent` has another mediator.
        MismatchError: If `values` is of another game, or does not fit the seats.
    """

    def __init__(
        self,
        game: Game[Any],
        seats: Sequence[Person | Agent],
        *,
        seed: int = 0,
        alternate: bool = True,
        coach: Adviser | None = None,
        values: Strategy | SeatEstimates | None = None,
        mediator: Mediator | None = None,
    ) -> None:
        """Seat the players; the class describes the arguments."""
        self._first = Table.start(game)
        players = self._first.num_players
        seats = tuple(several("seats", seats, "a Person or an Agent for each player"))
        if len(seats) != players:
            raise ConfigError(
                f"{game.name} has {players} player{'s' * (players != 1)}, but {len(seats)} "
                f"seat{'s are' if len(seats) != 1 else ' is'} given",
                option="seats",
                given=len(seats),
                expected=players,
                remedy="give one seat per player",
            )
        for seat in seats:
            if not isinstance(seat, Person | Agent):
                raise bad_argument("seat", seat, "a Person or an Agent")
            if isinstance(seat, MediatedAgent) and seat.mediator is not mediator:
                raise bad_argument("mediator", mediator, f"the mediator that {seat.name} follows")
        self.game = game
        self._rotation = int(getattr(game, "rotation", 1))
        self.seats = tuple(seats)
        self.seed = whole_number("seed", seed, 0)
        self.alternate = check_bool("alternate", alternate)
        self.coach = coach
        self.mediator = mediator
        self.advice: Advice | None = None
        self.last: HandRecord | None = None
        bounds = self._bounds(values)
        self._tally = Tally(players, bounds)
        self._aivat = SeatAivat(values) if isinstance(values, Strategy) else values
        if self._aivat is not None:
            self._aivat.check(game.name, self.seats)
        self._aivat_tally = Tally(players, bounds)
        self._dealt = 0
        self._table: Table | None = None
        self._has_people = any(isinstance(seat, Person) for seat in seats)
        self._generators: list[np.random.Generator] = []
        """The generators of this hand: that of chance, one per player, that of a mediator."""

    def _bounds(self, values: object) -> tuple[tuple[float, float], ...] | None:
        """The least and the most that each seat can win; None if neither game nor tree says it."""
        players = getattr(self.game, "payoff_bounds", None)
        if players is None:
            holders = [
                values,
                *(getattr(holder, "strategy", None) for holder in (self.coach, *self.seats)),
            ]
            trees = [value.tree for value in holders if isinstance(value, Strategy)]
            if not trees:
                return None
            low, high = trees[0].min_payoff.tolist(), trees[0].max_payoff.tolist()
            players = tuple(zip(low, high, strict=True))
        if not self.alternate:
            return tuple(players)
        return ((min(low for low, _ in players), max(high for _, high in players)),) * len(players)

    @property
    def score(self) -> Score:
        """The score of all complete hands."""
        return self._tally.score

    @property
    def aivat_score(self) -> Score | None:
        """The score by AIVAT; None without `values`."""
        return None if self._aivat is None else self._aivat_tally.score

    @property
    def table(self) -> Table | None:
        """The hand in progress, with all private information; None between hands."""
        return self._table

    def seat_of(self, player: int) -> int:
        """The seat of a player in the hand that was dealt last.

        Args:
            player: The place at the table.

        Returns:
            The number of the person or agent.
        """
        whole_number("player", player, 0, len(self.seats) - 1)
        shift = self._dealt - 1 if self.alternate and self._dealt else 0
        return (player - self._rotation * shift) % len(self.seats)

    @property
    def turn(self) -> Turn | None:
        """The turn of the person who must choose; None if no hand is in progress."""
        table = self._table
        if table is None:
            return None
        seat = self.seat_of(table.player)
        return Turn(
            hand=self._dealt,
            seat=seat,
            player=table.player,
            infoset=table.infoset,
            facts=table.facts,
            actions=table.actions,
            words=table.words,
            mediated=self.mediator is not None,
            recommended=None if self.mediator is None else self.mediator.recommendation(table),
        )

    def deal(self) -> Turn | None:
        """Begin the next hand.

        Returns:
            The first turn of a person, or None if the hand ended without one.

        Raises:
            ConfigError: A hand is in progress.
        """
        if self._table is not None:
            raise ConfigError(
                "a hand is in progress",
                option="deal",
                remedy="continue it with choose(), or abandon it with withdraw()",
            )
        self._dealt += 1
        seeds = np.random.SeedSequence(self.seed, spawn_key=(self._dealt,))
        self._generators = [
            np.random.default_rng(seed) for seed in seeds.spawn(len(self.seats) + 2)
        ]
        if self.mediator is not None:
            self.mediator.begin(self._generators[-1])
        for seat in self.seats:
            if isinstance(seat, CountsHands):
                seat.begin(self._dealt)
        return self._go_on(self._first)

    def choose(self, action: int | str) -> Turn | None:
        """Play for the person whose turn it is.

        Args:
            action: Its index, its label or another word for it.

        Returns:
            The next turn of a person, or None if the hand is over.

        Raises:
            UnknownNameError: If no legal action is called this; nothing has happened then.
            ConfigError: If there is no such action, or no person is to choose.
        """
        table = self._table
        if table is None:
            raise ConfigError(
                "no hand is in progress", option="choose", remedy="begin one with deal()"
            )
        after = table.play(action)
        if self.coach is not None:
            self.advice = self.coach.advise(table.infoset, after.moves[-1].index)
            move = replace(after.moves[-1], ev_loss=self.advice.ev_loss)
            after = replace(after, moves=(*table.moves, move))
        return self._go_on(after)

    def withdraw(self) -> bool:
        """Abandon the hand in progress; it does not count.

        Returns:
            Whether a person had already chosen in it.
        """
        table, self._table = self._table, None
        return table is not None and any(
            move.player != CHANCE and move.probabilities is None for move in table.moves
        )

    def play(self, hands: int) -> Iterator[HandRecord]:
        """Play complete hands between agents.

        Args:
            hands: How many.

        Yields:
            Each hand when it is over.

        Raises:
            ConfigError: If a person has a seat.
        """
        if self._has_people:
            raise ConfigError(
                "play() needs agents only, but a person has a seat",
                option="seats",
                remedy="use deal() and choose()",
            )
        for _ in range(whole_number("hands", hands, 0)):
            self.deal()
            assert self.last is not None
            yield self.last

    def _go_on(self, table: Table) -> Turn | None:
        """Let chance and agents move until a person must choose or the hand is over."""
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
            self._aivat_tally.add(self._aivat.by_seat(seats, table.moves, table.payoffs))
        return None
