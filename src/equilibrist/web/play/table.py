"""A table as a document: the turn, the hand that is over, the score."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final

from equilibrist.game import CHANCE
from equilibrist.play.histories.log import why_no_histories
from equilibrist.play.words import action_words
from equilibrist.tree.shown_names import shown_names
from equilibrist.web.errors import ConflictError
from equilibrist.web.play.advice import (
    advice_document,
    decision_links,
    mapped_document,
)
from equilibrist.web.play.answers import (
    BetLimits,
    HandDocument,
    HandSummary,
    MappedBetDocument,
    Mean,
    MixedAction,
    Scene,
    TableDecision,
    TableDocument,
    TableMove,
    TableScore,
    TableTurn,
)
from equilibrist.web.play.place import choices_document, place_document
from equilibrist.web.play.scene import (
    action_roles,
    game_scene,
    hand_scene,
    spot_scene,
)

if TYPE_CHECKING:
    from equilibrist.library.opponents import Opponent
    from equilibrist.play import HandRecord, Move, Score
    from equilibrist.play.session import Turn
    from equilibrist.web.answers.solutions import SolutionTitle
    from equilibrist.web.playing.table import Decision, PlayedHand, PlayTable

_RECENT: Final = 30
"""Hands in the list of a table."""


def table_document(
    name: str, table: PlayTable, title: SolutionTitle | None = None
) -> TableDocument:
    """A table: the person's turn, or the hand that is over. Cards of others stay hidden before.

    Args:
        name: The name that it is open under.
        table: The table.
        title: What the library calls the solution, if it is there.

    Returns:
        The document.
    """
    turn, opponent = table.session.turn, table.opponent
    return {
        **place_document(name, table, title),
        "players": opponent.players,
        "seat_names": _seat_names(opponent),
        "seat": table.seat,
        "seed": table.seed,
        "has_coach": opponent.coach is not None,
        "has_ranges": opponent.ranges is not None,
        "has_histories": why_no_histories(opponent.game) is None,
        "revealed": table.revealed,
        "score": score_document(table),
        "recent": [_summary(hand) for hand in table.hands[: -_RECENT - 1 : -1]],
        "hand": len(table.hands) + (turn is not None),
        "decisions": [decision_document(opponent, decision) for decision in table.decisions],
        "state": "over" if turn is None else "turn",
        "turn": None if turn is None else _turn_document(table, turn),
        "over": hand_document(table, table.hands[-1]) if turn is None else None,
    }


def _turn_document(table: PlayTable, turn: Turn) -> TableTurn:
    held = table.session.table
    assert held is not None
    seats = [table.session.seat_of(player) for player in range(table.opponent.players)]
    bets = None
    if table.opponent.is_spot:
        scene = spot_scene(
            table.session.game,  # type: ignore[arg-type]
            held.state,
            turn.player,
            reveal=table.revealed,
            infoset=turn.infoset,
        )
        bets = _bets(table, turn)
    elif table.opponent.is_hand:
        scene = hand_scene(
            table.session.game,  # type: ignore[arg-type]
            held.state,
            turn.player,
            reveal=table.revealed,
            infoset=turn.infoset,
            names=_names(table, seats),
        )
        bets = _bets(table, turn)
    else:
        scene = game_scene(turn.player, turn.facts, turn.infoset)
    return {
        "hand": turn.hand,
        "move": len(held.moves),
        "scene": scene,
        "moves": [_move_document(table, seats, move) for move in held.moves]
        if table.revealed
        else None,
        "actions": choices_document(turn.words, turn.actions),
        "bets": bets,
    }


def _bets(table: PlayTable, turn: Turn) -> BetLimits | None:
    from equilibrist.play import HandGame
    from equilibrist.play.spots.bets import bet_limits

    game: Any = table.opponent.game
    is_hand = isinstance(game, HandGame)
    limits = game.bet_limits(turn.infoset) if is_hand else bet_limits(game, turn.infoset)
    if limits is None:
        return None
    return {
        "least": limits.least,
        "most": limits.most,
        "step": limits.step,
        "facing": limits.facing,
        "pot": limits.pot,
        "menu": [*limits.menu.items()],
    }


def bet_document(table: PlayTable, amount: float) -> MappedBetDocument:
    """Map a bet of any size before it is made.

    Args:
        table: The table.
        amount: The total on the street, in chips.

    Returns:
        The document of `mapped_document`.

    Raises:
        ConflictError: No bet is possible now.
        ConfigError: The amount is not a bet that the rules allow.
    """
    from equilibrist.play import HandGame, SpotGame
    from equilibrist.play.bets import mapped_within
    from equilibrist.play.spots.bets import map_bet

    turn, game = table.session.turn, table.opponent.game
    if turn is None or not isinstance(game, SpotGame | HandGame):
        raise ConflictError("no bet is possible now", option="amount", given=amount)
    words = tuple(best for best, *_ in turn.words)
    if isinstance(game, HandGame):
        mapped = mapped_within(game.bet_limits(turn.infoset), amount, game.unit)
    else:
        mapped = map_bet(game, turn.infoset, amount)
    return mapped_document(mapped, words)


def decision_document(opponent: Opponent, decision: Decision) -> TableDecision:
    """A choice of the person, with what the coach says and where it can be studied.

    Args:
        opponent: Whom the person plays against.
        decision: The choice.

    Returns:
        The document.
    """
    advice = advice_document(
        decision.words,
        decision.actions,
        decision.advice,
        decision.chosen,
        decision.judgement,
        decision.mapped,
    )
    return {
        "move": decision.move,
        "infoset": decision.infoset,
        **advice,
        **decision_links(opponent, decision.infoset),
    }


def hand_document(table: PlayTable, hand: PlayedHand) -> HandDocument:
    """A hand that is over, with all its secrets: every move, and what it was drawn from.

    Args:
        table: The table.
        hand: A hand of it that is over.

    Returns:
        The document.
    """
    opponent = table.opponent
    record = hand.record
    decisions = {decision.move: decision for decision in hand.decisions}
    moves = []
    for number, move in enumerate(record.moves):
        document = _move_document(table, record.seats, move)
        if number in decisions:
            document["decision"] = decision_document(opponent, decisions[number])
        moves.append(document)
    return {
        **_summary(hand),
        "payoffs": list(record.payoffs),
        "moves": moves,
        "scenes": _scenes(table, record, hand.player),
    }


def _move_document(table: PlayTable, seats: Sequence[int], move: Move) -> TableMove:
    """A move: who made it, and the probabilities of a strategy."""
    if move.infoset is None or move.player == CHANCE:
        word = shown_names(table.opponent.game).get(move.action, move.action)
        return {"who": "chance", "player": None, "infoset": None, "word": word,
                "mixture": None, "decision": None}  # fmt: skip
    words = action_words(table.opponent.game, move.infoset, move.actions)
    mixture: list[MixedAction] | None = None
    if move.probabilities is not None:
        roles = action_roles(words)
        mixture = [
            {"word": names[0], "role": role, "frequency": share}
            for names, role, share in zip(words, roles, move.probabilities, strict=True)
        ]
    who = table.session.seats[seats[move.player]].name
    return {
        "who": who,
        "player": move.player,
        "infoset": move.infoset,
        "word": words[move.index][0],
        "mixture": mixture,
        "decision": None,
    }


def _scenes(table: PlayTable, record: HandRecord, person: int) -> list[Scene] | None:
    """The table after each move of a hand of hold'em, from the deal on, all cards open."""
    opponent = table.opponent
    if not (opponent.is_spot or opponent.is_hand):
        return None
    shown: Any = spot_scene
    if opponent.is_hand:
        shown = partial(hand_scene, names=_names(table, record.seats))
    game: Any = opponent.game
    state, scenes = game.initial_state(), []
    for move in record.moves:
        state = game.next(state, move.index)
        if len(state.hands) == game.num_players:
            scenes.append(shown(game, state, person, reveal=True))
    return scenes


