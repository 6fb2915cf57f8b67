"""Processor microseconds of a hand under the rules of hold'em: PokerKit's, and ours in three forms.

    python -m benchmarks.poker.rules_speed    # half a minute; another one where the cache is empty

Random hands, dealt and played beforehand, are played again by each program from the same cards and
actions, which all of them check before they take them, down to the payoffs, which must be equal:

    PokerKit    a State with all automations
    betting     poker.hands.betting with payoffs: what play and the table of hands use
    Game        HoldemGame, which keeps the line and the cards: what solvers of small games use
    compiled    rules:holdem, which samplers use, on two seats alone: its infosets hold no more. It
                finds the legal actions and the infoset at each decision.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from pokerkit import Card

from benchmarks.record import write_record
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.poker import Hand
from equilibrist.poker.betting.actions import Action, Kind
from equilibrist.poker.cards.cards import card_name
from equilibrist.poker.hands.betting import after, deal, start
from equilibrist.poker.hands.game import HoldemGame, TableState, combination
from equilibrist.poker.hands.pots import payoffs, strengths
from equilibrist.poker.hands.rules import HoldemRules
from equilibrist.poker.hands.state import DEAL, SHOWDOWN
from tests.poker.hands.pokerkit_hands import pokerkit_state

ROUNDS = 5
HANDS = 200
SIZES: dict[str, Any] = {"bets": "50%,100%,a", "raises": "100%,a", "raise_cap": 2}
TABLES = {seats: Hand(seats=seats, blinds="50/100", stack=10_000, **SIZES) for seats in (2, 6)}
COLUMNS = (
    "seats",
    "decisions a hand",
    "PokerKit",
    "betting",
    "Game",
    "compiled",
    "PokerKit / each of ours",
)


@dataclass(frozen=True)
class Script:
    """A hand: cards seat by seat, then street by street, actions in turn, and what all win."""

    holes: tuple[tuple[int, ...], ...]
    board: tuple[tuple[int, ...], ...]
    actions: tuple[Action, ...]
    draws: tuple[float, ...]
    won: tuple[float, ...]


def scripted(game: HoldemGame, chance: random.Random) -> Script:
    """Play a random hand: seldom a fold, a raise in two of five decisions."""
    state, actions, draws = game.initial_state(), [], []
    while (player := game.player(state)) != TERMINAL:
        if player == CHANCE:
            left, number = undealt(game, state)
            count = comb(len(left), number)
            place = chance.randrange(count)
            state = game.with_cards(state, combination(left, number, place))
        else:
            legal = game.legal(state)
            count = len(legal)
            raises = [k for k, each in enumerate(legal) if each.amount]
            draw = chance.random()
            place = int(legal[0].kind is Kind.FOLD)  # check or call
            if draw < 0.15:
                place = 0
            elif draw > 0.6 and raises:
                place = raises[0] if chance.random() < 0.5 else chance.choice(raises)
            actions.append(legal[place])
            state = game.with_action(state, legal[place])
        draws.append((place + 0.5) / count)
    board = state.board
    return Script(state.holes, board, tuple(actions), tuple(draws), game.payoffs(state))


def undealt(game: HoldemGame, state: TableState) -> tuple[list[int], int]:
    """The cards that are left, ascending, and how many of them are dealt next."""
    rules = game.rules
    dealt = {card for cards in (*state.holes, *state.board) for card in cards}
    left = [card for card in rules.deck if card not in dealt]
    if len(state.holes) < rules.seats:
        return left, rules.hole_cards
    return left, rules.board[len(state.board) + 1]


def by_pokerkit(rules: HoldemRules, script: Script) -> tuple[float, ...]:
    """PokerKit's payoffs; with two seats it lists the big blind first."""
    seat_of = (lambda i: 1 - i) if rules.seats == 2 else (lambda i: i)
    state, actions, streets = pokerkit_state(rules), iter(script.actions), iter(script.board)
    for _ in range(rules.seats):
        state.deal_hole(CARDS_OF[script.holes[seat_of(state.hole_dealee_index)]])
    while state.status:
        if state.can_deal_board():
            state.deal_board(tuple(CARDS[card] for card in next(streets)))
            continue
        action = next(actions, None)
        if action is None or action.kind in {Kind.CHECK, Kind.CALL}:
            state.check_or_call()  # it asks a seat whose opponents are all-in, we do not
        elif action.kind is Kind.FOLD:
            state.fold()
        else:
            state.complete_bet_or_raise_to(action.amount)
    return tuple(float(state.payoffs[seat_of(i)]) for i in range(rules.seats))


