"""The terminal interface of `play.Drill`: questions, answers, and the score at the end."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from equilibrist.cli.text.output import heading, show, show_facts, show_table
from equilibrist.cli.text.playing.answering import (
    EndOfInputError,
    QuitError,
    ask_action,
    show_actions,
    shown,
)
from equilibrist.cli.text.wording import Wording
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import percent

if TYPE_CHECKING:
    from equilibrist.play import Drill, Score
    from equilibrist.play.drill import Answer

YOU = "you"


def run_drill(drill: Drill, wording: Wording, questions: int | None) -> None:
    """Ask until so many questions are answered (None: until the input ends), then show the score.

    ConfigError where the input ends before the first answer.
    """
    is_terminal = sys.stdin is not None and sys.stdin.isatty()
    try:
        while questions is None or drill.answers < questions:
            _ask(drill, wording, is_terminal=is_terminal)
    except QuitError:
        pass
    except EndOfInputError:
        if not is_terminal and not drill.answers:
            raise ConfigError("the input ended before the first answer", option="drill") from None
    _show_score(drill, wording)


def _ask(drill: Drill, wording: Wording, *, is_terminal: bool) -> None:
    from equilibrist.play.words import shown_facts
    from equilibrist.tree.shown_names import shown_names

    question = drill.ask()
    heading(f"Question {question.number}")
    key, names = question.infoset, shown_names(drill.game)
    show_facts([*shown_facts(question.facts, names), ("infoset", names.get(key, key))])
    show_actions(question.actions, question.words)
    index = ask_action(YOU, question.actions, question.words, is_terminal=is_terminal)
    words = shown(question.words)
    show(f"{YOU}: {words[index]}")
    answer = drill.answer(index)
    if answer.judgement is not None:
        judged = answer.judgement
        show(f"{str(judged.grade).capitalize()}: {_loss_text(answer, wording)}.")
    wording.advice(answer.advice, words)


def _loss_text(answer: Answer, wording: Wording) -> str:
    judged = answer.judgement
    assert judged is not None
    share = percent(judged.share, 2)
    return f"an EV loss of {wording.amount(judged.ev_loss)}, {share} of the {judged.stake.name}"


def _show_score(drill: Drill, wording: Wording) -> None:
    from equilibrist.play import Grade

    grades = drill.grades
    count = drill.answers
    if not count:
        show("No question was answered.")
        return
    heading(f"{drill.game.name}: {count:,} answer{'s' * (count != 1)}")
    if grades.right is not None:
        rows = [[str(grade), f"{grades.counts[grade]:,}"] for grade in Grade]
        show_table(["grade", "answers"], rows, ["left", "right"])
        losses = grades.losses
        show(f"Best or correct: {percent(grades.right, 1)}.")
        show(
            f"Mean EV loss: {wording.amount(losses.means[0])}, {percent(losses.means[1], 2)} of "
            f"the {drill.stake_name}{_interval(losses)}."
        )
    if drill.worst:
        heading("Worst answers")
        from equilibrist.tree.shown_names import shown_names

        names = shown_names(drill.game)
        worst = [_worst_row(answer, wording, names) for answer in drill.worst]
        columns = ["infoset", "answer", "best", "EV loss"]
        show_table(columns, worst, ["left", "left", "left", "right"])
    show(f"--seed {drill.seed} asks the same questions again.")


def _interval(losses: Score) -> str:
    interval = losses.interval(1)
    if interval is None:
        return ""
    return f" (95 % interval {percent(max(interval[0], 0.0), 2)} to {percent(interval[1], 2)})"


def _worst_row(answer: Answer, wording: Wording, names: Mapping[str, str]) -> list[str]:
    words, advice = shown(answer.question.words), answer.advice
    assert answer.judgement is not None
    assert advice.best is not None
    loss = wording.amount(answer.judgement.ev_loss)
    key = answer.question.infoset
    return [names.get(key, key), words[advice.chosen], words[advice.best], loss]
