"""Scenes: what lies on the table, and who may do what. Nothing that the person may not see."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from equilibrist.poker.betting.bet_sizes import STREETS
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.web.play.answers import Scene, SeatedPlayer, StreetMoves

if TYPE_CHECKING:
    from equilibrist.play import HandGame, SpotGame
    from equilibrist.play.hands.game import TableState
    from equilibrist.play.spots.game import HandState

_CARDS: Final = re.compile(r"(?:(?:[2-9TJQKA]|10)[shdc]\s*)+")
_CARD: Final = re.compile(r"(?:[2-9TJQKA]|10)[shdc]")
_NAMED: Final = re.compile(r"\w+ \(([2-9TJQKA])\)")
_MINE: Final = ("your card", "your hand", "your cards")


def game_scene(player: int, facts: Sequence[tuple[str, str]], infoset: str) -> Scene:
    """The scene of an infoset of any game: its cards, where the game has any, and its facts.

    Args:
        player: Who sees it.
        facts: The infoset in words.
        infoset: Its key.

    Returns:
        The scene.
    """
    cards, board, rest = list[str](), list[str](), list[tuple[str, str]]()
    for name, text in facts:
        numbers = _cards_in(text)
        if numbers and name in _MINE:
            cards += numbers
        elif numbers and name == "board":
            board += numbers
        elif (name, text) != ("you are", f"player {player}"):
            rest.append((name, text))
    return {
        "kind": "game",
        "player": player,
        "you": f"player {player}",
        "cards": cards,
        "board": board,
        "facts": rest if facts else [("infoset", infoset)],
        "infoset": infoset,
    }


def _cards_in(text: str) -> list[str]:
    """Cards such as `Js Kh`, or the rank of `1 (J)`."""
    if _CARDS.fullmatch(text.strip()):
        return _CARD.findall(text)
    named = _NAMED.fullmatch(text)
    return [named[1]] if named else []


def spot_scene(
    game: SpotGame, state: HandState, person: int, *, reveal: bool, infoset: str = ""
) -> Scene:
    """The scene of a spot: both players, the board, the pot, and the moves so far.

    Args:
        game: The spot.
        state: Where the hand is.
        person: The seat of who sees it, 0 out of position.
        reveal: Whether the cards of both are shown.
        infoset: The key of the infoset, where somebody acts.

    Returns:
        The scene; amounts in chips.
    """
    from equilibrist.poker.betting.state import Phase
    from equilibrist.poker.cards.cards import card_names

    rules, betting = game.spot.rules(), state.betting
    chips = betting.scale.chips
    board = card_names((*game.spot.cards, *state.runout))
    acts = betting.player if betting.phase is Phase.DECISION else None
    players: list[SeatedPlayer] = []
    for player, seat in enumerate(SEATS):
        shown = reveal or player == person
        players.append(
            {
                "seat": seat.upper(),
                "you": player == person,
                "cards": _held(state, player) if shown else None,
                "behind": chips(rules.all_in(betting) - betting.bets[player]),
                "bet": chips(betting.bets[player]),
                "acts": player == acts,
                "folded": betting.phase is Phase.FOLD and player == betting.player,
            }
        )
    return {
        "kind": "spot",
        "player": person,
        "you": SEATS[person].upper(),
        "cards": _held(state, person),
        "board": [board[k : k + 2] for k in range(0, len(board), 2)],
        "pot": chips(betting.pot),
        "total": chips(betting.pot + sum(betting.bets)),
        "to_call": chips(betting.to_call) if acts is not None else 0,
        "players": players,
        "moves": _moves(game, state),
        "infoset": infoset,
    }


def hand_scene(
    game: HandGame,
    state: TableState,
    person: int,
    *,
    reveal: bool,
    infoset: str = "",
    names: Sequence[str] = (),
) -> Scene:
    """The scene of a whole hand, from the deal on.

    Args:
        game: The hand.
        state: Where it is.
        person: The seat of who sees it, 0 for the small blind.
        reveal: Whether the cards of all are shown.
        infoset: The key of the infoset, where somebody acts.
        names: What those are called who sit there; by default AI.

    Returns:
        The scene; amounts in the unit of the hand.
    """
    from equilibrist.poker.cards.cards import card_name
    from equilibrist.poker.hands.betting import behind, legal
    from equilibrist.poker.hands.state import DECISION

    rules, betting = game.rules, state.betting
    chips = rules.scale.chips
    acts = betting.player if betting.kind == DECISION else None
    players: list[SeatedPlayer] = [
        {
            "seat": name,
            "name": names[player] if names else "AI",
            "you": player == person,
            "cards": (_held(state, player) or None) if reveal or player == person else None,
            "behind": chips(behind(rules, betting, player)),
            "bet": chips(betting.bets[player]),
            "acts": player == acts,
            "folded": not betting.is_live(player),
        }
        for player, name in enumerate(game.seat_names)
    ]
    return {
        "kind": "spot",
        "player": person,
        "you": game.seat_names[person],
        "cards": _held(state, person),
        "board": [card_name(card) for card in state.board],
        "pot": chips(betting.pot - sum(betting.bets)),
        "total": chips(betting.pot),
        "to_call": chips(legal(rules, betting).call) if acts is not None else 0,
        "players": players,
        "moves": _hand_moves(game, state),
        "infoset": infoset,
    }


def _hand_moves(game: HandGame, state: TableState) -> list[StreetMoves]:
    """Street by street: its name, its cards, and who did what."""
    from equilibrist.poker.cards.cards import card_names
    from equilibrist.poker.hands.betting import acting_seats
    from equilibrist.poker.hands.rules import STREET_NAMES

    rules, streets, begin = game.rules, list[StreetMoves](), 0
    movers = acting_seats(rules, state.betting.line)
    for number, count in enumerate(rules.board):
        dealt = state.board[begin : begin + count]
        begin += count
        is_bet = number < len(state.betting.line)
        line, seats = (state.betting.line[number], movers[number]) if is_bet else ((), ())
        if number and not dealt:
            break
        moves = [
            [game.seat_names[seat], str(action)] for seat, action in zip(seats, line, strict=True)
        ]
        card = card_names(dealt) if dealt else None
        streets.append({"street": STREET_NAMES[number], "card": card, "moves": moves})
    return streets


def _held(state: HandState | TableState, player: int) -> list[str]:
    """The two cards of a player; none where they are not known (-1)."""
    from equilibrist.poker.cards.combos import combo_name

    combo = state.hands[player]
    name = combo_name(combo) if combo >= 0 else ""
    return [name[k : k + 2] for k in range(0, len(name), 2)]


def _moves(game: SpotGame, state: HandState) -> list[StreetMoves]:
    """Street by street: its name, its card, and who did what."""
    from equilibrist.poker.cards.cards import card_name

    streets: list[StreetMoves] = []
    first = game.spot.first_street
    for number, line in enumerate(state.betting.line):
        card = card_name(state.runout[number - 1]) if 0 < number <= len(state.runout) else None
        moves = [[SEATS[place % 2].upper(), str(action)] for place, action in enumerate(line)]
        streets.append({"street": STREETS[first + number], "card": card, "moves": moves})
    for number in range(len(streets), len(state.runout) + 1):
        card = card_name(state.runout[number - 1])
        streets.append({"street": STREETS[first + number], "card": card, "moves": []})
    return streets


_FOLDS: Final = {"fold"}
_PASSIVE: Final = {"check", "call", "pass"}
_BETS: Final = ("bet", "raise", "all-in")


def action_roles(words: Sequence[Sequence[str]]) -> list[str]:
    """The role of each action, which the palettes of the pages have colours for."""
    kinds = [_kind(names[0]) for names in words]
    if None in kinds:
        return [f"game:{k}/{len(words)}" for k in range(len(words))]
    count, seen, roles = kinds.count("bet"), 0, []
    for kind in kinds:
        if kind == "bet":
            roles.append(f"bet:{seen}/{count}")
            seen += 1
        else:
            roles.append(str(kind))
    return roles


def _kind(word: str) -> str | None:
    first = word.lower().split(" ")[0]
    if first in _FOLDS:
        return "fold"
    if first in _PASSIVE:
        return "passive"
    return "bet" if first.startswith(_BETS) else None
