"""What played hands are reviewed against: files of solutions, spots to be solved, and folders."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from equilibrist.errors import ConfigError, EquilibristError, FileFormatError
from equilibrist.library.kinds import TAKEN, kind_for, open_saved
from equilibrist.library.names import name_of, newest
from equilibrist.storage.archive import file_kind, header_of, open_archive
from equilibrist.storage.kinds.file_kinds import (
    BLUEPRINT,
    SETUPS,
    SPOT,
    SPOT_SOLUTION,
)

if TYPE_CHECKING:
    from equilibrist.play.review.fitting import Fit
    from equilibrist.play.review.flops import FlopMenu, SolveSpot
    from equilibrist.play.review.judging import SolutionJudge, Verdict
    from equilibrist.play.review.table_hands import TableHand
    from equilibrist.poker.postflop.spot.spot import Spot

COMMAND: Final = "hands review"
_MOST_OPEN: Final = 4
"""Solutions of spots of a folder that are kept in memory."""


class _Open:
    """The judges of spots that are in memory, the one that was used last at the end."""

    def __init__(self) -> None:
        self._judges: dict[Path, SolutionJudge] = {}

    def get(self, path: Path, make: Callable[[], SolutionJudge]) -> SolutionJudge:
        """The judge of a file."""
        judge = self._judges.pop(path, None)
        if judge is None:
            judge = make()
            if len(self._judges) == _MOST_OPEN:
                del self._judges[next(iter(self._judges))]
        self._judges[path] = judge
        return judge


class SpotFileJudge:
    """Judges by the file of a spot, which is opened, or solved, for the first hand that fits.

    Args:
        path: The file.
        name: What it is called.
        spot: Its spot.
        make: Opens or solves it.
        opened: The judges that are in memory.
        within: By which factor stacks may differ.
    """

    def __init__(
        self,
        path: Path,
        name: str,
        spot: Spot,
        make: Callable[[], SolutionJudge],
        opened: _Open,
        within: float,
    ) -> None:
        """Judge by a file; the class describes the arguments."""
        from equilibrist.play.review.fitting import SpotFitting

        self.name = name
        self._path, self._make, self._opened = path, make, opened
        self._fitting = SpotFitting(spot, within)

    def fit(self, hand: TableHand) -> Fit:
        """Say whether the hand can be judged at all."""
        return self._fitting.fit(hand)

    def verdicts(self, hand: TableHand, combos: Sequence[int | None]) -> list[Verdict]:
        """Judge the decisions of a hand; see `Judge`."""
        from equilibrist.play.review.judging import refused_by

        fit = self.fit(hand)
        if fit.reason is not None:
            return refused_by(fit, hand)
        return self._opened.get(self._path, self._make).verdicts(hand, combos)


def open_judges(
    sources: Sequence[Path],
    *,
    within: float,
    seed: int = 0,
    cards: Path | None = None,
    solve: SolveSpot | None = None,
    called: Mapping[Path, str] | None = None,
    flops: FlopMenu | None = None,
    ranges: str | None = None,
) -> list[Any]:
    """Open what hands are reviewed against.

    Args:
        sources: Solutions of spots, of hands or of push or fold, blueprints, spots, and folders of
            such files, in which all others are passed over.
        within: By which factor stacks may differ from those of a solution.
        seed: The seed of what is drawn where values are estimates.
        cards: The card buckets of blueprints, where they are not beside them.
        solve: What solves spots that are not solved yet.
        called: What files are called, where not by their names.
        flops: What is offered where hands that no file judges are solved; None to solve none.
        ranges: Those of who raised and who called before such a flop, as `read_ranges` reads them;
            None for those of a solution among the files, or of a rule.

    Returns:
        A judge for each file, those of whole hands first, and with `flops` one behind them.

    Raises:
        ConfigError: A folder has no such file, or a range cannot be read.
        FileFormatError: A file is of another kind, or damaged; it names the command that takes it.
    """
    from equilibrist.play.review.flops import FlopJudge, read_ranges
    from equilibrist.poker import solve as solve_here

    held = None if ranges is None else read_ranges(ranges)
    solve = solve or solve_here
    opened = _Open()
    files = [
        path for source in sources for path in (_files_in(source) if source.is_dir() else [source])
    ]
    judges = [
        _judge_of(
            path, (called or {}).get(path) or _called(path), within, seed, cards, solve, opened
        )
        for path in files
    ]
    judges = sorted(judges, key=lambda judge: isinstance(judge, SpotFileJudge))
    return judges if flops is None else [*judges, FlopJudge(solve, flops, judges, held)]


def _files_in(folder: Path) -> list[Path]:
    """The files of a folder that hands are reviewed against; ConfigError if there is none."""
    try:
        found = sorted(path for path in folder.rglob("*") if path.is_file())
    except OSError as error:
        raise FileFormatError(
            f"{folder} cannot be read: {error.strerror}", folder, option="--against"
        ) from None
    taken = [path for path in found if file_kind(path) in TAKEN[COMMAND]]
    if not taken:
        raise ConfigError(
            f"the folder {folder} holds nothing that hands can be reviewed against",
            option="--against",
            given=str(folder),
            expected="solutions of spots or of hands, charts, blueprints, or spots (TOML)",
            remedy="save some there with --out, such as those of `equilibrist postflop solve`",
        )
    return taken


def _judge_of(
    path: Path,
    name: str,
    within: float,
    seed: int,
    cards: Path | None,
    solve: SolveSpot,
    opened: _Open,
) -> Any:
    from equilibrist.play.review.judging import SolutionJudge
    from equilibrist.poker.postflop.setups.files import read_setup

    kind = kind_for(COMMAND, path)
    if kind in (SPOT, *SETUPS):
        spot = read_setup(path).spot

        def solved() -> SolutionJudge:
            return SolutionJudge(name, solve(spot), within, seed)

        return SpotFileJudge(path, name, spot, solved, opened, within)
    if kind == SPOT_SOLUTION:
        spot = _spot_in(path)

        def read() -> SolutionJudge:
            return SolutionJudge(name, open_saved(path).content, within, seed)

        return SpotFileJudge(path, name, spot, read, opened, within)
    content = open_saved(path, cards if kind == BLUEPRINT else None).content
    return SolutionJudge(name, content, within, seed)


def _spot_in(path: Path) -> Spot:
    """The spot of a solution, by the header of its file; FileFormatError for a damaged one."""
    from equilibrist.poker.postflop.spot.spot import spot_from_text

    header = header_of(path, open_archive(path, SPOT_SOLUTION)[0])
    try:
        return spot_from_text(header["spot"])
    except (EquilibristError, KeyError, TypeError, ValueError):
        return open_saved(path).content.spot  # type: ignore[no-any-return]  # says what is wrong


def _called(path: Path) -> str:
    """What a file is called in a review: its name, of a stored solution `last` or `last-2`."""
    stored = newest()
    return name_of(stored.index(path)) if path in stored else path.name
