"""Sites of files: the pages, their modules, and the packs with what they ask."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from equilibrist._version import __version__
from equilibrist.errors import OutputError
from equilibrist.library.kinds import kind_for, open_saved
from equilibrist.library.names import SUFFIX, stored_folder
from equilibrist.parsing.arguments import whole_number
from equilibrist.storage.atomic import failures, not_a_folder, resolved, write_bytes
from equilibrist.storage.kinds.file_kinds import CHARTS, PACKED, SOLUTION, SPOT_SOLUTION
from equilibrist.web.security.headers import POLICY
from equilibrist.web.services import Services
from equilibrist.web.settings import Settings
from equilibrist.web.shell import CATALOGUES, PageFiles
from equilibrist.web.site.charts import add_charts, fitting_charts
from equilibrist.web.site.drills import add_drills
from equilibrist.web.site.packs import FOLDER, Packs, packs_in
from equilibrist.web.site.questions import (
    add_course,
    add_games,
    add_list,
    add_solution,
    fitting_game,
    fitting_solution,
)
from equilibrist.web.site.spots import add_spot, check_lines, fitting_spot
from equilibrist.web.store.folders import fitting_name

INDEX: Final = "site.json"
"""What a site has: where its documents are, and which pages."""
_FORMAT: Final = "equilibrist site"
_UNFINISHED: Final = "unfinished"
"""The mark in the index of a site that is being written."""
_EMPTY: Final[Mapping[str, Any]] = {
    "format": _FORMAT,
    "version": __version__,
    "sections": [],
    "files": [],
    "documents": {},
}
_PAGE: Final = "index.html"
_ICON: Final = "icon.svg"
_LIBRARIES: Final = "lib/"
"""With their licences."""
_POLICY: Final = "; ".join(
    rule for rule in POLICY.split("; ") if not rule.startswith("frame-ancestors")
)
"""As of a server, without what browsers take from headers alone."""
FIRST: Final = "site"
"""The first page of a site, which no server has."""
_FIRST_LESSON: Final = "games/kuhn/lesson"
"""What the page of lessons begins with."""


@dataclass(frozen=True)
class SiteFacts:
    """What was written.

    Attributes:
        folder: Where the site is.
        games: Its games.
        solutions: Its solutions, as it names them.
        num_documents: Answers that it has.
        num_bytes: The bytes of their packs.
    """

    folder: str
    games: tuple[str, ...]
    solutions: tuple[str, ...]
    num_documents: int
    num_bytes: int

    def to_dict(self) -> dict[str, Any]:
        """The document of `equilibrist site --json`."""
        return asdict(self)


def write_site(
    folder: str | Path,
    solutions: Sequence[str | Path] = (),
    games: Sequence[str] = ("kuhn", "leduc"),
    streets: int = 2,
    lines: Sequence[str] = (),
    *,
    scratch: Path | None = None,
    on_document: Callable[[int], None] | None = None,
) -> SiteFacts:
    """Write a site that any web server shows: lessons, games and solutions, without Python.

    A site that is in the folder already is replaced; other files there stay.

    Args:
        folder: Where it is written; a new folder, an empty one, or one with such a site.
        solutions: Files with solutions of games, of at most 2,000 infosets, of spots, and charts.
            The games are written, too, where their rules come with Equilibrist.
        games: Games with at most 10,000 histories: `kuhn`, `leduc(players=3)`.
        streets: How many streets of a spot are written, as far as its file keeps them.
        lines: Lines of spots with cards of later streets, `X-X|8h|X-X|2c`: all betting on these
            boards is written, too.
        scratch: A folder in which the solutions are opened, best on the disk that has them; None
            for one of the system.
        on_document: Told before each document how many there are; may raise, which ends it.

    Returns:
        What was written.

    Raises:
        EquilibristError: A game or a solution is unknown, or too large.
        OutputError: The folder has something else in it, or cannot be written.
    """
    whole_number("streets", streets, 1, 3)
    target = resolved(folder)
    before = _index_in(target)
    for file in solutions:
        _check_solution(Path(file))
    with TemporaryDirectory(prefix="equilibrist-site-", dir=scratch) as place:
        services = Services.of(Settings(data=Path(place)))
        names = [_borrow(services, Path(file)) for file in solutions]
        kinds = {name: services.library.entry(name).kind for name in names}
        of_spots = [name for name, kind in kinds.items() if kind == SPOT_SOLUTION]
        check_lines(services, of_spots, lines)
        spots = [fitting_spot(services, name, streets, lines) for name in of_spots]
        charts = [fitting_charts(services, name) for name, kind in kinds.items() if kind in CHARTS]
        of_games = [name for name, kind in kinds.items() if kind in (SOLUTION, PACKED)]
        solved = [fitting_solution(services, name) for name in of_games]
        fitting = [*(fitting_game(services, text) for text in games), *filter(None, solved)]
        shown = list(dict.fromkeys(fitting))
        _mark(target, before)
        packs = Packs(_made(target / FOLDER), on_document)
        add_games(packs, services, shown)
        add_list(packs, services, names)
        drilled = []
        for name in of_games:
            add_solution(packs, services, name)
            drilled += add_drills(packs, services, name, ["*"])
        for spot in spots:
            add_spot(packs, services, spot)
            drilled += add_drills(packs, services, spot.name, spot.begun)
        for chart in charts:
            add_charts(packs, services, chart)
        has_lessons = add_course(packs)
    sections = ["library", "games", *(["learn"] if _FIRST_LESSON in packs.documents else ())]
    pages = _pages(shown, sections)
    pages.update({"lessons": "lessons"} if has_lessons else {})
    pages.update((f"drill/{name}", "drill") for name in drilled)
    pages.update((f"explore/{name}", "explore") for name in of_games)
    pages.update((f"study/{spot.name}", "study") for spot in spots)
    pages.update((f"charts/{file.name}", "charts") for file in charts)
    contents = _contents(pages)
    files = sorted([*contents, *packs.names()])
    there = sorted({*before["files"], *files})
    _mark(target, {**before, "files": there})
    for name, content in contents.items():
        _made((target / name).parent)
        write_bytes(target / name, content)
    index = {
        "format": _FORMAT,
        "version": __version__,
        "sections": sections,
        "files": files,
        "documents": packs.documents,
    }
    _mark(target, {**index, "files": there})
    _remove(target, set(there) - set(files))
    _write_index(target, index)
    return SiteFacts(str(folder), tuple(shown), tuple(names), packs.num_documents, packs.num_bytes)


def _index_in(folder: Path) -> dict[str, Any]:
    """The index of the site that is in a folder; OutputError where something else is there."""
    if folder.exists() and not folder.is_dir():
        raise not_a_folder(folder)
    with failures(folder):
        content = [*folder.iterdir()] if folder.exists() else []
    with suppress(OSError, ValueError):
        index = json.loads((folder / INDEX).read_bytes())
        if isinstance(index, dict) and index.get("format") == _FORMAT:
            files: Any = index.get("files")  # of a damaged one nothing is removed
            is_whole = isinstance(files, list) and all(isinstance(name, str) for name in files)
            known: list[str] = files if is_whole else []
            # Of one that was broken off no index has the packs.
            left = packs_in(folder) if index.get(_UNFINISHED) else ()
            return {**_EMPTY, **index, "files": sorted({*known, *left})}
    if content:
        raise OutputError(
            f"{folder} has files that are none of a site",
            folder,
            option="folder",
            given=content[0].name,
            expected="a new or empty folder, or one with a site",
            remedy="give the name of a new folder",
        )
    return dict(_EMPTY)


def _mark(folder: Path, index: Mapping[str, Any]) -> None:
    """Say that a site is being written: one that is broken off is known as ours next time.

    Args:
        folder: The folder.
        index: What is shown meanwhile: an empty site, the one that was there, at last the new one.
    """
    _made(folder)
    _write_index(folder, {**index, _UNFINISHED: True})


def _write_index(folder: Path, index: Mapping[str, Any]) -> None:
    write_bytes(folder / INDEX, json.dumps(index, ensure_ascii=False).encode())


def _check_solution(file: Path) -> None:
    """Raise the error of a file that is no solution of a game or a spot, with its own place."""
    kind_for("site", file)
    open_saved(file)


def _borrow(services: Services, file: Path) -> str:
    """Put a solution into the library of the services; its name there.

    On the same disk the file gets a second name, and nothing is copied: files of solutions are
    replaced, never written to.
    """
    entry = services.library.index.entry(file.stem, file)
    is_stored = file.parent == stored_folder()  # which has names that say nothing
    stem = entry.game if is_stored and entry is not None and entry.game else file.stem
    name = services.library.free_name(fitting_name(stem, "solution"))
    place = services.library.folder / f"{name}{SUFFIX}"
    try:
        os.link(file.resolve(), place)
    except OSError:  # another disk, or a system without such names
        shutil.copy2(file, place)
    return name


def _pages(games: Sequence[str], sections: Sequence[str]) -> dict[str, str]:
    """The pages of sections and games: their modules, by their folders; empty for the first."""
    pages = {"": FIRST, "games": "games"}
    if "learn" in sections:
        pages["learn"] = "learn"
    pages.update((f"games/{game}", "game") for game in games)
    return pages


def _contents(pages: Mapping[str, str]) -> dict[str, bytes]:
    """Pages with all that they load: files, by their paths."""
    files = PageFiles.read()
    needed = {name for page in pages.values() for part in files.of_page(page) for name in part}
    whole = (_ICON, _LIBRARIES, CATALOGUES)
    needed |= {name for name in files.contents if name.startswith(whole)}
    contents = {f"ui/{files.digest}/{name}": files.contents[name] for name in needed}
    for folder, page in pages.items():
        root = "../" * (folder.count("/") + 1 if folder else 0) or "./"
        text = files.document(page, root, ' data-source="files"', _POLICY)
        contents[f"{folder}/{_PAGE}".lstrip("/")] = text.encode()
    return contents


def _made(folder: Path) -> Path:
    with failures(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def _remove(target: Path, names: Iterable[str]) -> None:
    """Remove files of an older site, and the folders that are empty then."""
    for name in names:
        path = target / name
        if not path.resolve().is_relative_to(target):
            continue  # not written by us
        with suppress(OSError):
            path.unlink()
            for folder in path.parents:
                if folder == target:
                    break
                folder.rmdir()
