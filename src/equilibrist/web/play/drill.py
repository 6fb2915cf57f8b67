"""A drill as a document: the question, the last answer, the score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist.play import HandGame, SpotGame
from equilibrist.play.hand_log import log_text
from equilibrist.play.histories.log import history_text, why_no_histories
from equilibrist.web.errors import ConflictError
from equilibrist.web.play.advice import advice_document, decision_links
from equilibrist.web.play.answers import DrillAnswer, DrillDocument, DrillQuestion, Scene
from equilibrist.web.play.place import choices_document, place_document
from equilibrist.web.play.scene import game_scene, hand_scene, spot_scene
from equilibrist.web.play.table import mean_document
from equilibrist.web.playing.table import PlayTable

if TYPE_CHECKING:
    from equilibrist.library.opponents import Opponent
    from equilibrist.play import HandGame, Question, SpotGame
    from equilibrist.play.drill import Answer
    from equilibrist.web.answers.solutions import SolutionTitle
    from equilibrist.web.playing.current_play import PlayDrill


def drill_document(
    name: str, place: PlayDrill, title: SolutionTitle | None = None
) -> DrillDocument:
    """A drill: what is asked, or what the last answer was worth.

    Args:
        name: The name that it is open under.
        place: The drill.
        title: What the library calls the solution, if it is there.

    Returns:
        The document.
    """
    opponent, drill = place.opponent, place.drill
    question, grades = drill.question, drill.grades
    return {
        **place_document(name, place, title),
        "about": place.about,
        "is_later": place.is_later,
        "infosets": len(drill.keys),
        "seed": drill.seed,
        "state": "turn" if question is not None else "over",
        "question": None if question is None else question_document(opponent, question),
        "answer": None if place.last is None else answer_document(opponent, place.last),
        "score": {
            "answers": drill.answers,
            "choices": grades.choices,
            "right": grades.right,
            "grades": {str(grade): count for grade, count in grades.counts.items()},
            "ev_loss": mean_document(grades.losses, 0) if grades.choices else None,
            "share": mean_document(grades.losses, 1) if grades.choices else None,
        },
        "worst": [answer_document(opponent, answer) for answer in drill.worst],
    }


def question_document(opponent: Opponent, question: Question) -> DrillQuestion:
    """A question, with the scene and what may be answered.

    Args:
        opponent: Whose decisions are drilled.
        question: The question.

    Returns:
        The document.
    """
    return {
        "number": question.number,
        "scene": _scene(opponent, question),
        "actions": choices_document(question.words, question.actions),
    }


def answer_document(opponent: Opponent, answer: Answer) -> DrillAnswer:
    """An answer, with the scene that it was given at.

    Args:
        opponent: Whose decisions are drilled.
        answer: The answer.

    Returns:
        The document.
    """
    question = answer.question
    words = tuple(best for best, *_ in question.words)
    advice = advice_document(
        words, question.actions, answer.advice, answer.advice.chosen, answer.judgement
    )
    return {
        "number": question.number,
        "infoset": question.infoset,
        "scene": _scene(opponent, question),
        **advice,
        **decision_links(opponent, question.infoset),
    }


def _scene(opponent: Opponent, question: Question) -> Scene:
    if opponent.is_hand:
        hand: HandGame = opponent.game  # type: ignore[assignment]
        return _hand_scene(hand, question)
    if not opponent.is_spot:
        return game_scene(question.player, question.facts, question.infoset)
    from equilibrist.play.spots.game import HandState, read_infoset

    game: SpotGame = opponent.game  # type: ignore[assignment]
    combo, line = read_infoset(question.infoset)
    betting, cards = game.spot.rules().follow(line, game.spot.cards)
    runout = tuple(card for card in cards if card is not None)
    hands = [-1, -1]
    hands[betting.player] = combo
    state = HandState(tuple(hands), betting, runout)
    return spot_scene(game, state, betting.player, reveal=False, infoset=question.infoset)


def _hand_scene(game: HandGame, question: Question) -> Scene:
    """The scene of a whole hand, of whose cards the player's own are known."""
    combo, state = game.at(question.infoset)
    hands = [-1] * game.num_players
    hands[state.betting.player] = combo
    shown = state._replace(hands=tuple(hands))
    return hand_scene(game, shown, state.betting.player, reveal=False, infoset=question.infoset)


def table_lines(table: PlayTable) -> str:
    """All hands that are over, as JSON lines."""
    records = (hand.record for hand in table.hands)
    return log_text(table.session, records, names_seed=table.seed is not None)


def table_histories(table: PlayTable) -> str:
    """All hands that are over, as PHHS; ConflictError for games that PHH does not have."""
    game, session = table.opponent.game, table.session
    reason = why_no_histories(game)
    if reason is not None:
        raise ConflictError(
            reason,
            option="name",
            given=table.opponent.name,
            remedy="take the JSON lines",
        )
    assert isinstance(game, SpotGame | HandGame)
    names = [seat.name for seat in session.seats]
    records = [hand.record for hand in table.hands]
    texts, number = [], 1
    for record in records:
        text, number = history_text(number, game, record, names)
        texts.append(text)
    return "".join(texts)
