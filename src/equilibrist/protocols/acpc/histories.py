"""Hands of match logs in the poker hand history format (PHH), and back; through PokerKit.

Positions are the players p1, p2 and so on of PHH. Hands of a log have one game definition; those of
PHH that have another one, or something that logs lack, are left out, and said to be.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, Final, NamedTuple

from equilibrist.errors import CardSyntaxError, EquilibristError, UnsupportedError
from equilibrist.play.histories.notation import (
    CALL as CHECK_OR_CALL,
)
from equilibrist.play.histories.notation import (
    ActionCodes,
    import_notation,
    plain,
    replayed,
)
from equilibrist.play.histories.played import RAKE
from equilibrist.poker.betting.chips import MOST_CHIPS, SCALES, ChipScale
from equilibrist.poker.cards.cards import card_names, parse_cards
from equilibrist.poker.hands.pots import pots
from equilibrist.protocols.acpc.betting import CALL, FOLD, PASSIVE, RAISE, AcpcAction, Betting
from equilibrist.protocols.acpc.game_definition import LIMIT, NO_LIMIT, GameDefinition
from equilibrist.protocols.acpc.log import LoggedHand
from equilibrist.protocols.acpc.match_state import Deal
from equilibrist.protocols.acpc.rules import rules_of
from equilibrist.protocols.acpc.values import value_text, values

_BOARD: Final = (0, 3, 1, 1)
_CAPS: Final = (3, 4, 4, 4)
"""Raises of limit hold'em in PHH, after the blinds or a bet."""
_VARIANTS: Final = {"NT": NO_LIMIT, "FT": LIMIT}
_SIGNS: Final = re.compile(r"[:|\r\n]+")
_UNKNOWN: Final = "?"
_ROUNDING: Final = Fraction(1, 10**6)
"""Match logs have six decimals of winnings."""
_ENDLESS: Final = (None, float("inf"))
"""Stacks without an end."""


def hand_history(definition: GameDefinition, hand: LoggedHand) -> Any:
    """A hand of a match log as PokerKit's `HandHistory`.

    Args:
        definition: The game.
        hand: The hand.

    Returns:
        A `pokerkit.HandHistory`. It has no finishing stacks where chips were shared by fractions.

    Raises:
        ConfigError: PokerKit is not installed.
        UnsupportedError: PHH has no such game, PokerKit does not allow an action, or the winnings
            are not those of the play.
    """
    check_game(definition)
    _check_winnings(hand)
    about: dict[str, Any] = {
        **_game_fields(definition),
        "players": [plain(name) for name in hand.names],
        "hand": hand.hand,
    }
    if all(value.denominator == 1 for value in hand.values):
        final = zip(definition.stacks, hand.values, strict=True)
        about["finishing_stacks"] = [int(stack + value) for stack, value in final]
    return replayed(about, lambda state: _codes(hand, state))


def _game_fields(definition: GameDefinition) -> dict[str, Any]:
    """The fields of a game in PHH, amounts in chips of the definition."""
    is_limit = definition.betting == LIMIT
    sizes = (
        {"small_bet": definition.raise_sizes[0], "big_bet": definition.raise_sizes[-1]}
        if is_limit
        else {"min_bet": definition.big_blind}
    )
    blinds = list(definition.blinds)
    if definition.seats == 2:  # PokerKit swaps the blinds of two seats
        blinds.reverse()
    return {
        "variant": "FT" if is_limit else "NT",
        "antes": [0] * definition.seats,
        "blinds_or_straddles": blinds,
        **sizes,
        "starting_stacks": list(definition.stacks),
    }


def _check_winnings(hand: LoggedHand) -> None:
    """Compare what a log says that the positions won with the play, to what a log rounds off."""
    due = _won_by_cards(hand.betting, hand.cards)
    if due is None:  # whoever won, nothing is lost
        is_wrong = abs(sum(hand.values, Fraction(0))) > len(hand.values) * _ROUNDING
    else:
        pairs = zip(hand.values, due, strict=True)
        is_wrong = any(abs(logged - won) > _ROUNDING for logged, won in pairs)
    if is_wrong:
        raise _other_winnings(hand.values, due)