def by_betting(rules: HoldemRules, script: Script) -> tuple[float, ...]:
    """Payoffs by the rules alone."""
    state = start(rules)
    for action in script.actions:
        while state.kind == DEAL:
            state = deal(rules, state)
        state = after(rules, state, action)
    while state.kind == DEAL:
        state = deal(rules, state)
    compared = None
    if state.kind == SHOWDOWN:
        compared = strengths(script.holes, [card for street in script.board for card in street])
    return tuple(float(won) for won in payoffs(rules, state, compared))


def by_game(game: HoldemGame, script: Script) -> tuple[float, ...]:
    """Payoffs by the game."""
    state, actions, streets = game.initial_state(), iter(script.actions), iter(script.board)
    for cards in script.holes:
        state = game.with_cards(state, cards)
    while (player := game.player(state)) != TERMINAL:
        if player == CHANCE:
            state = game.with_cards(state, next(streets))
        else:
            state = game.with_action(state, next(actions))
    return game.payoffs(state)


def compiled_player(hand: Hand) -> Callable[[Script], tuple[float, ...]]:
    """What plays scripts by the compiled rules."""
    from equilibrist.kernels.implicit.playouts import playout
    from equilibrist.rules.binding import bind

    rules = hand.compiled()
    play, longest = bind(rules, playout), rules.max_moves + 1
    draws, payoff = np.zeros(longest), np.zeros(rules.num_players)
    state, packed = np.zeros(rules.state_size, np.int64), np.zeros(2, np.uint64)
    states, moves = np.zeros((longest, len(state)), np.int64), np.zeros((longest, 3), np.int64)
    keys, public = np.zeros((longest, 2), np.uint64), np.zeros((longest, 2), np.uint64)

    def played(script: Script) -> tuple[float, ...]:
        draws[: len(script.draws)] = script.draws
        count = play(rules.g, draws, state, packed, states, moves, keys, public, payoff)
        assert count == len(script.draws)
        return tuple(payoff.tolist())

    return played


CARDS = [next(iter(Card.parse(card_name(card)))) for card in range(52)]


class _Pairs(dict[tuple[int, ...], tuple[Card, ...]]):
    """PokerKit's cards of our hole cards, made before anything is timed."""

    def __missing__(self, cards: tuple[int, ...]) -> tuple[Card, ...]:
        self[cards] = found = tuple(CARDS[card] for card in cards)
        return found


CARDS_OF = _Pairs()


def microseconds(play: Callable[[Script], Any], scripts: Sequence[Script]) -> float:
    """Processor microseconds of a hand."""
    begun = time.process_time()
    for script in scripts:
        play(script)
    return 1e6 * (time.process_time() - begun) / len(scripts)


def compare(seats: int) -> tuple[list[object], dict[str, list[float]]]:
    """The row of a table size, and its times by program and round."""
    hand = TABLES[seats]
    rules, game = hand.rules, hand.game()
    chance = random.Random(seats)
    scripts = [scripted(game, chance) for _ in range(HANDS)]
    programs: dict[str, Callable[[Script], tuple[float, ...]]] = {
        "PokerKit": lambda script: by_pokerkit(rules, script),
        "betting": lambda script: by_betting(rules, script),
        "Game": lambda script: by_game(game, script),
    }
    if seats == 2:
        programs["compiled"] = compiled_player(hand)
    for name, play in programs.items():
        for script in scripts:
            assert np.allclose(play(script), script.won), (name, script)
    times: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(ROUNDS):
        for name, play in programs.items():
            times[name].append(microseconds(play, scripts))
    row: list[object] = [seats, round(sum(len(each.actions) for each in scripts) / HANDS, 1)]
    ratios = []
    for name in COLUMNS[2:-1]:
        row.append(statistics.median(times[name]) if name in times else "-")
        if name != "PokerKit" and name in times:
            pairs = zip(times["PokerKit"], times[name], strict=True)
            ratios.append(f"{statistics.median(a / b for a, b in pairs):,.0f}")
    return [*row, " / ".join(ratios)], times


def main() -> None:
    """Measure and write the record."""
    rows, raw = [], {}
    for seats in TABLES:
        row, raw[f"{seats} seats"] = compare(seats)
        rows.append(row)
        print(row, flush=True)
    write_record(
        "rules_speed",
        "Processor microseconds of a random hand of 100 big blinds a seat, from the deal to the "
        f"payoffs, played from the same cards and actions; medians of {ROUNDS} rounds in turn. The "
        "last column is PokerKit's time over each of ours.",
        "python -m benchmarks.poker.rules_speed",
        COLUMNS,
        rows,
        packages=("numpy", "numba", "pokerkit"),
        hands=HANDS,
        microseconds=raw,
    )


if __name__ == "__main__":
    main()
