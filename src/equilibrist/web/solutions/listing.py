"""The library page by page: searched, sorted, by folder; and what each solution is called."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.library.kinds import SOLUTIONS
from equilibrist.library.listing import Entry
from equilibrist.library.names import is_name
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.storage.kinds.file_kinds import (
    BLUEPRINT,
    CHARTS,
    MULTIWAY,
    PREFLOP_SOLUTION,
    PUSH_FOLD,
    SPOT_SOLUTION,
    THREE_SPOT,
)
from equilibrist.web.answers.solutions import (
    EntryDocument,
    LibraryPage,
    MeasureUnit,
    OpenedSpot,
    PlayedSolution,
    SolutionTitle,
    TitleKind,
)
from equilibrist.web.errors import ConflictError, NotFoundError
from equilibrist.web.services import Services
from equilibrist.web.solutions.documents import (
    any_spot_of,
    is_of_three,
    present_solution,
    run_document,
)
from equilibrist.web.solutions.files import played_entries
from equilibrist.web.store.games import game_text
from equilibrist.web.store.library import GIVEN
from equilibrist.web.store.notes import About

PAGE: Final = 100
"""Solutions in one answer."""
_NO_FOLDER: Final = "/"
"""The folder of solutions that are in none."""
_NOTHING: Final = About()
_KINDS: Final[Mapping[str | None, TitleKind]] = {
    None: "damaged",
    SPOT_SOLUTION: "spot",
    THREE_SPOT: "three",
    PUSH_FOLD: "push-fold",
    MULTIWAY: "multiway",
    PREFLOP_SOLUTION: "preflop",
    BLUEPRINT: "blueprint",
}
_SORTS: Final[Mapping[str, Callable[[EntryDocument], Any]]] = {
    "saved": lambda row: row["saved"],
    "name": lambda row: row["name"].lower(),
    "title": lambda row: row["title"]["text"].lower(),
    "algorithm": lambda row: row["algorithm"] and row["algorithm"].lower(),
    "iterations": lambda row: row["iterations"],
    "measure": lambda row: row["measure"],
    "size": lambda row: row["num_bytes"],
    "folder": lambda row: row["folder"].lower(),
}
"""What solutions are sorted by; a minus in front of it begins with the greatest."""
SORTS: Final = tuple(_SORTS)


def entry_document(entry: Entry, services: Services, about: About | None = None) -> EntryDocument:
    """Describe a solution as `equilibrist last --json` does, without the path of its file.

    Args:
        entry: The solution.
        services: The services of the server.
        about: What the user says of it; None to look that up.

    Returns:
        The document with its title, folder, note and unit, and with `run`: where the solution is
        that of a run which has not ended, its `job`, `state` and newest `iteration`, which the
        solution does not have; else None.
    """
    if about is None:
        about = services.notes.all().get(entry.name, _NOTHING)
    return _with_run(_row(entry, services, about), services)


def entry_title(entry: Entry, services: Services, notes: Mapping[str, About]) -> SolutionTitle:
    """What a solution of the library is called.

    Args:
        entry: The solution.
        services: The services of the server.
        notes: What the user says of solutions, by name.
    """
    return _row(entry, services, notes.get(entry.name, _NOTHING))["title"]


def present_title(services: Services, name: str) -> SolutionTitle | None:
    """What a solution is called; None where there is none of the name.

    Args:
        services: The services of the server.
        name: The solution.
    """
    try:
        entry = services.library.entry(name)
    except NotFoundError:
        return None
    return entry_title(entry, services, services.notes.all())


def _with_run(row: EntryDocument, services: Services) -> EntryDocument:
    """A row with the run of its solution that goes on."""
    return {**row, "run": run_document(row["name"], services.jobs)}


def _row(entry: Entry, services: Services, about: About) -> EntryDocument:
    """A row without its run, which only those on a page need."""
    game = None if entry.game is None else game_text(services.folders.games, entry.game)
    kind, facts = _KINDS.get(entry.kind, "game"), services.library.index.title(entry)
    title = title_of(kind, game or entry.name, facts, about)
    share = 100 * entry.measure / entry.pot if entry.pot and entry.measure is not None else None
    return {
        "name": entry.name,
        "kind": entry.kind,
        "game": game,
        "algorithm": entry.algorithm,
        "iterations": entry.iterations,
        "measure": entry.measure,
        "measure_name": entry.measure_name,
        "measure_unit": None if entry.measure is None else _unit_of(entry, title),
        "measure_percent": share,
        "values": entry.values,
        "pot": entry.pot,
        "streets": entry.streets,
        "saved": entry.saved.isoformat(),
        "num_bytes": entry.num_bytes,
        "title": title,
        "folder": about.folder,
        "note": about.note,
        "run": None,
    }


def opened_spot(services: Services, name: str, stamp: str = "") -> OpenedSpot:
    """Describe the solution of a spot before any of its nodes is shown.

    Args:
        services: The services of the server.
        name: The solution.
        stamp: That of its file when a link to it was made; see `present_solution`.

    Raises:
        NotFoundError: There is no such solution, or it has been replaced since.
        ConflictError: It is no solution of a spot.
        FileFormatError: It is damaged.
    """
    from equilibrist.poker.postflop.solution.spot_file import kept_streets

    name, is_later = present_solution(services, name, stamp)
    own = services.library.stamp(name)
    with services.library.opened(name) as result:
        solution = any_spot_of(name, result)
        board, iterations = solution.spot.board, solution.iterations
        pot, seats = solution.spot.pot, [*SEATS]
        gains: list[float] | None = None
        if is_of_three(solution):
            kept, gains = solution.spot.num_streets - 1, [*solution.gains]
            seats.insert(1, "middle")
        else:
            kept = kept_streets(solution.spot, solution.keep) - 1
    row = entry_document(services.library.entry(name), services)
    return {
        "name": name,
        "stamp": own,
        "is_later": is_later,
        "run": row["run"],
        "title": row["title"],
        "seats": seats,
        "values": row["values"] if gains is not None else None,
        "gains": gains,
        "pot": pot,
        "board": board,
        "kept_cards": kept,
        "iterations": iterations,
        "measure": row["measure"],
        "measure_name": row["measure_name"],
        "measure_unit": row["measure_unit"],
        "measure_percent": row["measure_percent"],
    }


def title_of(
    kind: TitleKind, name: str, facts: Mapping[str, Any], about: About = _NOTHING
) -> SolutionTitle:
    """What a solution is called: numbers and codes, and a text of them in English.

    Args:
        kind: What is solved.
        name: What it is called where no board is known: the game, as it is shown.
        facts: What `title_facts` has of it.
        about: What the user says of it.
    """
    title: SolutionTitle = {
        "text": name,
        "kind": kind,
        "game": name if kind == "game" else None,
        "board": facts.get("board"),
        "pot": facts.get("pot"),
        "stack": facts.get("stack"),
        "bets": facts.get("bets"),
        "oop": about.oop or facts.get("oop"),
        "middle": about.middle or facts.get("middle"),
        "ip": about.ip or facts.get("ip"),
        "pot_type": about.pot_type or None,
        "has_locks": facts.get("has_locks", False),
        "has_folded": facts.get("has_folded", False),
        "rake": facts.get("rake"),
        "stacks": facts.get("stacks"),
        "has_blinds": facts.get("has_blinds", False),
        "ante": facts.get("ante"),
        "big_blind_ante": facts.get("big_blind_ante"),
        "payouts": facts.get("payouts"),
    }
    if title["board"] is not None:
        title["text"] = _spot_text(title)
    return title


def library_page(
    services: Services,
    *,
    search: str = "",
    called: Sequence[str] = (),
    sort: str = "",
    folder: str = "",
    after: str = "",
    count: int = PAGE,
) -> LibraryPage:
    """A page of the library.

    Args:
        services: The services of the server.
        search: Words, all of which a solution must have in its name, title, game, algorithm,
            folder or note, in either case.
        called: Names of games that the search calls by their titles, which are the reader's:
            their solutions have its words, too.
        sort: One of `SORTS`, with a minus in front to begin with the greatest; the newest first
            without one, the file that the server was started with before, those of the command
            line last. What is not known comes last in any case.
        folder: Only solutions in this folder, or below; `/` for those in none.
        after: `next` of the page before.
        count: The most solutions on the page.

    Raises:
        UnknownNameError: There is no such order.
        ConfigError: `after` is none of a page in this order.
    """
    name = sort.removeprefix("-") or "saved"
    if name not in _SORTS:
        raise UnknownNameError("order", name, SORTS, option="sort")
    revision = library_revision(services)  # first: what changes meanwhile makes it another one
    notes = services.notes.all()
    rows = [
        _row(entry, services, notes.get(entry.name, _NOTHING))
        for entry in services.library.entries()
    ]
    folders = Counter(row["folder"] for row in rows)
    words = search.lower().split()
    found = [
        row
        for row in rows
        if _is_in(row["folder"], folder) and (_has(row, words) or _is_of(row, called))
    ]
    found = _sorted(found, name, is_falling=sort.startswith("-")) if sort else found
    start = 0 if not after else _start(found, after, sort)
    page = found[start : start + count]
    ends = start + count >= len(found)
    return {
        "solutions": [_with_run(row, services) for row in page],
        "total": len(rows),
        "found": len(found),
        "start": start,
        "next": None if ends or not page else _cursor(sort, page),
        "folders": [
            {"name": shelf, "count": number} for shelf, number in sorted(folders.items()) if shelf
        ],
        "revision": revision,
    }


def played_solutions(services: Services) -> list[PlayedSolution]:
    """The solutions that can be played, those of one game together, the best of them first.

    Args:
        services: The services of the server.
    """
    notes = services.notes.all()
    return [
        {
            **_with_run(_row(entry, services, notes.get(entry.name, _NOTHING)), services),
            "has_drills": entry.kind in SOLUTIONS,
        }
        for entry in played_entries(services)
    ]


def library_revision(services: Services) -> str:
    """A text that is another one once a solution has come, gone or changed, or a note on one.

    Args:
        services: The services of the server.
    """
    return f"{services.library.revision()}_{services.notes.revision()}"


def note_solution(services: Services, name: str, about: About) -> EntryDocument:
    """Say something of a solution: its folder, a note, and who plays whom.

    Args:
        services: The services of the server.
        name: The solution.
        about: What is said, in place of what was said before.

    Raises:
        NotFoundError: There is no such solution.
        ConflictError: It is not in the library itself.
        WebError: A part is not valid.
    """
    entry = services.library.entry(name)
    if is_name(name) or name == GIVEN or entry.path.parent != services.library.folder:
        raise ConflictError(
            f"{name} is not in the library, so nothing is noted of it",
            option="name",
            given=name,
            remedy="upload the file, or solve it here",
        )
    return entry_document(entry, services, services.notes.put(name, about))


def _spot_text(title: SolutionTitle) -> str:
    """`BTN against BB, 3-bet pot, QsJh2h, 180/910, 52 %`; stacks that differ one by one."""
    against = [seat for seat in (title["ip"], title["oop"]) if seat]
    who = " against ".join(against) if len(against) == 2 else ""
    stacks = [title["stack"]] if title["stack"] is not None else title["stacks"] or []
    if title["kind"] == "three":
        seats = [title["oop"], title["middle"], title["ip"]]
        named = ", ".join(seat for seat in seats if seat)
        who = named if all(seats) else "three players"
    parts = [
        who,
        f"{title['pot_type']} pot" if title["pot_type"] else "",
        title["board"] or "",
        "/".join(f"{chips:.10g}" for chips in (title["pot"], *stacks)),
        "/".join(f"{100 * bet:.4g}" for bet in title["bets"] or ()) + " %" * bool(title["bets"]),
        f"rake {100 * title['rake']:.4g} %" if title["rake"] else "",
        "with folded ranges" if title["has_folded"] else "",
        "with locks" if title["has_locks"] else "",
    ]
    return ", ".join(filter(None, parts))


def _unit_of(entry: Entry, title: SolutionTitle) -> MeasureUnit:
    """The unit of what was measured of a solution."""
    if entry.kind in (SPOT_SOLUTION, THREE_SPOT):
        return "chips"
    if entry.kind in CHARTS:
        return "big-blinds" if title["payouts"] is None else "prize-pool"
    return "payoffs"


def _is_in(folder: str, asked: str) -> bool:
    if not asked:
        return True
    if asked == _NO_FOLDER:
        return not folder
    shelf = asked.strip("/")
    return folder == shelf or folder.startswith(f"{shelf}/")


def _has(row: EntryDocument, words: list[str]) -> bool:
    if not words:
        return True
    texts = (row["name"], row["title"]["text"], row["game"], row["algorithm"])
    text = " ".join([*filter(None, texts), row["folder"], row["note"]]).lower()
    return all(word in text for word in words)


def _is_of(row: EntryDocument, games: Sequence[str]) -> bool:
    """Whether it solves one of these games, with any parameters."""
    return (row["game"] or "").partition("(")[0] in games


def _sorted(rows: list[EntryDocument], name: str, *, is_falling: bool) -> list[EntryDocument]:
    """Rows in an order; those of which the figure is not known keep theirs, at the end."""
    key = _SORTS[name]
    known = [row for row in rows if (value := key(row)) is not None and value == value]  # no NaN
    others = [row for row in rows if (value := key(row)) is None or value != value]
    return sorted(known, key=key, reverse=is_falling) + others


def _cursor(sort: str, page: list[EntryDocument]) -> str:
    """Where a page ends: the order, and its last and its first solution with their marks."""
    told = [sort, *([row["name"], _mark(row, sort)] for row in (page[-1], page[0]))]
    return base64.urlsafe_b64encode(json.dumps(told).encode()).decode()


def _mark(row: EntryDocument, sort: str) -> str:
    """What a solution is sorted by; another one once it may have another place."""
    return f"{_SORTS[sort.removeprefix('-') or 'saved'](row)}, {row['saved']}"


def _start(rows: list[EntryDocument], cursor: str, sort: str) -> int:
    """Where a page begins: behind the last solution of the page before.

    Where that one is gone, or is sorted by another value than then, it begins where that page did,
    so that nothing is left out; where the same is true of the first one, with the first page.
    """
    try:
        told, *ends = json.loads(base64.urlsafe_b64decode(cursor.encode()))
        is_sound = told == sort and len(ends) == 2
        is_sound = is_sound and all(isinstance(name, str) for name, _ in ends)
    except (ValueError, TypeError):
        is_sound, ends = False, []
    if not is_sound:
        raise ConfigError(
            option="after",
            given=cursor[:PAGE],
            expected="`next` of a page in the same order",
            remedy="leave it out to begin with the first page",
        )
    places = {(row["name"], _mark(row, sort)): place for place, row in enumerate(rows)}
    last, first = (places.get((name, str(mark))) for name, mark in ends)
    return last + 1 if last is not None else first or 0