def _other_winnings(given: Iterable[Fraction], due: Iterable[Fraction] | None) -> UnsupportedError:
    won, right = "|".join(map(value_text, given)), "a sum of 0"
    if due is not None:
        right = "|".join(map(value_text, due))
    return UnsupportedError(
        f"its winnings are {won}; its play asks for {right}",
        option="winnings",
        given=won,
        expected=right,
    )


def check_game(definition: GameDefinition) -> None:
    """Raise UnsupportedError for a game that PHH does not have.

    Args:
        definition: The game.
    """
    seats, streets = definition.seats, definition.streets
    first = 1 if seats == 2 else (definition.blinds.index(definition.big_blind) + 1) % seats
    limits = definition.raise_sizes
    wrong = {
        "numBoardCards": definition.num_board_cards != _BOARD,
        "numHoleCards": definition.num_hole_cards != 2,
        "numRanks": definition.num_ranks != 13 or definition.num_suits != 4,
        "firstPlayer": definition.first_players != (first, *[0] * (streets - 1)),
        "blind": seats == 2 and definition.blinds[0] <= definition.blinds[1],
        "raiseSize": bool(limits) and limits != (*limits[:1] * 2, *limits[-1:] * 2),
        "maxRaises": bool(limits) and definition.max_raises != _CAPS,
    }
    for option, is_wrong in wrong.items():
        if is_wrong:
            raise UnsupportedError(
                f"PHH has no hold'em with another {option}",
                option=option,
                expected="hold'em with the usual positions and limits",
                remedy="keep the match log",
            )


def _codes(hand: LoggedHand, state: Any) -> ActionCodes:
    """The actions as PHH writes them."""
    rules = hand.betting.rules
    for position, cards in enumerate(hand.cards.holes, 1):
        yield f"d dh p{position} {card_names(cards) if cards else '????'}"
    betting, board = Betting.start(rules), list(hand.cards.board)
    ends = [sum(rules.board[: street + 1]) for street in range(len(rules.board))]
    out = 0
    for action in actions_of(hand.betting.text):
        before = betting
        betting = betting.play(action)
        yield f"p{before.player + 1} {_code(before, action)}"
        for end in ends:
            if out < end <= betting.board_cards:
                yield from _passed(state)
                yield from _shown(state, hand.cards)
                yield f"d db {card_names(board[out:end])}"
                out = end
    yield from _passed(state)
    yield from _shown(state, hand.cards)


def _code(before: Betting, action: AcpcAction) -> str:
    if action.kind == FOLD:
        return "f"
    if action.kind == CALL:
        return CHECK_OR_CALL
    total = before.choices().least if action.size is None else action.size
    return f"cbr {total - before.earlier_streets}"


def _passed(state: Any) -> ActionCodes:
    """Checks of those that PokerKit asks, and the dealer does not."""
    while state.actor_index is not None:
        yield f"p{state.actor_index + 1} {CHECK_OR_CALL}"


def _shown(state: Any, cards: Deal) -> ActionCodes:
    while state.showdown_index is not None:
        place = state.showdown_index
        hole = cards.holes[place]
        yield f"p{place + 1} sm {card_names(hole) if hole else '-'}"


def actions_of(text: str) -> list[AcpcAction]:
    """The actions of the betting of a match state, without its slashes.

    Args:
        text: Such as `cr300c/cc/r900f`; the betting of a hand that was read.

    Returns:
        The actions.
    """
    words = re.findall(r"[fcr]\d*", text)
    return [AcpcAction(word[0], int(word[1:]) if word[1:] else None) for word in words]


class ReadHistories(NamedTuple):
    """Hands of PHH as a match log has them.

    Attributes:
        definition: The game of the first hand.
        hands: The hands.
        left_out: What was left out, and why: a sentence each.
    """

    definition: GameDefinition
    hands: tuple[LoggedHand, ...]
    left_out: tuple[str, ...]


