"""What can take a seat: bots, and fixed opponents in games of any cards.

A bot is told of the hand in its own words: position p of the match is a seat of its hand, the small
blind first, and bets are totals of the street. The rules by which it reads the line, and by which
its answer is legal, are those of the dealer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from pydantic import PrivateAttr

from equilibrist.errors import ConfigError
from equilibrist.play.bots.answers import BotAnswer
from equilibrist.play.bots.bot import Bot
from equilibrist.play.bots.fixed import Choice, FixedAgent
from equilibrist.play.hands.game import HandGame
from equilibrist.play.solutions.reading import solution_game
from equilibrist.play.table import drawn_index
from equilibrist.poker.betting.actions import Kind, line_text
from equilibrist.poker.cards.cards import RANKS, card_names
from equilibrist.poker.decisions.searching import Search
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.rules import HoldemRules
from equilibrist.protocols.acpc.betting import FOLD, PASSIVE, RAISE, AcpcAction
from equilibrist.protocols.acpc.game_definition import LIMIT, GameDefinition
from equilibrist.protocols.acpc.match_state import MatchState
from equilibrist.protocols.acpc.rules import AcpcRules, rules_of

_SAME: Final = 1e-9


class FixedPlayer:
    """Plays one of the fixed opponents: its bets are the smallest, the pot and all-in.

    Args:
        rule: `fold`, `call`, `raise`, `random` or `all-in`.
        seed: The seed of what is drawn.

    Raises:
        UnknownNameError: There is no such rule.
    """

    def __init__(self, rule: str, seed: int = 0) -> None:
        """Take a rule; the class describes the arguments."""
        self._agent = FixedAgent(rule)
        self._generator = np.random.default_rng(np.random.SeedSequence(seed))

    def __call__(self, state: MatchState) -> AcpcAction:
        """Choose an action.

        Args:
            state: The match state.

        Returns:
            The action.
        """
        can = state.betting.choices()
        actions = [*[AcpcAction(FOLD)] * can.can_fold, PASSIVE]
        passive = len(actions) - 1
        if can.can_raise and state.rules.limit == LIMIT:
            actions.append(AcpcAction(RAISE))
        elif can.can_raise:
            betting = state.betting.state
            pot = betting.pot + can.to_call
            by_pot = betting.stakes[betting.player] + can.to_call + pot
            sizes = dict.fromkeys((can.least, min(max(by_pot, can.least), can.most), can.most))
            actions += [AcpcAction(RAISE, size) for size in sizes]
        bets = tuple(range(passive + 1, len(actions)))
        choice = Choice(0 if can.can_fold else None, passive, bets)
        shares = self._agent.shares(choice, len(actions))
        return actions[drawn_index(shares, self._generator)]


class TableHand(Hand):
    """The hand of a game definition, under the rules of the dealer."""

    _rules: AcpcRules | None = PrivateAttr(default=None)

    @property
    def rules(self) -> HoldemRules:
        """The rules of the dealer, by the seats of the hand."""
        return super().rules if self._rules is None else self._rules

    @classmethod
    def of(cls, definition: GameDefinition) -> TableHand:
        """The hand of a game definition.

        Args:
            definition: The game definition.

        Returns:
            The hand; its seats are the positions from the small blind on.
        """
        turned = _turned(definition)
        small, big, *_ = turned.blinds
        hand = cls(
            seats=turned.seats,
            stacks=turned.stacks,
            blinds=(max(1, small), max(1, big)),
            limit="limit" if turned.betting == LIMIT else "no-limit",
            fixed_bets=(turned.raise_sizes[0], turned.raise_sizes[-1])
            if turned.raise_sizes
            else None,
            deck=RANKS[len(RANKS) - turned.num_ranks],
            board=turned.num_board_cards[1:],
        )
        hand._rules = rules_of(turned, lowest_rank=len(RANKS) - turned.num_ranks)
        return hand


class BotPlayer:
    """Plays a strategy of hold'em as a `Bot`, at a table with the rules of a game definition.

    The same seed plays the same hand again. Bots map bets of any size and other stacks.

    Args:
        strategy: What a `Bot` plays: a blueprint, an exact solution, charts, or several of them.
        definition: The game.
        seed: The seed of all draws.
        search: What thinks about decisions; None plays the strategy.
        seconds: The most time of a search at a decision.

    Attributes:
        notes: Sentences on what the solution does not have of this game.
        answer: What the bot said last; None before the first question.

    Raises:
        ConfigError: The solution is of another number of seats, of other limits or cards.
    """

    def __init__(
        self,
        strategy: Any,
        definition: GameDefinition,
        *,
        seed: int = 0,
        search: Search | None = None,
        seconds: float | None = None,
    ) -> None:
        """Take a strategy; the class describes the arguments."""
        several = isinstance(strategy, Sequence)
        games = [solution_game(solution) for solution in (strategy if several else [strategy])]
        for game in games:
            _check(game, definition)
        self._bot = Bot(strategy, search, seed=seed, seconds=seconds)
        self._definition = definition
        self._table = TableHand.of(definition)
        self._above = 4 * (len(RANKS) - definition.num_ranks)
        self.notes = () if several else tuple(_notes(games[0], _turned(definition)))
        self.answer: BotAnswer | None = None
        self._hand = -1
        self._last: tuple[str, AcpcAction] | None = None

    def __call__(self, state: MatchState) -> AcpcAction:
        """Choose an action.

        Args:
            state: The match state.

        Returns:
            The action.
        """
        text = str(state)
        if self._last is not None and self._last[0] == text:  # a dealer that asks twice
            return self._last[1]
        if state.hand != self._hand:
            self._bot.begin(state.hand + 1)
            self._hand = state.hand
        own = card_names(self._own_deck(state.cards.holes[state.position]))
        self.answer = self._bot.act(own, self._line(state), table=self._table)
        action = _read(state, self.answer.action)
        self._last = (text, action)
        return action

    def _line(self, state: MatchState) -> str:
        """The hand so far, as bots are told."""
        streets, begin = [], 0
        for count in state.rules.board[1 : state.betting.street + 1]:
            cards = self._own_deck(state.cards.board[begin : begin + count])
            streets.append(sorted(cards, reverse=True))
            begin += count
        return line_text(state.betting.state.line, streets)

    def _own_deck(self, cards: Sequence[int]) -> list[int]:
        """The cards in the deck of the strategy, which may begin above deuces."""
        return [card + self._above for card in cards]


def _read(state: MatchState, code: str) -> AcpcAction:
    """The action of a bot as the protocol writes it."""
    kind = Kind(code[0])
    if kind is Kind.FOLD:
        return AcpcAction(FOLD)
    if kind in (Kind.CHECK, Kind.CALL):
        return PASSIVE
    if state.rules.limit == LIMIT:
        return AcpcAction(RAISE)
    betting = state.betting.state
    before = betting.stakes[state.position] - betting.bets[state.position]
    return AcpcAction(RAISE, before + round(float(code[1:])))


def _turned(definition: GameDefinition) -> GameDefinition:
    """The game definition with the small blind as position 0: the one before the big blind."""
    seats = definition.seats
    small = (definition.blinds.index(definition.big_blind) - 1) % seats
    order = [(small + seat) % seats for seat in range(seats)]
    return GameDefinition(
        definition.betting,
        tuple(definition.stacks[position] for position in order),
        tuple(definition.blinds[position] for position in order),
        definition.raise_sizes,
        tuple((first - small) % seats for first in definition.first_players),
        definition.max_raises,
        definition.num_suits,
        definition.num_ranks,
        definition.num_hole_cards,
        definition.num_board_cards,
    )


def _check(game: Any, definition: GameDefinition) -> None:
    if not isinstance(game, HandGame):
        raise ConfigError(
            "a spot begins after the flop, and a match plays whole hands",
            option="solution",
            given=game.name,
            remedy="give a blueprint, or another solution of whole hands",
        )
    rules = game.rules
    wrong = {
        "numPlayers": (rules.seats, definition.seats),
        "limit": (rules.limit == "limit", definition.betting == LIMIT),
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


def _notes(game: HandGame, turned: GameDefinition) -> Sequence[str]:
    """What of the game the solution does not have."""
    rules, notes = game.rules, list[str]()
    for name, own, theirs in (
        ("stacks", rules.stacks, turned.stacks),
        ("blinds", rules.blinds, turned.blinds),
    ):
        real = [chips / turned.big_blind for chips in theirs]
        solved = [chips / rules.big_blind for chips in own]
        if any(abs(a - b) > _SAME for a, b in zip(real, solved, strict=True)):
            notes.append(
                f"the solution has {name} of {_listed(solved)} big blinds, the game "
                f"{_listed(real)}: it plays the nearest that it knows"
            )
    return notes


def _listed(numbers: Sequence[float]) -> str:
    return "/".join(f"{number:g}" for number in numbers)
