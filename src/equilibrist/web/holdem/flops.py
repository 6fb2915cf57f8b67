"""Reports over flops as jobs: `equilibrist postflop batch`."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from equilibrist.errors import ConfigError, EquilibristError
from equilibrist.options.option import Option, Options
from equilibrist.poker.postflop.spot.fields import RUN_OPTIONS
from equilibrist.storage.atomic import write_bytes
from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION
from equilibrist.web.answers.jobs import HandKindName
from equilibrist.web.holdem.kind import HandRun, Needs, Solved, Working, Written
from equilibrist.web.holdem.pace import seconds_here
from equilibrist.web.store.titles import title_facts

if TYPE_CHECKING:
    from equilibrist.poker.postflop.files.boards import Board
    from equilibrist.poker.postflop.solving.needs import SpotNeeds
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.progress import Progress

_LOOKED_AT: Final = 3
"""Boards of which memory and time are estimated, for all of them."""
_PROCESS: Final = 250_000_000
"""Bytes of the process of a job; measured."""
_REPORT_SECONDS: Final = 0.06
"""What the figures of a board take, without cards to come; measured."""
_RUNOUT_SECONDS: Final = 6.5e-4
"""What laying out a last board takes, and what it adds to the figures; measured."""
_TABLES: Final = 20_000
"""Bytes of the figures of a board."""
_ENDING: Final = frozenset({"iterations", "seconds"})
"""Limits that end a board before its target."""
_ALGORITHM: Final = "batch"
_BOARD: Final = re.compile(r"board ([\d,]+) of ([\d,]+): (\w+)", re.ASCII)
_SPOT: Final = "Spot"
_BOARDS: Final = "Boards"
_KEEPS: Final = ("first-street", "no-rivers", "all")
_MOST_PARTS: Final = 30
"""Nodes of a report, or hands with columns."""
_MOST_BOARDS: Final = 2_000
_ENTRY: Final = 4
"""Bytes of a number in the file of a solution."""


class FlopsRun(HandRun):
    """One spot on many flops, or other boards, with a report over all of them."""

    NAME: ClassVar[HandKindName] = "flops"
    KEYS: ClassVar[Options] = {
        "spot": Option("text", _SPOT, "The text of a spot file; its board is replaced."),
        "of": Option(
            "text",
            _SPOT,
            "In place of the text, where the spot is: solution:NAME, setup:NAME or example:NAME.",
        ),
        "flops": Option(
            "text",
            _BOARDS,
            "all, or subset:N, such as subset:49, which represents them.",
            default_text="subset:25",
        ),
        "boards": Option("text", _BOARDS, "Boards in place of flops: AhKd2c, QsJs4h:0.5."),
        "lines": Option(
            "text", _BOARDS, "Nodes of the first street to report on, besides the root: X, X-B50."
        ),
        "hands": Option("text", _BOARDS, "Columns of these hands of who acts: AKs, 22-66."),
        "keep": Option(
            "choice",
            _BOARDS,
            "Keep the solutions of the boards with these streets.",
            default_text="no",
            choices=_KEEPS,
        ),
    }
    OPTIONS: ClassVar[Options] = {
        name: option for name, option in RUN_OPTIONS.items() if name != "memory"
    }
    MAIN: ClassVar[tuple[str, ...]] = (
        "of", "flops", "boards", "lines", "keep", "target", "iterations", "seconds",
    )  # fmt: skip
    HAS_PARTS: ClassVar[bool] = False
    KERNELS: ClassVar[Mapping[str, float]] = {"equilibrist.kernels.poker.postflop.passes": 20.0}
    IS_LOCAL: ClassVar[bool] = True

    def __init__(
        self,
        keys: Mapping[str, str],
        options: Mapping[str, str],
        files: Mapping[str, Path] | None = None,
    ) -> None:
        from equilibrist.poker.postflop.files.batch import checked_boards
        from equilibrist.poker.postflop.solution.stopping import TARGET_UNITS, read_stop
        from equilibrist.poker.postflop.solving.perturbed import check_perturbation
        from equilibrist.poker.postflop.solving.spot_run import SpotRun
        from equilibrist.poker.postflop.solving.variants import spot_variant
        from equilibrist.poker.postflop.spot.spot import spot_from_text
        from equilibrist.solvers.run.stopping import Stop, merge_stop

        super().__init__(keys, options, files)
        if "spot" not in keys:
            raise ConfigError(
                "the spot is missing",
                option="of",
                expected="a solved spot, a saved set-up or an example",
                remedy="choose one",
            )
        if "boards" in keys and "flops" in keys:
            raise ConfigError(
                "boards are given twice", option="boards", remedy="leave out the flops, or them"
            )
        self.run = SpotRun.read({name: options.get(name) for name in RUN_OPTIONS}).options
        algorithm, storage = self.run.get("algorithm"), self.run.get("storage", "float32")
        spot_variant(algorithm, storage)
        check_perturbation(self.run.get("tremble"), self.run.get("quantal"), storage, algorithm)
        spot = spot_from_text(keys["spot"])
        limits = {name: self.run.get(name) for name in ("iterations", "seconds", "target")}
        read_stop(spot.pot, Stop(**merge_stop(None, units=TARGET_UNITS, **limits)))
        boards = self._boards(keys, spot.deck)
        with _at_field("boards" if "boards" in keys else "flops"):
            self.boards = checked_boards(spot.replace(board=_first(boards, spot)), boards)
        self.spot = spot.replace(board=self.boards[0].board)
        self._goes_on = False  # from boards that were solved before
        self.lines = ("", *_parts("lines", keys))
        self.hands = _parts("hands", keys)
        self._check_lines()

    @staticmethod
    def _boards(keys: Mapping[str, str], deck: str) -> list[Board]:
        from equilibrist.poker.postflop.files.boards import boards_of_text, flop_boards

        if "boards" in keys:
            _check_count("boards", len(re.findall(r"[,;\s]+", keys["boards"])) + 1, _MOST_BOARDS)
            with _at_field("boards"):
                return boards_of_text(keys["boards"])
        which = keys.get("flops", "subset:25").strip().lower()
        with _at_field("flops"):
            return flop_boards(f"subset:{which}" if which.isdecimal() else which, deck)

    def _check_lines(self) -> None:
        """Raise now what the report would raise for its lines and hands."""
        from equilibrist.poker.postflop.files.batch import combos_of
        from equilibrist.poker.postflop.files.runout_report import report_line

        with _at_field("lines"):
            for line in self.lines:
                report_line(self.spot, line)
        with _at_field("hands"):
            for hand in self.hands:
                combos_of(hand)

    @property
    def stem(self) -> str:
        """With the number of boards."""
        return f"report-{len(self.boards)}"

    def title(self) -> dict[str, Any]:
        """What the spot is, without its board."""
        return {**title_facts(SPOT_SOLUTION, self.keys["spot"]), "board": None}

    @cached_property
    def _looked_at(self) -> list[SpotNeeds]:
        """What a few of the boards need; raises ConfigError where the spot is impossible."""
        from equilibrist.poker.postflop.solving.needs import spot_needs

        step = max(1, len(self.boards) // _LOOKED_AT)
        names = ("algorithm", "tremble", "quantal", "storage", "threads")
        options: dict[str, Any] = {name: self.run.get(name) for name in names}
        found = []
        for board in self.boards[::step][:_LOOKED_AT]:
            try:
                here = self.spot.replace(board=board.board, locks=())
            except EquilibristError:  # the ranges leave no deal there: it is skipped
                continue
            target = self.run.get("target")
            percent = target if target is None or target.endswith("%") else None
            found.append(
                spot_needs(
                    here,
                    target=percent,
                    memory=2**62,
                    **options,
                )
            )
        if not found:
            raise ConfigError(
                "the spot is impossible on these boards",
                option="boards",
                given=len(self.boards),
                remedy="choose other boards",
            )
        return found

    def work(self, done: int | None = None) -> float:
        """The boards, by the bandwidth of the memory of this machine."""
        count = len(self.boards) if done is None else done
        return count * self._seconds_of_board

    @property
    def _seconds_of_board(self) -> float:
        found = self._looked_at
        solving = sum(needs.run.seconds for needs in found)
        runouts = sum(needs.size.streets[-1].boards for needs in found)
        return (solving + _RUNOUT_SECONDS * runouts) / len(found) + _REPORT_SECONDS

    def expected_seconds(self) -> float:
        """The limit of seconds is that of each board."""
        work = self.work() / len(self.boards)
        threads, crowd = self.useful_threads, self.crowd
        of_board = seconds_here(self.NAME, work, threads, crowd, is_local=True)
        limit = self.run.get("seconds")
        folded = sum(needs.run.folded_seconds for needs in self._looked_at) / len(self._looked_at)
        return self.start_seconds() + len(self.boards) * (min(of_board, limit or of_board) + folded)

    def note(self, last: Progress | None, took: float) -> None:
        """Only of runs that solve all boards, each to its target: other times say little."""
        if not self._goes_on and not self.run.keys() & _ENDING:
            super().note(last, took)

    def needs(self) -> Needs:
        """By a few of the boards: they differ little, and those with few suits need most."""
        found = self._looked_at
        memory = _PROCESS + max(needs.memory_bytes[needs.storage] for needs in found)
        streets = {"first-street": 1, "no-rivers": 2, "all": 3}.get(self.keys.get("keep", ""), 0)
        kept = max(
            sum(_ENTRY * street.entries for street in needs.size.streets[:streets])
            for needs in found
        )
        count = len(self.boards)
        disk = count * (_TABLES + kept)
        return Needs(memory, disk, self.expected_seconds(), {"boards": count})

    def solve(self, working: Working) -> Solved:
        """Solve the boards that the folder lacks, and write the report."""
        from equilibrist.poker.postflop.files.batch import batch
        from equilibrist.poker.postflop.files.batch_folder import BatchFolder
        from equilibrist.poker.postflop.spot.spot import spot_from_text
        from equilibrist.progress import Callbacks, Progress

        begun, place = time.perf_counter(), BatchFolder(working.out, {})
        self._goes_on = any(place.has(board.board) for board in self.boards)

        def tell(text: str) -> None:
            match = _BOARD.match(text)
            if match is None:
                working.tell(text, None, None)
                return
            done, total = (int(count.replace(",", "")) for count in match.groups()[:2])
            if done > 1 and not working.goes_on:
                write_bytes(working.checkpoint, match[3].encode())
            seconds = time.perf_counter() - begun
            left = seconds / (done - 1) * (total - done + 1) if done > 1 else None
            progress = Progress(
                algorithm=_ALGORITHM,
                iteration=done - 1,
                seconds=working.spent + seconds,
                iterations_per_second=0.0,
                eta_seconds=left,
            )
            if working.callbacks.on_progress is not None:
                working.callbacks.on_progress(progress)
            working.tell(text, done - 1, total)

        def goes_on(_progress: Progress) -> bool:
            return not working.is_told_to_end()

        batch(
            spot_from_text(self.keys["spot"]).replace(board=self.boards[0].board),
            self.boards,
            working.out,
            lines=self.lines,
            hands=self.hands,
            keep=self.keys.get("keep"),  # type: ignore[arg-type]
            resume=True,
            callbacks=Callbacks(goes_on, tell),
            **{**self.run, "memory": 2**62},
        )
        return Written()

    def check_limits(self, checkpoint: Path) -> None:
        """There are none."""


def _first(boards: Sequence[Board], spot: Spot) -> str:
    return boards[0].board if boards else spot.board


@contextmanager
def _at_field(name: str) -> Iterator[None]:
    """Let errors name the field of the form from whose text they come."""
    try:
        yield
    except EquilibristError as error:
        error.option = name
        raise


def _parts(name: str, keys: Mapping[str, str]) -> tuple[str, ...]:
    """The parts of a list between commas or semicolons; ConfigError for more than are read."""
    parts = [part.strip() for part in re.split(r"[,;\n]", keys.get(name, ""))]
    _check_count(name, len(parts), _MOST_PARTS)
    return tuple(filter(None, parts))


def _check_count(name: str, count: int, most: int) -> None:
    if count > most:
        raise ConfigError(
            f"{name} has {count:,} entries",
            option=name,
            given=count,
            expected=f"at most {most:,}",
            remedy="give fewer",
        )