def logged_hands(histories: Iterable[Any], names: Sequence[str] = ()) -> ReadHistories:
    """Read hands of PHH as hands of a match log.

    Amounts that are no whole chips become tenths or hundredths, in all hands.

    Args:
        histories: The hands, `pokerkit.HandHistory`.
        names: What each is called where it is left out; none for `hand` and its number.

    Returns:
        The hands with the game of the first one that logs can have.

    Raises:
        UnsupportedError: No hand can be written.
    """
    everything = list(histories)
    scale = _scale(everything)
    definition: GameDefinition | None = None
    hands: list[LoggedHand] = []
    left_out: list[str] = []
    for number, history in enumerate(everything, 1):
        name = f"hand {history.hand if history.hand is not None else number}"
        name = names[number - 1] if names else name
        try:
            game = _definition(history, scale)
            if definition is not None and game != definition:
                raise UnsupportedError(
                    "its stacks, blinds or limits are not those of the first hand", option="game"
                )
            hand = _logged(history, game, scale, len(hands))
        except (EquilibristError, ValueError, IndexError, TypeError) as error:
            left_out.append(f"{name}: {error}")
            continue
        definition = game
        hands.append(hand)
    if definition is None:
        raise UnsupportedError(
            "no hand can be written as a match log: "
            + "; ".join(left_out[:3] or ["there is none"]),
            option="hands",
            given=len(everything),
        )
    return ReadHistories(definition, tuple(hands), tuple(left_out))


def _scale(histories: Sequence[Any]) -> ChipScale:
    """The coarsest scale that all blinds and stacks fit; that of bets follows from it."""
    amounts: list[float] = []
    for history in histories:
        for listed in (history.blinds_or_straddles, history.starting_stacks):
            amounts += [amount for amount in listed or () if amount not in _ENDLESS]
        for action in history.actions:
            words = action.partition("#")[0].split()
            if "cbr" in words:
                with suppress(ValueError):
                    amounts.append(float(words[-1]))
    for scale in SCALES:
        if all(float(amount * scale.per_chip).is_integer() for amount in amounts):
            return scale
    return SCALES[-1]


def _definition(history: Any, scale: ChipScale) -> GameDefinition:
    if history.variant not in _VARIANTS:
        raise UnsupportedError("it is no limit or no-limit hold'em", option="variant")
    if any(history.antes):
        raise UnsupportedError("match logs have no antes", option="antes")
    rake = history.user_defined_fields.get(RAKE)
    if rake and not isinstance(rake, str):
        raise UnsupportedError("match logs have no rake", option="rake", given=rake)
    betting = _VARIANTS[history.variant]
    blinds = [scale.units(blind) for blind in history.blinds_or_straddles]
    seats = len(blinds)
    if seats == 2:
        blinds.reverse()
    largest = max(range(seats), key=lambda seat: (blinds[seat], seat))
    sizes: tuple[int, ...] = ()
    if betting == LIMIT:
        small, big = scale.units(history.small_bet), scale.units(history.big_bet)
        sizes = (small, small, big, big)
    return GameDefinition(
        betting,
        tuple(
            MOST_CHIPS if stack in _ENDLESS else scale.units(stack)
            for stack in history.starting_stacks
        ),
        tuple(blinds),
        sizes,
        (1 if seats == 2 else (largest + 1) % seats, 0, 0, 0),
        _CAPS if betting == LIMIT else (),
    )


def _logged(history: Any, definition: GameDefinition, scale: ChipScale, number: int) -> LoggedHand:
    rules = rules_of(definition)
    betting = Betting.start(rules)
    holes: list[tuple[int, ...]] = [()] * definition.seats
    board: tuple[int, ...] = ()
    for action in history.actions:
        words = action.partition("#")[0].split()
        match words:
            case []:
                continue
            case ["d", "dh", place, cards]:
                holes[_position(place)] = _cards(cards)
            case ["d", "db", cards]:
                board += _cards(cards)
            case [place, "sm", cards] if cards != "-":
                holes[_position(place)] = _cards(cards) or holes[_position(place)]
            case [_, "sm", *_]:
                continue
            case [place, *said] if betting.is_over:
                if said != [CHECK_OR_CALL]:
                    raise UnsupportedError(f"{action!r} comes after the end of the betting")
            case [place, *said]:
                if _position(place) != betting.player:
                    raise UnsupportedError(f"{action!r} is not the turn of {place}")
                betting = betting.play(_said(betting, said, scale, action))
            case _:
                raise UnsupportedError(f"{action!r} is no action")
    if not betting.is_over:
        raise UnsupportedError("it is not played to its end", option="actions")
    cards = Deal(tuple(holes), board)
    dealt = [card for group in (*cards.holes, board) for card in group]
    if len(board) < betting.board_cards or len(set(dealt)) < len(dealt):
        raise UnsupportedError("its cards are not all there, or come twice", option="cards")
    _check_order(history.actions, definition, scale)
    names = [_SIGNS.sub(" ", f"{name}") for name in history.players or ()]
    names = names or [f"p{position}" for position in range(1, definition.seats + 1)]
    logged_number = history.hand if isinstance(history.hand, int) else number
    out = cards._replace(board=board[: betting.board_cards])
    won = _won(history, definition, betting, cards, scale)
    return LoggedHand(logged_number, betting, out, won, tuple(names))


