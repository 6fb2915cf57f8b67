"""Solutions of games: their infosets, with what the run's checkpoint and the rules add to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equilibrist.errors import EquilibristError, UnknownNameError
from equilibrist.evaluation.infosets import InfosetValues, infoset_values
from equilibrist.library.limits import Limits
from equilibrist.library.strategy_table import StrategyTable
from equilibrist.library.subject import Subject
from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION, THREE_SPOT
from equilibrist.strategy import Strategy
from equilibrist.tree.history_values import HistoryValues
from equilibrist.web.errors import ConflictError
from equilibrist.web.games.known import MOST_VALUED, KnownGame, known_game
from equilibrist.web.games.running import RunState, run_state
from equilibrist.web.jobs.job import CHECKPOINT, Job
from equilibrist.web.security.short_names import without_folders
from equilibrist.web.services import Services, public
from equilibrist.web.store.games import game_text

if TYPE_CHECKING:
    from equilibrist.results import Result
    from equilibrist.rules.strategy import PackedStrategy
    from equilibrist.tree.compile import GameTree


@dataclass(eq=False)
class SolvedGame:
    """A solution of a game, and what is known of it.

    Attributes:
        name: The name of the solution.
        title: The game, as it is shown.
        algorithm: How it was found.
        iterations: After how many iterations.
        game: The game that may be walked; None where its rules are not at hand.
        why: Why values are not known, as a sentence; None where they are.
        table: Its infosets; None for a strategy that was found without a tree.
        packed: That one.
        tree: The compiled game; None where it is too large, or the rules are not at hand.
        state: Current strategy and regrets, from the checkpoint of its run.
        why_no_state: Why there are none.
        job: The run that made it.
    """

    name: str
    title: str
    algorithm: str
    iterations: int
    game: KnownGame | None
    why: str | None
    table: StrategyTable | None
    packed: PackedStrategy | None
    tree: GameTree | None
    state: RunState | None
    why_no_state: str | None
    job: Job | None
    _strategy: Strategy | None = None
    places: dict[str, int] = field(default_factory=dict)

    @cached_property
    def values(self) -> InfosetValues | None:
        """Reach and values of all infosets."""
        return None if self._strategy is None else infoset_values(self._strategy)

    @cached_property
    def history_values(self) -> HistoryValues | None:
        """Values of all histories."""
        if self.tree is None or self._strategy is None:
            return None
        return HistoryValues(self.tree, self._strategy.probabilities)

    @property
    def walkable(self) -> KnownGame:
        """The game, to be walked; ConflictError where its rules are not at hand."""
        if self.game is None:
            raise ConflictError(
                f"{self.name} is a solution of {self.title}, whose rules are not at hand",
                option="game",
                given=self.title,
                remedy="upload its .efg, or start the server with its rules: "
                "`equilibrist serve rules.py:MyGame`",
            )
        return self.game

    def mixture(self, key: str, labels: Sequence[str]) -> Sequence[float] | None:
        """The strategy at an infoset; uniform where a strategy without a tree has no row."""
        if self.packed is not None:
            try:
                row = self.packed[key]
            except UnknownNameError:
                return None
            return [row.get(label, 0.0) for label in labels]
        assert self.table is not None
        place = self.places.get(key)
        return None if place is None else list(self.table.row(place))

    def rows(self) -> dict[str, dict[str, float]]:
        """The whole strategy: {infoset: {action: probability}}; ConflictError without a table."""
        if self.table is None:
            raise ConflictError(
                f"{self.name} was found without a tree, of which nothing can be drawn",
                option="name",
                given=self.name,
                remedy="walk its histories",
            )
        table = self.table
        return {
            key: dict(zip(table.labels[i], table.row(i), strict=True))
            for i, key in enumerate(table.keys)
        }


def solved_game(services: Services, name: str) -> SolvedGame:
    """A solution of a game.

    Args:
        services: The services of the server.
        name: Its name in the library.

    Returns:
        The solution, which is kept while its file and its run stay as they are.

    Raises:
        NotFoundError: There is no such solution.
        ConflictError: It is the solution of a spot.
        FileFormatError: It is damaged.
    """
    path = services.library.path(name)
    if services.library.entry(name).kind in (SPOT_SOLUTION, THREE_SPOT):
        raise ConflictError(
            f"{name} is a spot: it has nodes",
            option="name",
            given=name,
            remedy=f"/study/{name} shows them",
        )
    job = _job_of(services, name)
    saved = None if job is None else services.folders.jobs / job.id / CHECKPOINT
    status, began = path.stat(), None if saved is None or not saved.exists() else saved.stat()
    stamp = (
        status.st_mtime_ns,
        status.st_size,
        None if began is None else began.st_mtime_ns,
        None if job is None else job.id,
        services.folders.games.stat().st_mtime_ns,  # another game may have that name now
    )
    with services.library.opened(name) as result:
        known = _KEPT.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        solved = _read(services, path, name, result, job, saved if began is not None else None)
        while len(_KEPT) >= _MOST_KEPT:
            _KEPT.pop(next(iter(_KEPT)), None)
        _KEPT[path] = stamp, solved
        return solved


_KEPT: dict[Path, tuple[Any, SolvedGame]] = {}
_MOST_KEPT = 8


def _job_of(services: Services, name: str) -> Job | None:
    """The run that made a solution."""
    return next((j for j in services.jobs.all() if j.kind == "game" and j.solution == name), None)


def _read(
    services: Services,
    path: Path,
    name: str,
    result: Result[Any],
    job: Job | None,
    saved: Path | None,
) -> SolvedGame:
    from equilibrist.results import ImplicitResult

    if isinstance(result, ImplicitResult):
        return _without_tree(services, name, result, job)
    stored = result.strategy
    table = Subject.of(str(path), None, Limits()).table(False)[0]
    game, tree, why = _rules(services, stored, job)
    state: RunState | None = None
    why_not: str | None = "no run of this server made the solution"
    if saved is not None and tree is not None:
        state, why_not = run_state(saved, tree)
        why_not = public(why_not, services)
    elif job is not None:
        why_not = "the run left no checkpoint" if tree is not None else why or ""
    return SolvedGame(
        name=name,
        title=game_text(services.folders.games, stored.game),
        algorithm=result.algorithm,
        iterations=result.iterations,
        game=game,
        why=why,
        table=table,
        packed=None,
        tree=tree,
        state=state,
        why_no_state=None if state is not None else why_not,
        job=job,
        _strategy=None if tree is None else stored.on(tree),
        places={key: i for i, key in enumerate(table.keys)},
    )


def _without_tree(services: Services, name: str, result: Any, job: Job | None) -> SolvedGame:
    packed = result.strategy
    game = None
    for text in _texts(services, result.game, job):
        try:
            candidate = known_game(services, text)
            if candidate.rules.name == without_folders(result.game):
                game = candidate
                break
        except EquilibristError:
            continue
    if game is not None:
        packed = packed.named_by(game.rules)
    return SolvedGame(
        name=name,
        title=game_text(services.folders.games, result.game),
        algorithm=result.algorithm,
        iterations=result.iterations,
        game=game,
        why="the strategy was found without a tree, on which values would be computed",
        table=None,
        packed=packed,
        tree=None,
        state=None,
        why_no_state="the strategy was found without a tree",
        job=job,
    )


def _rules(
    services: Services, stored: Any, job: Job | None
) -> tuple[KnownGame | None, GameTree | None, str | None]:
    """The game of a solution, compiled where it is small, and why not."""
    for text in _texts(services, stored.game, job):
        try:
            game = known_game(services, text)
            if stored.num_nodes > MOST_VALUED:
                if game.rules.name == without_folders(stored.game):
                    why = f"the game has {stored.num_nodes:,} histories; values are computed for "
                    return game, None, f"{why}up to {MOST_VALUED:,}"
                continue
            tree = game.tree(MOST_VALUED, "value")
        except EquilibristError:
            continue
        if tree.fingerprint == stored.fingerprint:
            return game, tree, None
    return None, None, "the rules of the game are not at hand"


def _texts(services: Services, name: str, job: Job | None) -> list[str]:
    """List the texts that may name a solution's game, by its run, its file and the server."""
    subject = services.settings.subject
    texts = [] if job is None else [job.game]
    # An upload may be the same game as a file elsewhere.
    texts += [game_text(services.folders.games, named) for named in (name, without_folders(name))]
    if subject is not None and subject.kind == "game":
        texts.append(subject.name)
    return list(dict.fromkeys(texts))
