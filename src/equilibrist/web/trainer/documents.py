"""Sessions of the trainer: what is asked, how answers are graded, and what they come to."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import numpy as np

from equilibrist.errors import EquilibristError
from equilibrist.library.blueprint_ranges import range_sets
from equilibrist.library.listing import Entry
from equilibrist.play.decisions import PREFLOP
from equilibrist.play.grades import PLAYED, Grade, grade_by_mixture
from equilibrist.play.score import Tally
from equilibrist.poker.betting.bet_sizes import STREETS
from equilibrist.poker.hands.rules import position_names
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.storage.kinds.file_kinds import MULTIWAY, PUSH_FOLD, SOLUTION, SPOT_SOLUTION
from equilibrist.web.errors import ConflictError, LimitError, NotFoundError, WebError
from equilibrist.web.numba_loading import load_engine
from equilibrist.web.play.advice import thresholds_document
from equilibrist.web.play.answers import Scene
from equilibrist.web.play.drill import answer_document, question_document
from equilibrist.web.play.place import opponent_unit, usual_amount
from equilibrist.web.play.table import mean_document
from equilibrist.web.security.sessions import Role
from equilibrist.web.services import Services
from equilibrist.web.solutions.files import played_entries
from equilibrist.web.solutions.listing import entry_title, title_of
from equilibrist.web.store.training import Record, TrainingSession
from equilibrist.web.trainer.answers import (
    Difficulty,
    ScoreOfName,
    ScoreOfSource,
    TrainedSolution,
    TrainerAnswer,
    TrainerLine,
    TrainerOverview,
    TrainerQuestion,
    TrainerScore,
    TrainerSession,
    TrainerSettings,
    TrainerTable,
)

if TYPE_CHECKING:
    from equilibrist.library.opponents import Opponent
    from equilibrist.play import Advice
    from equilibrist.play.decisions import DrawnDecision, Wanted

_GRACE: Final = 2.0
"""Seconds that an answer may be later than its clock, for the way to the server."""
_MOST_ANSWERS: Final = 1000
_MOST_SESSIONS: Final = 50
"""Sessions in the overview."""
_WORST: Final = 10
_AGAIN: Final = 50
"""Decisions that a session with bad ones asks at most."""
_STREETS: Final = (PREFLOP, *STREETS)
_RANGES: Final = "ranges:"
"""How sources begin that are ranges which come with Equilibrist; no solution has a colon."""
_TRIES: Final = 8
"""Solutions that are tried for a question before it is said that none has such a decision."""
_Score = TypeVar("_Score", ScoreOfSource, ScoreOfName)


@dataclass(frozen=True)
class NewTraining:
    """What a session is to ask; None for no limit.

    Attributes:
        solutions: Names of solutions; None for all spots that fit.
        positions: Positions to decide for, such as `BTN`.
        streets: Streets to decide on.
        spr: The least and the most stack in pots at the root.
        difficulty: How mixed the decisions are.
        first: Whether only the first decision of a hand is asked.
        tables: How many questions are open at a time.
        seconds: The time for an answer.
        questions: How many are asked.
        again: The session whose bad decisions are asked once more, in place of all above but
            `tables` and `seconds`.
        seed: Draws the questions.
    """

    solutions: Sequence[str] | None = None
    positions: Sequence[str] | None = None
    streets: Sequence[str] | None = None
    spr: tuple[float, float] | None = None
    difficulty: Difficulty = "any"
    first: bool = False
    tables: int = 1
    seconds: float | None = None
    questions: int | None = 20
    again: str | None = None
    seed: int | None = None


def trainer_overview(services: Services, role: Role | None) -> TrainerOverview:
    """What can be trained, and the sessions of the owner, where it is the owner who asks.

    Args:
        services: The services of the server.
        role: Who asks.
    """
    sessions = services.training.all(_MOST_SESSIONS) if role == "owner" else []
    return {"solutions": _sources(services, role), "sessions": [_line(one) for one in sessions]}


def begin_session(services: Services, new: NewTraining, role: Role | None) -> TrainerSession:
    """Begin a session, with a question at each table.

    Args:
        services: The services of the server.
        new: What it is to ask.
        role: Who begins it.

    Returns:
        The session.

    Raises:
        NotFoundError: There is no such solution or session.
        ConflictError: No solution fits, or has such decisions; a session to repeat has no bad ones.
        LimitError: As many sessions are kept as may be.
    """
    if new.again is not None:
        settings = _repeated(services, new, role)
    else:
        settings = {
            "sources": _chosen(services, new, role),
            "positions": None if new.positions is None else list(new.positions),
            "streets": None if new.streets is None else list(new.streets),
            "difficulty": new.difficulty,
            "first": new.first,
            "questions": new.questions,
            "again": None,
        }
    settings["tables"], settings["seconds"] = new.tables, new.seconds
    settings["seed"] = secrets.randbits(32) if new.seed is None else new.seed
    session = services.training.create(settings, role)
    try:
        for table in range(new.tables):
            if _remaining(session):
                _ask(services, session, table, role)
    except EquilibristError:
        services.training.delete(session.id, role)
        raise
    return session_document(session)


def session_document(session: TrainingSession) -> TrainerSession:
    """A session as it stands; no solution is opened.

    Args:
        session: The session.
    """
    answers, settings = session.answers, session.settings
    shown = {name: settings.get(name) for name in TrainerSettings.__annotations__}
    tables: list[TrainerTable] = []
    for table in range(settings["tables"]):
        pending = None if _is_done(session) else session.pending(table)
        tables.append(
            {
                "table": table,
                "question": None if pending is None else _with_clock(session, pending),
                "answer": cast("TrainerAnswer | None", session.answer_of(table)),
            }
        )
    bad = sorted((one for one in answers if _is_bad(one)), key=_cost)
    return {
        "id": session.id,
        "created": session.created,
        "state": "done" if _is_done(session) else "running",
        "settings": cast("TrainerSettings", shown),
        "count": session.count,
        "tables": tables,
        "score": _score(answers),
        "by_source": [
            {"source": source, **_score(group)}
            for source, group in _groups(answers, lambda one: one["source"])
        ],
        "by_street": [
            {"name": name, **_score(group)}
            for name, group in sorted(
                _groups(answers, lambda one: one["street"] or ""),
                key=lambda street: ("", *_STREETS).index(street[0]),
            )
        ],
        "by_position": [
            {"name": name, **_score(group)}
            for name, group in _groups(answers, lambda one: one["position"])
        ],
        "worst": cast("list[TrainerAnswer]", bad[:_WORST]),
        "again": len(_decisions_again(session)),
        "thresholds": thresholds_document(),
        "played": PLAYED,
    }


def ask(services: Services, name: str, table: int, role: Role | None) -> TrainerSession:
    """Ask the next question at a table; one that is open is asked again, with a new clock.

    Args:
        services: The services of the server.
        name: The name of the session.
        table: The number of the table.
        role: Who asks.

    Raises:
        NotFoundError: There is no such session or table.
        ConflictError: All questions were asked, or no solution has such a decision any more.
        LimitError: The session has as many answers as may be.
    """
    session = services.training.get(name, role)
    with session.lock:
        _check_table(session, table)
        pending = session.pending(table)
        if pending is not None and not _is_done(session):
            session.ask({**pending, "at": time.time()})
        else:
            _check_goes_on(session)
            _ask(services, session, table, role)
        return session_document(session)


def answer(
    services: Services, name: str, table: int, number: int, action: int | None, role: Role | None
) -> TrainerSession:
    """Answer the question of a table.

    Args:
        services: The services of the server.
        name: The name of the session.
        table: The number of the table.
        number: The number of the question.
        action: The number of the action; None where the time is up: the clock checks or folds.
        role: Who answers.

    Raises:
        NotFoundError: There is no such session or table.
        ConflictError: It is not the question of the table, or its solution is gone.
        WebError: No action is given, and there is no clock.
        ConfigError: There is no such action.
    """
    session = services.training.get(name, role)
    with session.lock:
        _check_table(session, table)
        pending = session.pending(table)
        if pending is None or pending["number"] != number or _is_done(session):
            raise ConflictError(
                f"question {number} is not open at table {table}",
                option="number",
                given=number,
                expected=None if pending is None else pending["number"],
                remedy="look at the session again, which has the number of its question",
            )
        seconds, clock = time.time() - pending["at"], session.settings["seconds"]
        if action is None and clock is None:
            raise WebError(
                "no action is given, and the session has no clock",
                option="action",
                expected="the number of an action",
            )
        is_late = action is None or (clock is not None and seconds > clock + _GRACE)
        chosen = _by_clock(pending) if is_late or action is None else action
        graded = _graded(services, session, pending, chosen, role)
        session.answer({**graded, "table": table, "seconds": seconds, "late": is_late})
        session.held.pop(table, None)
        if _is_done(session):
            session.release()
        return session_document(session)


def end_session(services: Services, name: str, role: Role | None) -> TrainerSession:
    """End a session before its last question; open questions are dropped.

    Args:
        services: The services of the server.
        name: The name of the session.
        role: Who ends it.

    Raises:
        NotFoundError: There is no such session.
    """
    session = services.training.get(name, role)
    with session.lock:
        if not _is_done(session):
            session.end()
            session.release()
        return session_document(session)


def _sources(services: Services, role: Role | None) -> list[TrainedSolution]:
    """The best solution of each game and spot whose decisions are graded."""
    found, notes = dict[object, TrainedSolution](), services.notes.all()
    for entry in played_entries(services):
        if entry.problem not in found and _is_trained(entry, role):
            with suppress(NotFoundError):  # deleted meanwhile
                title = entry_title(entry, services, notes)
                found[entry.problem] = {
                    "solution": entry.name,
                    "stamp": services.library.stamp(entry.name),
                    "title": title,
                    **_place_of(entry, title),  # type: ignore[typeddict-item]
                }
    return [*found.values(), *_shipped_ranges()]


@cache
def _shipped_ranges() -> tuple[TrainedSolution, ...]:
    """The ranges that come with Equilibrist, as sources."""
    return tuple(
        {
            "solution": f"{_RANGES}{ranges.name}",
            "stamp": "",
            "title": title_of(
                ranges.method, ranges.name, {"stacks": [ranges.stack] * len(ranges.seats)}
            ),
            "positions": list(ranges.seats),
            "spr": None,
            "street": PREFLOP,
        }
        for ranges in range_sets()
    )


def _is_trained(entry: Entry, role: Role | None) -> bool:
    """Whether decisions are graded; guests may not have streets re-solved."""
    if entry.kind == SPOT_SOLUTION:
        return role == "owner" or entry.streets == "all"
    return entry.kind in (SOLUTION, PUSH_FOLD, MULTIWAY)


def _place_of(entry: Entry, title: Mapping[str, Any]) -> Record:
    if entry.kind in (PUSH_FOLD, MULTIWAY):
        seats = position_names(len(title["stacks"] or ()))
        return {"positions": list(seats), "spr": None, "street": PREFLOP}
    if entry.kind != SPOT_SOLUTION or title["board"] is None:
        return {"positions": None, "spr": None, "street": None}
    return {
        "positions": [title[seat] or seat.upper() for seat in SEATS],
        "spr": title["stack"] / title["pot"],
        "street": STREETS[len(title["board"].replace(" ", "")) // 2 - 3],
    }


def _chosen(services: Services, new: NewTraining, role: Role | None) -> list[TrainedSolution]:
    """The solutions that a session asks about; ConflictError where none fits."""
    if new.spr is not None and new.spr[0] > new.spr[1]:
        raise WebError(option="spr", given=list(new.spr), expected="the least, then the most")
    known = _sources(services, role)
    if new.solutions is None:
        has_charts = new.streets is not None and PREFLOP in new.streets
        known = [
            source
            for source in known
            if source["spr"] is not None or (has_charts and source["street"] == PREFLOP)
        ]
    else:
        by_name = {source["solution"]: source for source in known}
        for name in new.solutions:
            if name not in by_name:
                services.library.path(name)  # NotFoundError, where there is none
                raise ConflictError(
                    f"{name} is no solution whose decisions are trained, or not the best of its "
                    "game or spot",
                    option="solutions",
                    given=name,
                    remedy="/api/trainer lists those that are",
                )
        known = [by_name[name] for name in dict.fromkeys(new.solutions)]
    fitting = [source for source in known if _fits(source, new)]
    if not fitting:
        raise ConflictError(
            "no solution fits what is to be trained",
            option="solutions",
            given=len(known),
            expected="one solution at least",
            remedy="choose other positions, streets or stacks, or solve an example",
        )
    return fitting


def _fits(source: TrainedSolution, new: NewTraining) -> bool:
    positions, spr, street = source["positions"], source["spr"], source["street"]
    if positions is None or street is None:
        return new.positions is None and new.streets is None and new.spr is None
    if new.positions is not None and not set(new.positions) & set(positions):
        return False
    follows = _STREETS[_STREETS.index(street) :] if street != PREFLOP else (PREFLOP,)
    if new.streets is not None and not set(new.streets) & set(follows):
        return False
    return new.spr is None or (spr is not None and new.spr[0] <= spr <= new.spr[1])


def _repeated(services: Services, new: NewTraining, role: Role | None) -> Record:
    """The settings of a session that asks the bad decisions of another one."""
    assert new.again is not None
    earlier = services.training.get(new.again, role)
    decisions = _decisions_again(earlier)
    if not decisions:
        raise ConflictError(
            "the session has no bad decisions",
            option="again",
            given=new.again,
            remedy="begin another session",
        )
    kept = ("sources", "positions", "streets", "difficulty", "first")
    settings = {name: earlier.settings[name] for name in kept}
    return {**settings, "questions": len(decisions), "again": earlier.id, "decisions": decisions}


def _decisions_again(session: TrainingSession) -> list[list[Any]]:
    """The source and the infoset of each bad decision, the worst first, and each once."""
    bad = sorted(filter(_is_bad, session.answers), key=_cost)
    unique = dict.fromkeys((one["source"], one["infoset"]) for one in bad)
    return [list(decision) for decision in unique][:_AGAIN]


def _is_bad(one: Record) -> bool:
    return one["grade"] not in (None, Grade.BEST, Grade.CORRECT)


def _cost(one: Record) -> tuple[float, int]:
    return -(one["share"] or 0.0), one["number"]


def _remaining(session: TrainingSession) -> bool:
    """Whether there are questions that were not asked yet."""
    total = session.settings["questions"]
    return total is None or session.count < total


def _is_done(session: TrainingSession) -> bool:
    total = session.settings["questions"]
    return session.ended or (total is not None and len(session.answers) >= total)


def _check_table(session: TrainingSession, table: int) -> None:
    tables = session.settings["tables"]
    if not 0 <= table < tables:
        raise NotFoundError(
            f"the session has no table {table}",
            option="table",
            given=table,
            expected=f"0 to {tables - 1}",
        )


def _check_goes_on(session: TrainingSession) -> None:
    if session.ended or not _remaining(session):
        raise ConflictError(
            "all questions of the session were asked",
            option="session",
            given=session.count,
            remedy="begin another one",
        )
    if len(session.answers) >= _MOST_ANSWERS:
        raise LimitError(
            f"{_MOST_ANSWERS:,} questions were answered in this session, which is the limit",
            option="questions",
            given=len(session.answers),
            expected=_MOST_ANSWERS,
            remedy="begin another one",
        )


def draw_next(services: Services, name: str, role: Role | None) -> None:
    """Draw the question that a session asks next, before anybody waits for it.

    Args:
        services: The services of the server.
        name: The name of the session.
        role: Who will ask.
    """
    with suppress(EquilibristError):  # whoever asks is told
        session = services.training.get(name, role)
        number = session.count + 1
        is_drawn = session.drawn is not None and session.drawn[0] == number
        if not is_drawn and not _is_done(session) and _remaining(session):
            drawn = (number, *_drawn_question(services, session.settings, number, role))
            with session.lock:
                if not _is_done(session) and session.path.exists():  # nobody would let go of it
                    session.drawn = drawn


def _ask(services: Services, session: TrainingSession, table: int, role: Role | None) -> None:
    """Ask a question at a table."""
    number, drawn = session.count + 1, session.drawn
    if drawn is not None and drawn[0] == number:
        _, question, opponent = drawn
    else:
        question, opponent = _drawn_question(services, session.settings, number, role)
    session.ask({**question, "table": table, "at": time.time()})
    session.held[table], session.drawn = opponent, None


def _drawn_question(
    services: Services, settings: Record, number: int, role: Role | None
) -> tuple[Record, Opponent]:
    """Draw a question, which depends on the seed and its number alone; and whose decision it is."""
    seeds = np.random.SeedSequence(settings["seed"], spawn_key=(number,))
    generator = np.random.default_rng(seeds)
    failure: EquilibristError | None = None
    for source in _order(settings, number, generator):
        try:
            opponent = _opponent(services, settings["sources"][source], role)
            with opponent.lock:
                drawn = _draw(opponent, settings, source, number, generator)
                if drawn is not None:
                    return _question(opponent, settings, source, number, drawn), opponent
        except EquilibristError as error:  # its file is gone, or its game
            failure = error
    raise failure or ConflictError(
        "the solutions have no such decisions",
        option="difficulty",
        given=settings["difficulty"],
        remedy="choose another difficulty, other streets or positions",
    )


def _order(settings: Record, number: int, generator: np.random.Generator) -> list[int]:
    """The solutions that are tried for a question, in turn."""
    if settings["again"] is not None:
        return [settings["decisions"][number - 1][0]]
    order: list[int] = generator.permutation(len(settings["sources"])).tolist()
    return order[:_TRIES]


def _draw(
    opponent: Opponent, settings: Record, source: int, number: int, generator: np.random.Generator
) -> DrawnDecision | None:
    decisions = opponent.decisions
    if decisions is None:
        return None
    if settings["again"] is not None:
        return decisions.at(settings["decisions"][number - 1][1])
    return decisions.draw(_wanted(settings, settings["sources"][source]), generator)


def _wanted(settings: Record, source: TrainedSolution) -> Wanted:
    from equilibrist.play.decisions import Wanted

    positions, own = settings["positions"], source["positions"]
    players, streets = None, settings["streets"]
    if positions is not None and own is not None:
        players = frozenset(seat for seat, name in enumerate(own) if name in positions)
    return Wanted(
        players=players,
        streets=None if streets is None else frozenset(streets),
        difficulty=settings["difficulty"],
        first=settings["first"],
    )


def _opponent(services: Services, source: TrainedSolution, role: Role | None) -> Opponent:
    if source["solution"].startswith(_RANGES):
        return _range_opponent(source["solution"])
    name = services.library.name_with(source["solution"], source["stamp"])
    return services.playing.opponent(name, role)


@cache
def _range_opponent(source: str) -> Opponent:
    """Raises NotFoundError for ranges that another version had."""
    from equilibrist.library.opponents import range_opponent

    load_engine()
    for ranges in range_sets():
        if source == f"{_RANGES}{ranges.name}":
            return range_opponent(ranges)
    raise NotFoundError(
        f"there are no ranges {source.removeprefix(_RANGES)!r} any more",
        option="solutions",
        given=source,
        remedy="begin another session",
    )


def _question(
    opponent: Opponent,
    settings: Record,
    source: int,
    number: int,
    drawn: DrawnDecision,
) -> Record:
    """What is kept of a question: all that is shown of it, and its place in the solution."""
    from equilibrist.play.drill import question_at

    question = question_at(opponent.game, number, drawn.infoset, drawn.player, drawn.actions)
    document = question_document(opponent, question)
    positions = settings["sources"][source]["positions"]
    if opponent.is_spot and positions is not None:
        document["scene"] = _at_positions(document["scene"], positions)
    return {
        **document,
        "source": source,
        "infoset": drawn.infoset,
        "player": drawn.player,
        "position": str(drawn.player) if positions is None else positions[drawn.player],
        "street": drawn.street,
        "unit": opponent_unit(opponent),
        "range": usual_amount(opponent, [drawn.player]),
        "kind": "spot" if opponent.is_spot else "hand" if opponent.is_hand else "game",
    }


def _at_positions(scene: Scene, positions: Sequence[str]) -> Scene:
    """A scene of a spot with the positions of the players in place of OOP and IP."""
    names = {seat.upper(): name for seat, name in zip(SEATS, positions, strict=True)}
    return {
        **scene,
        "you": names[scene["you"]],
        "players": [{**one, "seat": names[one["seat"]]} for one in scene["players"]],
        "moves": [
            {**street, "moves": [[names[seat], action] for seat, action in street["moves"]]}
            for street in scene["moves"]
        ],
    }


_PLACED: Final = ("scene", "source", "position", "street", "unit", "range", "kind")
"""What questions and answers say of their decision alike."""


def _with_clock(session: TrainingSession, pending: Record) -> TrainerQuestion:
    clock = session.settings["seconds"]
    left = None if clock is None else max(0.0, pending["at"] + clock - time.time())
    shown = {name: pending[name] for name in ("number", "actions", *_PLACED)}
    return cast("TrainerQuestion", {**shown, "seconds_left": left})


def _by_clock(pending: Record) -> int:
    """What the clock plays: check where that is possible, else fold, else the first action."""
    roles = [action["role"] for action in pending["actions"]]
    wanted = "fold" if pending["scene"].get("to_call") else "passive"
    return roles.index(wanted) if wanted in roles else 0


def _graded(
    services: Services, session: TrainingSession, pending: Record, action: int, role: Role | None
) -> Record:
    """The document of an answer."""
    from equilibrist.play.drill import graded_answer, question_at

    opponent: Opponent | None = session.held.get(pending["table"])
    if opponent is None:
        opponent = _opponent(services, session.settings["sources"][pending["source"]], role)
    with opponent.lock:
        assert opponent.decisions is not None
        assert opponent.coach is not None
        drawn = opponent.decisions.at(pending["infoset"])
        question = question_at(
            opponent.game, pending["number"], drawn.infoset, drawn.player, drawn.actions
        )
        chips = float(getattr(opponent.game, "chips_of_unit", 1.0))
        graded = graded_answer(
            question, opponent.coach, action, opponent.stake, opponent.error, chips
        )
        document = cast("Record", answer_document(opponent, graded))
        if graded.judgement is None and graded.advice.values is None:
            document |= _by_frequency(graded.advice)
    source = session.settings["sources"][pending["source"]]
    if source["solution"].startswith(_RANGES):
        document |= {"study": "/examples", "drill": None}
    return {**document, **{name: pending[name] for name in _PLACED}}


def _by_frequency(advice: Advice) -> Record:
    """The grade of a choice of which frequencies alone are known."""
    grade, mixture = grade_by_mixture(advice), advice.mixture
    if grade is None:
        return {}
    return {"grade": str(grade), "best": mixture.index(max(mixture))}


def _score(answers: Sequence[Record]) -> TrainerScore:
    counts, tally, measured = {str(grade): 0 for grade in Grade}, Tally(1), 0
    for one in answers:
        if one["grade"] is not None:
            counts[one["grade"]] += 1
            if one["share"] is not None:
                tally.add((one["share"],))
                measured += 1
    graded = sum(counts.values())
    return {
        "answers": len(answers),
        "graded": graded,
        "late": sum(one["late"] for one in answers),
        "right": (counts[Grade.BEST] + counts[Grade.CORRECT]) / graded if graded else None,
        "grades": counts,
        "share": mean_document(tally.score, 0) if measured else None,
    }


def _groups(
    answers: Iterable[Record], key: Callable[[Record], Any]
) -> list[tuple[Any, list[Record]]]:
    """Answers by what they have in common, in the order in which that has occurred."""
    groups = dict[Any, list[Record]]()
    for one in answers:
        groups.setdefault(key(one), []).append(one)
    return list(groups.items())


def _line(session: TrainingSession) -> TrainerLine:
    settings = session.settings
    return {
        "id": session.id,
        "created": session.created,
        "state": "done" if _is_done(session) else "running",
        "solutions": len(settings["sources"]),
        "questions": settings["questions"],
        "again": settings["again"],
        "score": _score(session.answers),
    }