def _check_order(codes: Sequence[str], definition: GameDefinition, scale: ChipScale) -> None:
    """Let PokerKit replay a hand: cards come in their turn, and nothing after the end."""
    notation = import_notation()
    actions = [_in_units(code.partition("#")[0].split(), scale) for code in codes]
    actions = [action for action in actions if action]
    history = notation.HandHistory(**_game_fields(definition), actions=actions)
    replayed_actions = 0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of cards that came before, which is checked
            for _, action in history.state_actions:
                replayed_actions += action is not None
    except ValueError:
        stopped_at = actions[replayed_actions]
        raise UnsupportedError(
            f"PokerKit does not allow {stopped_at!r} where it stands",
            option="actions",
            given=stopped_at,
        ) from None


def _in_units(words: list[str], scale: ChipScale) -> str:
    """An action of PHH, its amount in units of the scale."""
    if words[1:2] == ["cbr"]:
        words = [*words[:2], str(scale.units(float(words[2])))]
    return " ".join(words)


def _won(
    history: Any, definition: GameDefinition, betting: Betting, cards: Deal, scale: ChipScale
) -> tuple[Fraction, ...]:
    """What the positions won, by the cards, or by the history where they are not known."""
    due = _won_by_cards(betting, cards)
    if due is not None:
        _check_stacks(history, due, len(pots(betting.rules, betting.state)), scale)
        return due
    if history.finishing_stacks is None:
        raise UnsupportedError("cards of a showdown are not known", option="cards")
    final = zip(history.finishing_stacks, definition.stacks, strict=True)
    return tuple(Fraction(scale.units(after) - before) for after, before in final)


def _won_by_cards(betting: Betting, cards: Deal) -> tuple[Fraction, ...] | None:
    """What the positions won; None where cards of a showdown are not known."""
    live = [seat for seat in range(betting.rules.seats) if betting.state.is_live(seat)]
    are_known = len(cards.board) >= betting.board_cards and all(cards.holes[seat] for seat in live)
    if not betting.is_folded and not are_known:
        return None
    known = next((hole for hole in cards.holes if hole), ())
    return values(betting, cards._replace(holes=tuple(hole or known for hole in cards.holes)))


def _check_stacks(history: Any, due: tuple[Fraction, ...], num_pots: int, scale: ChipScale) -> None:
    """Compare the stacks that a history ends with, to the odd chips of its pots."""
    given = list(due)
    stacks = zip(history.starting_stacks, history.finishing_stacks or (), strict=False)
    for seat, (before, after) in enumerate(stacks):
        if before not in _ENDLESS and after not in _ENDLESS:
            given[seat] = (Fraction(after) - Fraction(before)) * scale.per_chip
    pairs = zip(given, due, strict=True)
    if any(abs(won - by_play) >= num_pots * scale.per_chip for won, by_play in pairs):
        raise _other_winnings(given, due)


def _said(betting: Betting, words: list[str], scale: ChipScale, action: str) -> AcpcAction:
    match words:
        case ["f"]:
            return AcpcAction(FOLD)
        case ["cc"]:
            return PASSIVE
        case ["cbr", amount]:
            if betting.rules.limit == LIMIT:
                return AcpcAction(RAISE)
            return AcpcAction(RAISE, betting.earlier_streets + scale.units(float(amount)))
    raise UnsupportedError(f"{action!r} is no action")


def _position(place: str) -> int:
    return int(place.removeprefix("p")) - 1


def _cards(text: str) -> tuple[int, ...]:
    if _UNKNOWN in text:
        return ()
    cards = tuple(parse_cards(text))
    if not cards:
        raise CardSyntaxError("no cards", text, 0)
    return cards
