"""Lines of play as they come to a bot: actions checked by the rules, cards by the deck."""

from __future__ import annotations

from typing import Any, NamedTuple

from equilibrist.errors import CardSyntaxError, ConfigError, LineSyntaxError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.play.bots.betting import Betting
from equilibrist.poker.betting.actions import Action, line_text
from equilibrist.poker.betting.lines import LinePart, parse_line
from equilibrist.poker.cards.cards import card_name, card_names, refuse_outside_deck
from equilibrist.poker.cards.combos import FIRST_CARD, SECOND_CARD, combo_name, parse_combo
from equilibrist.poker.text_span import TextSpan


class PlayedAction(NamedTuple):
    """An action of a hand as it was played."""

    state: Any
    """The state before it."""
    action: Action
    where: str
    """The line before it, with cards."""


class PlayedLine(NamedTuple):
    """A hand so far, as it was played."""

    combo: int
    """The hand of the seat to act."""
    actions: tuple[PlayedAction, ...]
    state: Any
    """Where a seat is to act."""
    seat: int
    """That seat."""
    board: tuple[int, ...]
    text: str
    """The line as lines are written."""


def read_played(betting: Betting, hole_cards: object, line: str) -> PlayedLine:
    """Follow a line to a decision.

    Args:
        betting: The betting at the table.
        hole_cards: The two cards of the seat to act, as a text.
        line: The actions and the public cards so far, such as `R2.5-C|Td9d6h|X`.

    Returns:
        The hand so far.

    Raises:
        CardSyntaxError: The cards cannot be read.
        ConfigError: The cards are not of the deck, or are on the board; nobody acts after the line.
        LineSyntaxError: The line cannot be read, an action or a card is impossible; has the place.
    """
    if not isinstance(hole_cards, str):
        raise bad_argument("hole_cards", hole_cards, "two cards, such as 'AhKh'")
    try:
        combo = parse_combo(hole_cards)
    except CardSyntaxError as error:
        error.option = "hole_cards"
        raise
    own = (int(FIRST_CARD[combo]), int(SECOND_CARD[combo]))
    refuse_outside_deck("hole_cards", own, betting.lowest_rank)
    both = sorted({*own} & {*betting.board})
    if both:
        raise _on_board(combo, both[0])
    state, board, actions = betting.first(), betting.board, list[PlayedAction]()
    streets: list[tuple[Action, ...]] = [()]
    dealt = list[tuple[int, ...]]()
    for number, part in enumerate(_parts(line)):
        if number:
            board = _board(betting, state, board, part.cards, part.cards_at, own)
            dealt.append(tuple(sorted(part.cards, reverse=True)))
            state = betting.dealt(state)
            streets.append(())
        elif part.cards:
            raise _wrong(part.cards_at, "a line begins with an action, and cards follow a bar")
        for written, at in zip(part.actions, part.actions_at, strict=True):
            if betting.player(state) is None:
                raise _wrong(at, "nobody acts here")
            action = betting.read(state, written)
            actions.append(PlayedAction(state, action, line_text(streets, dealt)))
            try:
                state = betting.after(state, action)
            except ConfigError as error:
                raise _wrong(at, f"{error}") from None
            streets[-1] = (*streets[-1], action)
    seat = betting.player(state)
    if seat is None:
        is_open = betting.is_dealing(state)
        raise ConfigError(
            f"nobody acts after {line or 'the deal'}",
            option="line",
            given=line,
            expected="a line after which a seat acts",
            remedy="add a bar and the cards of the next street" if is_open else "the hand is over",
        )
    return PlayedLine(combo, tuple(actions), state, seat, board, line_text(streets, dealt))


def _parts(line: str) -> tuple[LinePart, ...]:
    """The streets of a line; a bar behind the last cards begins none."""
    parts = parse_line(line)
    is_empty = not parts[-1].cards and not parts[-1].actions
    if is_empty and len(parts) > 1 and parts[-2].cards and not parts[-2].actions:
        return parts[:-1]
    return parts


def _board(
    betting: Betting,
    state: Any,
    board: tuple[int, ...],
    cards: tuple[int, ...],
    at: TextSpan,
    own: tuple[int, ...],
) -> tuple[int, ...]:
    """The public cards with those of the next street; LineSyntaxError for impossible ones."""
    if not betting.is_dealing(state):
        raise _wrong(at, "no street begins here")
    street = betting.street(state)
    wanted = betting.board_size[street + 1] - betting.board_size[street]
    if len(cards) != wanted:
        raise _wrong(at, f"this street deals {wanted} cards, and the line has {len(cards)}")
    refuse_outside_deck("line", cards, betting.lowest_rank)
    taken = {*board, *own}
    for card in cards:
        if card in own:
            raise _wrong(at, f"{card_name(card)} is a card of the own hand")
        if card in taken:
            raise _wrong(at, f"{card_name(card)} was dealt before, on {card_names(board)}")
        taken.add(card)
    return (*board, *sorted(cards, reverse=True))


def _on_board(combo: int, card: int) -> ConfigError:
    return ConfigError(
        f"{combo_name(combo)} has {card_name(card)}, which is on the board",
        option="hole_cards",
        given=combo_name(combo),
        expected="two cards that are not on the board",
    )


def _wrong(at: TextSpan, message: str) -> LineSyntaxError:
    return LineSyntaxError(message, at.whole, at.start, option="line", given=at.text)
