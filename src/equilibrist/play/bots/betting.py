"""The betting at a table by the rules of poker alone: of whole hands and of spots, any amount."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple, Protocol

from equilibrist.play.bets import BetLimits
from equilibrist.play.hands.game import SeatsGame, TableState
from equilibrist.play.spots.game import SpotGame
from equilibrist.poker.betting.actions import CALL, CHECK, FOLD, Action, Kind
from equilibrist.poker.betting.state import BettingState, Phase
from equilibrist.poker.cards.decks import Ranking
from equilibrist.poker.hands.betting import after, covering, deal, folded, legal, start
from equilibrist.poker.hands.menu import normalize
from equilibrist.poker.hands.state import DEAL, DECISION, HandState

BETS: Final = (Kind.BET, Kind.RAISE, Kind.ALL_IN)


class Options(NamedTuple):
    """What the seat to act may do by the rules."""

    passive: tuple[Action, ...]
    """Fold and call, or check."""
    bets: BetLimits | None
    """The totals of a bet or raise, and the menu's, by the number of their action; None if it may
    not bet."""
    call: float
    """What it adds to call."""
    pot: float
    """What is in the middle."""


class Betting(Protocol):
    """The betting of a hand, state by state; amounts are chips of the table, or big blinds."""

    seats: int
    board_size: tuple[int, ...]
    """How many public cards there are on each street, the first one first."""
    board: tuple[int, ...]
    """The public cards before the first action."""
    lowest_rank: int
    ranking: Ranking

    def first(self) -> Any:
        """The state before any action."""
        ...

    def dealt(self, state: Any) -> Any:
        """The state at the beginning of the next street."""
        ...

    def after(self, state: Any, action: Action) -> Any:
        """The state after any action that the rules allow; ConfigError for others."""
        ...

    def player(self, state: Any) -> int | None:
        """The seat to act; None where nobody is."""
        ...

    def is_dealing(self, state: Any) -> bool:
        """Whether the next street begins here."""
        ...

    def street(self, state: Any) -> int:
        """The number of the street, from the first one on."""
        ...

    def menu(self, state: Any) -> tuple[Action, ...]:
        """The actions of the menu."""
        ...

    def options(self, state: Any) -> Options:
        """What the seat to act may do."""
        ...

    def read(self, state: Any, action: Action) -> Action:
        """An action as `menu` writes it."""
        ...

    def is_in(self, state: Any, seat: int) -> bool:
        """Whether a seat has not folded."""
        ...

    def depth(self, seat: int) -> float:
        """The effective stack of a seat at the start, in big blinds, of a spot in pots."""
        ...


class HandBetting:
    """The betting of a whole hand, or of a spot of several seats.

    Args:
        game: The hand or the spot.
    """

    def __init__(self, game: SeatsGame) -> None:
        """Bet by the rules of a hand; the class describes the argument."""
        self.game, self.rules = game, game.rules
        self.seats = game.num_players
        self.board_size = tuple(game.street_ends)
        self.board = game.cards
        self.lowest_rank, self.ranking = self.rules.lowest_rank, self.rules.ranking

    def first(self) -> HandState:
        """The state after antes and blinds."""
        return start(self.rules)

    def dealt(self, state: HandState) -> HandState:
        """The state at the beginning of the next street."""
        return deal(self.rules, state)

    def after(self, state: HandState, action: Action) -> HandState:
        """The state after any action that the rules allow; ConfigError for others."""
        return after(self.rules, state, action)

    def given_up(self, state: HandState) -> HandState:
        """The state after a fold, also of a seat that may check, as one that sits out does."""
        return folded(self.rules, state)

    def player(self, state: HandState) -> int | None:
        """The seat to act; None where nobody is."""
        return state.player if state.kind == DECISION else None

    def is_dealing(self, state: HandState) -> bool:
        """Whether the next street begins here."""
        return state.kind == DEAL

    def street(self, state: HandState) -> int:
        """The number of the street, 0 for the first one."""
        return state.street

    def menu(self, state: HandState) -> tuple[Action, ...]:
        """The actions of the menu."""
        return self.game.legal(TableState((), (), state))

    def options(self, state: HandState) -> Options:
        """What the seat to act may do."""
        rules, chips = self.rules, self.rules.scale.chips
        can, facing = legal(rules, state), max(state.bets)
        limits = None
        if can.most:
            limits = BetLimits(
                least=chips(can.least),
                most=chips(min(can.most, max(can.least, covering(rules, state)))),
                step=float(rules.scale.unit),
                facing=chips(facing),
                pot=chips(state.pot + facing - state.bets[state.player]),
                menu={},
            )
        passive = (FOLD, CALL) if can.fold else (CHECK,)
        return Options(passive, limits, chips(can.call), chips(state.pot))

    def read(self, state: HandState, action: Action) -> Action:
        """An action as `menu` writes it."""
        return normalize(self.rules, state, action)

    def is_in(self, state: HandState, seat: int) -> bool:
        """Whether a seat has not folded."""
        return state.is_live(seat)

    def depth(self, seat: int) -> float:
        """The effective stack of a seat before posting, in big blinds."""
        stacks = self.rules.stacks
        others = max(stack for other, stack in enumerate(stacks) if other != seat)
        return min(stacks[seat], others) / (self.rules.big_blind or 1)


class SpotBetting:
    """The betting of a spot.

    Args:
        game: The spot.
    """

    def __init__(self, game: SpotGame) -> None:
        """Bet by the rules of a spot; the class describes the argument."""
        self.game, self.rules = game, game.spot.rules()
        self.seats = 2
        self.board = tuple(game.spot.cards)
        self.board_size = tuple(range(len(self.board), 6))
        deck = game.spot.whole_deck
        self.lowest_rank, self.ranking = deck.lowest_rank, deck.ranking

    def first(self) -> BettingState:
        """The root of the spot."""
        return self.rules.root()

    def dealt(self, state: BettingState) -> BettingState:
        """The state at the beginning of the next street."""
        return self.rules.deal(state)

    def after(self, state: BettingState, action: Action) -> BettingState:
        """The state after any action that the rules allow; ConfigError for others."""
        return self.rules.next(state, action)

    def player(self, state: BettingState) -> int | None:
        """The seat to act; None where nobody is."""
        return state.player if state.phase is Phase.DECISION else None

    def is_dealing(self, state: BettingState) -> bool:
        """Whether the next street begins here."""
        return state.phase is Phase.DEAL

    def street(self, state: BettingState) -> int:
        """The number of the street, 0 for that of the root."""
        return state.street - self.game.spot.first_street

    def menu(self, state: BettingState) -> tuple[Action, ...]:
        """The actions of the menu."""
        return self.rules.actions(state)

    def options(self, state: BettingState) -> Options:
        """What the seat to act may do."""
        rules, chips = self.rules, state.scale.chips
        facing, most = max(state.bets), rules.all_in(state)
        limits = None
        if facing < most and not rules.is_capped(state):
            limits = BetLimits(
                least=chips(rules.min_raise_to(state)),
                most=chips(most),
                step=float(rules.unit),
                facing=chips(facing),
                pot=chips(state.pot + 2 * facing),
                menu={},
            )
        passive = (FOLD, CALL) if state.to_call else (CHECK,)
        return Options(passive, limits, chips(state.to_call), chips(state.pot + sum(state.bets)))

    def read(self, state: BettingState, action: Action) -> Action:
        """An action as `menu` writes it."""
        return self.rules.normalize(state, action)

    def is_in(self, state: BettingState, seat: int) -> bool:
        """Whether a seat has not folded."""
        return state.phase is not Phase.FOLD or state.player != seat

    def depth(self, seat: int) -> float:
        """The effective stack at the root, in pots."""
        return self.rules.stack / self.rules.pot


def betting_of(game: Any) -> Betting:
    """The betting of a game that a solution of hold'em is of."""
    return SpotBetting(game) if isinstance(game, SpotGame) else HandBetting(game)


def with_menu(limits: BetLimits, menu: Iterable[Action]) -> BetLimits:
    """Limits with the bets of a menu, by the number of their action."""
    totals = {k: float(action.amount) for k, action in enumerate(menu) if action.kind in BETS}
    return BetLimits(limits.least, limits.most, limits.step, limits.facing, limits.pot, totals)
