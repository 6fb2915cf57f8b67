"""A game in which a translated bet is met twice, and play of a translated strategy by its rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from equilibrist.game import CHANCE, TERMINAL, Game

State = tuple[tuple[int, ...], tuple[str, ...]]


class TwoBets:
    """Player 0 bets before each of two decisions of player 1, who folds or calls; a showdown.

    Both ante 1 and have a card; the pot is 2. `told` says how the game tells the pot: by `facts`,
    by `fractions`, or not at all (`nothing`).
    """

    num_players = 2

    def __init__(
        self, cards: int = 3, sizes: tuple[int, ...] = (1, 2, 3), told: str = "facts"
    ) -> None:
        self.cards = cards
        self.name = f"two_bets({cards},{sizes},{told})"
        self.bets = tuple(f"bet {size}" for size in sizes)
        if told == "facts":
            self.infoset_facts = self._facts
        if told == "fractions":
            self.pot_fractions = self._fractions

    def initial_state(self) -> State:
        return ((), ())

    def player(self, state: State, /) -> int:
        cards, moves = state
        if len(cards) < 2:
            return CHANCE
        return TERMINAL if "fold" in moves or len(moves) == 4 else len(moves) % 2

    def actions(self, state: State, /) -> tuple[str, ...]:
        cards, moves = state
        if len(cards) < 2:
            return tuple(str(c) for c in range(self.cards) if c not in cards)
        return ("fold", "call") if len(moves) % 2 else self.bets

    def chance(self, state: State, /) -> tuple[float, ...]:
        count = self.cards - len(state[0])
        return (1.0 / count,) * count

    def next(self, state: State, action_index: int, /) -> State:
        cards, moves = state
        label = self.actions(state)[action_index]
        return ((*cards, int(label)), moves) if len(cards) < 2 else (cards, (*moves, label))

    def payoffs(self, state: State, /) -> tuple[float, float]:
        cards, moves = state
        if moves[-1] == "fold":
            won = float(self._staked(moves[:-2]))
        else:
            won = float(self._staked(moves) * (1 if cards[0] > cards[1] else -1))
        return (won, -won)

    def infoset(self, state: State, /) -> str:
        cards, moves = state
        return f"{cards[len(moves) % 2]}/{','.join(moves)}"

    @staticmethod
    def _staked(moves: tuple[str, ...]) -> int:
        """What each player has put in, if every bet of these moves was called."""
        return 1 + sum(int(move[4:]) for move in moves if move.startswith("bet"))

    def _facts(self, key: str) -> dict[str, str]:
        moves = tuple(key.partition("/")[2].split(","))
        return {"pot": str(2 * self._staked(moves))}

    def _fractions(self, key: str, labels: tuple[str, ...]) -> list[float | None]:
        pot = float(self._facts(key)["pot"])
        return [float(one[4:]) / pot if one.startswith("bet") else None for one in labels]


Row = Mapping[str, float]
Strategy = Callable[[str], Row]
Shares = Callable[[Any, str, Any], Row]


def value_of_play(
    game: Game[Any], seat: int, own: Strategy, others: Strategy, shares: Shares
) -> float:
    """What `seat` earns who plays `own` where they believe the game to be.

    They draw for each action of the others for what they take it (`shares` says with which
    probabilities: of the state, the label, and the state they believe in), once, and go on
    believing it. This follows both games side by side, the one played and the one believed in.
    """

    def after(state: Any, label: str) -> Any:
        return game.next(state, list(game.actions(state)).index(label))

    def value(state: Any, believed: Any) -> float:
        player = game.player(state)
        if player == TERMINAL:
            return float(game.payoffs(state)[seat])
        if player == CHANCE:
            return sum(
                chance * value(game.next(state, k), game.next(believed, k))
                for k, chance in enumerate(game.chance(state))
            )
        total = 0.0
        if player == seat:
            for label, chance in own(game.infoset(believed)).items():
                total += chance * value(after(state, label), after(believed, label))
            return total
        for label, chance in others(game.infoset(state)).items():
            for taken, share in shares(state, label, believed).items():
                total += chance * share * value(after(state, label), after(believed, taken))
        return total

    return value(game.initial_state(), game.initial_state())