def _names(table: PlayTable, seats: Sequence[int]) -> list[str]:
    """Name those who sit in the places of a hand."""
    return [table.session.seats[seat].name for seat in seats]


def _seat_names(opponent: Opponent) -> list[str] | None:
    """The names of the places of a whole hand; None of other games."""
    from equilibrist.play import HandGame

    game = opponent.game
    return list(game.seat_names) if isinstance(game, HandGame) else None


def _summary(hand: PlayedHand) -> HandSummary:
    """A hand in a line."""
    graded = [decision.judgement for decision in hand.decisions if decision.judgement is not None]
    worst = max(graded, key=lambda judgement: judgement.share, default=None)
    return {
        "hand": hand.record.hand,
        "player": hand.player,
        "payoff": hand.payoff,
        "ev_loss": sum(judgement.ev_loss for judgement in graded) if graded else None,
        "worst": None if worst is None else str(worst.grade),
        "revealed": hand.revealed,
    }


def score_document(table: PlayTable) -> TableScore:
    """The score of a table: payoffs, AIVAT, grades. Means are per hand; intervals are of 95 %."""
    session, seat = table.session, table.person
    grades = table.grades
    losses = grades.losses
    return {
        "hands": session.score.hands,
        "revealed": sum(hand.revealed for hand in table.hands),
        "total": session.score.totals[seat],
        "payoff": mean_document(session.score, seat),
        "aivat": None if session.aivat_score is None else mean_document(session.aivat_score, seat),
        "expected": _expected(table),
        "choices": grades.choices,
        "grades": {str(grade): count for grade, count in grades.counts.items()},
        "right": grades.right,
        "ev_loss": mean_document(losses, 0) if grades.choices else None,
        "share": mean_document(losses, 1) if grades.choices else None,
        "total_ev_loss": losses.totals[0],
    }


def _expected(table: PlayTable) -> float | None:
    """What the solution earns per hand in the seats of the hands that are over.

    Where the seat changes, the mean of payoffs, and of AIVAT, goes by the seats that were played:
    after an odd number of hands they are not balanced. None before the first, and if unknown.
    """
    expected = table.opponent.expected
    if not expected:
        return None
    if table.seat is not None:
        return expected[table.seat]
    return fmean(expected[hand.player] for hand in table.hands) if table.hands else None


def mean_document(score: Score, seat: int) -> Mean:
    """A mean, with its interval where there is one.

    Args:
        score: The score.
        seat: The seat.

    Returns:
        `mean`, `low` and `high` per hand, the latter None without an interval.
    """
    interval = score.interval(seat) if score.hands else None
    return {
        "mean": score.means[seat],
        "low": None if interval is None else interval[0],
        "high": None if interval is None else interval[1],
    }
