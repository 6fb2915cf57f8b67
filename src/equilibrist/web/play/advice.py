"""What the coach says of a choice, as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from equilibrist.play.grades import MOST_LOSS, Grade
from equilibrist.web.play.answers import (
    AdvisedAction,
    AdvisedChoice,
    DecisionLinks,
    GradeLimit,
    MappedBetDocument,
)
from equilibrist.web.play.scene import action_roles

if TYPE_CHECKING:
    from equilibrist.library.opponents import Opponent
    from equilibrist.play import Advice, Judgement
    from equilibrist.play.bets import MappedBet


def advice_document(
    words: tuple[str, ...],
    actions: tuple[str, ...],
    advice: Advice | None,
    chosen: int,
    judgement: Judgement | None,
    mapped: MappedBet | None = None,
) -> AdvisedChoice:
    """A choice: every action with its EV and how often the solution takes it, and the grade.

    Args:
        words: The best word for each action.
        actions: The label of each action.
        advice: What the coach says; None without a coach.
        chosen: The number of the action.
        judgement: The grade; None where there are no EVs.
        mapped: Of a bet of another size, what it was mapped to.

    Returns:
        The document; EVs and losses in payoff units, `share` of the stake. `error` is half of the
        95 % interval of an estimated EV.
    """
    roles = action_roles([(word,) for word in words])
    values = None if advice is None else advice.values
    errors = None if advice is None else advice.errors
    mixture = None if advice is None or not advice.mixture else advice.mixture
    rows: list[AdvisedAction] = [
        {
            "word": word,
            "label": label,
            "role": role,
            "ev": None if values is None else values[k],
            "error": errors[k] if errors else None,
            "frequency": None if mixture is None else mixture[k],
        }
        for k, (word, label, role) in enumerate(zip(words, actions, roles, strict=True))
    ]
    return {
        "actions": rows,
        "chosen": chosen,
        "best": None if advice is None else advice.best,
        "ev_loss": None if advice is None else advice.ev_loss,
        "estimated": advice is not None and bool(advice.errors),
        "grade": None if judgement is None else str(judgement.grade),
        "share": None if judgement is None else judgement.share,
        "stake": None if judgement is None else judgement.stake.amount,
        "stake_name": None if judgement is None else judgement.stake.name,
        "mapped": None if mapped is None else mapped_document(mapped, words),
    }


def mapped_document(mapped: MappedBet, words: tuple[str, ...]) -> MappedBetDocument:
    """A bet of any size, and what it is mapped to.

    Args:
        mapped: The bet, in chips.
        words: The best word for each action.

    Returns:
        The document, with the probability of each action.
    """
    return {
        "amount": mapped.amount,
        "share": mapped.share,
        "exact": mapped.is_exact,
        "mapping": mapped.mapping,
        "shares": [
            {"action": index, "word": words[index], "probability": probability}
            for index, probability in mapped.shares.items()
        ],
    }


def thresholds_document() -> list[GradeLimit]:
    """The greatest EV loss of each grade, as a share of the pot; null for no limit."""
    return [
        {"grade": str(grade), "most": None if grade is Grade.BLUNDER else most}
        for grade, most in MOST_LOSS.items()
    ]


def decision_links(opponent: Opponent, infoset: str) -> DecisionLinks:
    """Where a decision can be looked at and practised: the addresses of pages.

    They name the solution and its stamp: the name may be that of another solution by the time that
    a link is followed.

    Args:
        opponent: Whom the person plays against.
        infoset: The key of the infoset.

    Returns:
        `study`, the page that shows the decision, and `drill`, its drill: of a spot with all hands
        that come there; None where there is none.
    """
    hand, _, line = infoset.partition(":")
    if opponent.is_hand:
        page, shown = "charts", _chart_query(opponent.chart_key(infoset))
    elif opponent.is_spot:
        page, shown = "study", {"line": line, "hand": hand}
    else:
        page, shown = "explore", {"infoset": infoset}
    drilled = {"line": line} if opponent.is_spot else {"match": infoset}
    return {
        "study": _address(opponent, page, shown),
        "drill": None if opponent.drill is None else _address(opponent, "drill", drilled),
    }


def _chart_query(key: str) -> dict[str, str]:
    """The line and the board of a decision of a whole hand."""
    streets = key.partition(":")[2].split("|")
    board = "".join(part for k, part in enumerate(streets) if k % 2)
    line = "|".join(part for k, part in enumerate(streets) if k % 2 == 0)
    return {"line": line, "board": board}


def _address(opponent: Opponent, page: str, query: dict[str, str]) -> str:
    return f"/{page}/{quote(opponent.name)}?{urlencode({**query, 'stamp': opponent.stamp})}"
