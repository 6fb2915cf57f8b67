"""The search for the few bet sizes that lose least against all of them.

The full menu has all sizes in steps. For a seat, the loss of a menu M is

    loss(M) = value of the spot in which both seats have the full menu
            - value of the spot in which this seat has M and the other one the full menu

both for that seat, in equilibrium. It is never negative, and a menu with more sizes never loses
more. The strategy that the seat plays in the second spot is a strategy of the first, too: it bets
nothing outside M, and it has an answer to every bet. So what it wins there at least is the second
value, and the exploitability of both seats' menus together, in the first spot, is the mean of their
losses.

Every value is solved, and best responses bound it; so the loss is bounded, too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Any, Final

from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import bytes_text, counted
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import bad_argument, check_bool, whole_number
from equilibrist.poker.betting.bet_sizes import STREETS, Sizes
from equilibrist.poker.postflop.estimate.reductions import check_fits
from equilibrist.poker.postflop.menus.full_menu import (
    DEFAULT_STEPS,
    MenuGames,
    check_searchable,
    read_street,
)
from equilibrist.poker.postflop.menus.valuation import (
    HeldStrategies,
    SearchEndedError,
    SpotRuns,
    SpotValue,
    lifted_mean_gain,
)
from equilibrist.poker.postflop.solution.node_place import seat_number
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.solution.stopping import read_stop
from equilibrist.poker.postflop.solving.variants import checked_run
from equilibrist.poker.postflop.spot.fields import SEATS, Storage
from equilibrist.poker.postflop.spot.spot import Spot, checked_spot
from equilibrist.progress import Callbacks, OnProgress, as_callbacks, shows_progress, timed
from equilibrist.solvers.run.stopping import Stop, StopReason
from equilibrist.solvers.variants.variant import Variant
from equilibrist.storage.frames import import_pandas
from equilibrist.tree.walk.budget import default_memory

MENU_TARGET: Final = "0.01%"
"""The exploitability to which spots are solved unless another limit is given."""
MOST_MENUS: Final = 5_000
"""The most menus of a seat that are tried one by one."""
_CLEAR: Final = 0.25
"""A run of a menu that has lost is given up once its loss is known to this share of it."""


@dataclass(frozen=True)
class MenuLoss:
    """What a menu of a seat loses. Losses are in percent of the pot.

    Attributes:
        sizes: The sizes of the menu, ascending.
        loss: What it loses against the full menu.
        low: It loses at least this much.
        high: It loses at most this much.
        guaranteed: In chips, what the strategy found with it wins against any strategy of the full
            menu, at least.
        is_partial: Whether its run was given up, because another menu of as many sizes loses less.
        iterations: How many iterations it took.
        seconds: How long.
    """

    sizes: tuple[str, ...]
    loss: float
    low: float
    high: float
    guaranteed: float
    is_partial: bool
    iterations: int
    seconds: float

    @property
    def is_measurable(self) -> bool:
        """Whether the bounds tell its loss from none at all."""
        return self.low > 0.0

    @property
    def text(self) -> str:
        """The sizes as a list in a spot: `30%, 75%`."""
        return ", ".join(self.sizes)


@dataclass(frozen=True)
class SeatMenus:
    """The menus of one seat.

    Attributes:
        seat: `oop` or `ip`.
        sizes: Its full menu, ascending; sizes that are the same bet count once.
        use: For each of them how often the solution of the full menu bets it where the seat acts
            first, as a share of its range; None on later streets.
        best: The best menu of each count that was searched, from one size on.
        tried: All menus that were solved, in this order.
        is_exhaustive: For each count, whether all menus were tried; else the best is one that no
            exchange of a size for its neighbour improves.
    """

    seat: str
    sizes: tuple[str, ...]
    use: tuple[float, ...] | None
    best: tuple[MenuLoss, ...]
    tried: tuple[MenuLoss, ...]
    is_exhaustive: tuple[bool, ...]

    def as_good(self, count: int) -> list[MenuLoss]:
        """The other menus of a count that may be as good as the best, by the bounds of both.

        Args:
            count: How many sizes.

        Returns:
            These menus, in the order of their losses.
        """
        best = self.best[whole_number("count", count, 1, len(self.best)) - 1]
        near = [
            menu
            for menu in self.tried
            if len(menu.sizes) == count and menu is not best and menu.low <= best.high
        ]
        return sorted(near, key=lambda menu: menu.loss)


@dataclass(frozen=True)
class MenuStudy:
    """The best menus of a street, and what they lose. Percentages are of the pot.

    Attributes:
        games: The spot, the street, and the full menus.
        values: The spot with the full menus, solved.
        seats: The seats that were searched, as far as the search came.
        solved_exploitability: The exploitability, in the spot with the full menus, of what solving
            the spot with the menus of `spot_with` alone finds, with the answers of the search to
            bets that this spot lacks; in percent. None where one seat was searched, the search
            ended early, or memory was short.
        memory_bytes: An upper bound of what the largest run took.
        stopped_by: What ended the search early: `interrupted`, `seconds` or `callback`; else None.
        seconds: How long it took.
    """

    games: MenuGames = field(repr=False)
    values: SpotValue = field(repr=False)
    seats: tuple[SeatMenus, ...]
    solved_exploitability: float | None
    memory_bytes: int
    stopped_by: StopReason | None
    seconds: float

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def spot(self) -> Spot:
        """The spot, as it was given."""
        return self.games.spot

    @property
    def street(self) -> str:
        """The street of the menus: `flop`, `turn` or `river`."""
        return STREETS[self.games.street]

    @property
    def ev(self) -> tuple[float, float]:
        """The EV of both seats with the full menus, in chips."""
        oop, ip = self.values.seats
        return oop.ev, ip.ev

    @property
    def full_exploitability(self) -> float:
        """The exploitability to which the spot with the full menus was solved, in percent."""
        return self._percent(sum(seat.high - seat.low for seat in self.values.seats) / 4)

    @property
    def counts(self) -> range:
        """The numbers of sizes for which all searched seats have a menu."""
        return range(1, 1 + min(len(seat.best) for seat in self.seats))

    def exploitability(self, count: int) -> float:
        """The exploitability of the best menus together, in the spot with the full menus.

        It is measured: each seat plays the strategy that was found with its menu against all bets
        of the other, a best response to it may bet any size of the full menu. Up to what the runs
        leave open it is the mean of both losses. A seat that was not searched plays its full menu.

        Args:
            count: The sizes of each seat.

        Returns:
            Percent of the pot.

        Raises:
            ConfigError: No menus of so many sizes were found.
        """
        self._check_count(count)
        guaranteed = [seat.low for seat in self.values.seats]
        for seat in self.seats:
            guaranteed[SEATS.index(seat.seat)] = seat.best[count - 1].guaranteed
        return self._percent(max(self.spot.pot - sum(guaranteed), 0.0) / 2)

    def spot_with(self, count: int | None = None) -> Spot:
        """The spot with the best menus, to solve or to save (`to_toml`).

        Args:
            count: The sizes of each seat; None for the most that were found.

        Returns:
            The spot. A seat that was not searched keeps its own sizes, and so do other streets.

        Raises:
            ConfigError: No menus of so many sizes were found.
        """
        count = self.counts[-1] if count is None else count
        self._check_count(count)
        return self.games.saved(
            {
                SEATS.index(seat.seat): _sizes_of(self.games, seat, seat.best[count - 1])
                for seat in self.seats
            }
        )

    def rows(self) -> list[dict[str, Any]]:
        """All menus that were solved, as rows of a table.

        Returns:
            Plain values; losses are in percent of the pot.
        """
        return [
            {
                "seat": seat.seat,
                "count": len(menu.sizes),
                "sizes": menu.text,
                "loss": menu.loss,
                "low": menu.low,
                "high": menu.high,
                "is_best": menu in seat.best,
                "is_partial": menu.is_partial,
                "iterations": menu.iterations,
                "seconds": menu.seconds,
            }
            for seat in self.seats
            for menu in seat.tried
        ]

    @property
    def frame(self) -> Any:
        """The rows as a DataFrame; raises ConfigError if pandas is not installed."""
        return import_pandas().DataFrame(self.rows())

    def to_dict(self) -> dict[str, Any]:
        """The study as a JSON document.

        Returns:
            Plain data: EVs in chips, losses and exploitabilities in percent of the pot.
        """
        return {
            "board": self.spot.board,
            "pot": self.spot.pot,
            "stack": self.spot.stack,
            "street": self.street,
            "unit": "percent of the pot",
            "ev": [*self.ev],
            "full_exploitability": self.full_exploitability,
            "seats": [
                {
                    "seat": seat.seat,
                    "sizes": [*seat.sizes],
                    "use": None if seat.use is None else [*seat.use],
                    "is_exhaustive": [*seat.is_exhaustive],
                    "best": [_plain(menu) for menu in seat.best],
                    "tried": [_plain(menu) for menu in seat.tried],
                }
                for seat in self.seats
            ],
            "exploitability": [self.exploitability(count) for count in self.counts],
            "solved_exploitability": self.solved_exploitability,
            "memory_bytes": self.memory_bytes,
            "spot": self.spot_with().to_toml(),
            "stopped_by": self.stopped_by,
            "seconds": self.seconds,
        }

    def _percent(self, chips: float) -> float:
        return 100.0 * chips / self.spot.pot

    def _check_count(self, count: int) -> None:
        whole_number("count", count, 1, self.counts[-1])


@shows_progress
def find_menus(
    spot: Spot,
    count: int = 1,
    algorithm: Variant | str | None = None,
    *,
    street: str | None = None,
    seat: int | str | None = None,
    steps: str = DEFAULT_STEPS,
    exhaustive: bool = False,
    iterations: int | None = None,
    seconds: float | None = None,
    target: str | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
    storage: Storage | None = None,
    threads: int | None = None,
    memory: int | None = None,
) -> MenuStudy:
    """Find the menus of few bet sizes that lose least against a full menu.

    The spot is solved with the full menu, then once for each menu that is tried: all of one size,
    and of more sizes those that add a size to the best menu before and exchange sizes for their
    neighbours, as long as that loses less. Raises, donk bets and other streets stay as the spot has
    them.

    Args:
        spot: The spot, without rake, locks and changed lines.
        count: The most sizes of a menu; smaller menus are found on the way.
        algorithm: The variant of CFR, as in `solve`.
        street: The street whose bets are searched: `flop`, `turn` or `river`; by default the first.
        seat: `oop` or `ip`, or 0 or 1, to search for one seat alone; the other has its full menu.
        steps: The full menu: a step, such as `10%`, up to 200 % and with all-in, or a list of
            sizes, such as `33%, 75%, 150%, a`.
        exhaustive: Whether all menus are tried, whatever their number of sizes.
        iterations: The most iterations of each run.
        seconds: The most seconds of the whole search, which then ends with what it has found.
        target: The exploitability that ends a run, as in `solve`; by default 0.01 % of the pot. It
            bounds what losses are exact to.
        callbacks: Functions called as the search goes on: `on_stage` is told which menu is next,
            `on_progress` of each run; False from it ends the search.
        progress: Whether a line shows the progress; by default in notebooks and interactive
            sessions.
        storage: How regrets and strategies are stored: `float32` (the default), `float64` or
            `int16`.
        threads: The threads of each run, by default one for each processor.
        memory: The most bytes that a run may take, by default half of the machine's memory.

    Returns:
        The study, also after an interrupt (Ctrl-C) once a menu has been solved; its `seats` are
        those of which one was.

    Raises:
        ConfigError: An argument is wrong, or the spot has locks, merged sizes or changed lines; or
            the time was over before there was a menu.
        UnsupportedError: The spot has rake, so that it has no single value.
        BetSizeSyntaxError: `steps` cannot be read.
        MemoryBudgetError: The spot with the full menus does not fit into `memory`.
        KeyboardInterrupt: The search was interrupted before there was a menu.
    """
    check_searchable(checked_spot(spot))
    listeners = timed(as_callbacks(callbacks))
    chosen = (0, 1) if seat is None else (_seat(seat),)
    games = MenuGames.of(spot, read_street(spot, street), steps)
    most = min(len(games.sizes[player]) for player in chosen)
    whole_number("count", count, 1, most)
    if check_bool("exhaustive", exhaustive):
        _refuse_many(games, chosen, count)
    stored: Storage = "float32" if storage is None else storage
    threads, variant = checked_run(stored, threads, algorithm)
    default = MENU_TARGET if target is None and iterations is None else target
    since = listeners.clock.counts_from
    runs = SpotRuns(
        rule=read_stop(spot.pot, Stop(iterations, seconds, default), since=since),
        variant=variant,
        storage=stored,
        threads=threads,
        callbacks=listeners,
    )
    limits: dict[str, Any] = {"predicts": variant.predicts, "threads": threads}
    size = check_fits(games.full, memory, stored, iterations=iterations, **limits)
    needed = size.long_run_bytes(stored, **limits)
    keeps = len(chosen) == 2 and 2 * needed <= (default_memory() if memory is None else memory)
    named = " and ".join(f"{len(games.sizes[player])}" for player in (0, 1))
    listeners.stage(f"preparing full menus of {named} sizes, {bytes_text(needed)} of memory")
    search = _Search(games, chosen, runs, needed, keeps=keeps, is_exhaustive=exhaustive)
    return search.run(count)


def _seat(seat: object) -> int:
    """The number of a seat; raises ConfigError."""
    try:
        return seat_number(seat)
    except ConfigError as error:
        raise bad_argument("seat", seat, f"{error.expected}") from None


def _refuse_many(games: MenuGames, seats: Iterable[int], count: int) -> None:
    """Refuse to try more menus than anybody would wait for."""
    for seat in seats:
        sizes = len(games.sizes[seat])
        if (menus := sum(comb(sizes, k) for k in range(1, count + 1))) > MOST_MENUS:
            raise ConfigError(
                f"{sizes} sizes make {menus:,} menus of at most {counted(count, 'size')}, and each "
                "is solved",
                option="exhaustive",
                given=menus,
                expected=f"at most {MOST_MENUS:,}",
                remedy="leave out exhaustive, or give larger steps or fewer sizes",
            )


class _Search:
    """A search under way: what is known of all menus."""

    def __init__(
        self,
        games: MenuGames,
        seats: Sequence[int],
        runs: SpotRuns,
        memory_bytes: int,
        *,
        keeps: bool,
        is_exhaustive: bool,
    ) -> None:
        self._games, self._seats, self._runs = games, seats, runs
        self._memory_bytes = memory_bytes
        self._keeps, self._is_exhaustive = keeps, is_exhaustive
        self._begun = time.perf_counter()

    def run(self, count: int) -> MenuStudy:
        """Search for menus of up to `count` sizes of all seats."""
        runs, games = self._runs, self._games
        searches: list[_SeatSearch] = []
        stopped_by: StopReason | None = None
        solved_gain: float | None = None
        use: list[tuple[float, ...] | None] = [None, None]

        def look(solution: PostflopResult) -> None:
            use[:] = [_use(games, seat, solution) for seat in (0, 1)]

        try:
            self._stage("the full menus")
            whole = runs.value(games.full, look=look)
        except SearchEndedError as ended:
            raise _too_early(ended.reason, "the full menus") from None
        try:
            for seat in self._seats:
                search = _SeatSearch(
                    games=games,
                    seat=seat,
                    whole=whole.seats[seat].ev,
                    bounds=(whole.seats[seat].low, whole.seats[seat].high),
                    use=use[seat],
                    runs=runs,
                    keeps=self._keeps,
                )
                searches.append(search)
                search.run(count, is_exhaustive=self._is_exhaustive)
            if self._keeps:
                solved_gain = self._solved_gain(searches)
        except SearchEndedError as ended:
            stopped_by = ended.reason
        except KeyboardInterrupt:
            stopped_by = "interrupted"
        found = [search.result() for search in searches if search.best]
        if not found:
            assert stopped_by is not None
            raise _too_early(stopped_by, "a menu") from None
        return MenuStudy(
            games=games,
            values=whole,
            seats=tuple(found),
            solved_exploitability=solved_gain,
            memory_bytes=self._memory_bytes,
            stopped_by=stopped_by,
            seconds=time.perf_counter() - self._begun,
        )

    def _solved_gain(self, searches: Sequence[_SeatSearch]) -> float:
        """The exploitability of the spot of the best menus, solved alone, in percent."""
        games, runs = self._games, self._runs
        menus = {search.seat: search.best_sizes for search in searches}
        self._stage("the spot of the best menus")
        alone: list[HeldStrategies] = []

        def hold(_: SpotValue, copied: Callable[[], HeldStrategies]) -> None:
            alone.append(copied())

        runs.value(games.with_menus(menus), hold=hold)
        strategies = {search.seat: [*alone, *search.held] for search in searches}
        return 100 * lifted_mean_gain(games.full, strategies, runs.threads) / games.spot.pot

    def _stage(self, text: str) -> None:
        self._runs.callbacks.stage(f"solving {text}")


class _SeatSearch:
    """The search for the menus of one seat. Menus are tuples of places in its full menu."""

    def __init__(
        self,
        *,
        games: MenuGames,
        seat: int,
        whole: float,
        bounds: tuple[float, float],
        use: tuple[float, ...] | None,
        runs: SpotRuns,
        keeps: bool,
    ) -> None:
        self.seat = seat
        self.best: list[MenuLoss] = []
        """The best menu of each count so far."""
        self.held: list[HeldStrategies] = []
        """The strategies of the newest best menu, if they are kept."""
        self._games, self._runs, self._keeps = games, runs, keeps
        self._whole, self._bounds, self._use = whole, bounds, use
        self._sizes = games.sizes[seat]
        self._places: list[tuple[int, ...]] = []
        self._tried: dict[tuple[int, ...], MenuLoss] = {}
        self._is_exhaustive: list[bool] = []
        self._stops_early = True
        middle = (len(self._sizes) - 1) / 2
        ranks = use or [-abs(place - middle) for place in range(len(self._sizes))]
        self._order = sorted(range(len(self._sizes)), key=lambda place: -ranks[place])
        """The places, those first that are likely to be of use."""

    @property
    def best_sizes(self) -> Sizes:
        """The sizes of the best menu of the largest count."""
        return self._sizes_at(self._places[-1])

    def result(self) -> SeatMenus:
        """What was found."""
        return SeatMenus(
            seat=SEATS[self.seat],
            sizes=tuple(map(str, self._sizes)),
            use=self._use,
            best=tuple(self.best),
            tried=tuple(self._tried.values()),
            is_exhaustive=tuple(self._is_exhaustive),
        )

    def run(self, count: int, *, is_exhaustive: bool) -> None:
        """Find the best menus of up to `count` sizes."""
        self._stops_early = not is_exhaustive
        for sizes in range(1, count + 1):
            if sizes == 1 or is_exhaustive:
                self._try_all(combinations(self._order, sizes), sizes)
                self._is_exhaustive[-1] = True
                continue
            base = self._places[sizes - 2]
            others = [place for place in self._order if place not in base]
            self._try_all(((*base, place) for place in others), sizes)
            while self._try_all(self._exchanged(self._places[-1]), sizes):
                pass
            self._is_exhaustive[-1] = len(self._tried_of(sizes)) == comb(len(self._sizes), sizes)

    def _tried_of(self, count: int) -> list[tuple[int, ...]]:
        return [menu for menu in self._tried if len(menu) == count]

    def _exchanged(self, menu: tuple[int, ...]) -> list[tuple[int, ...]]:
        """The menus that have the next smaller or larger size in place of one of these."""
        exchanged = []
        for place in menu:
            rest = [other for other in menu if other != place]
            smaller = [n for n in range(place) if n not in rest]
            larger = [n for n in range(place + 1, len(self._sizes)) if n not in rest]
            exchanged += [(*rest, other) for other in (*smaller[-1:], *larger[:1])]
        return exchanged

    def _try_all(self, menus: Iterable[tuple[int, ...]], count: int) -> bool:
        """Solve menus of a count that were not yet; whether one of them is better than all."""
        is_better = False
        for menu in menus:
            ordered = tuple(sorted(menu))
            is_lossless = len(self.best) == count > 1 and self.best[-1].loss == 0.0
            if ordered not in self._tried and not (is_lossless and self._stops_early):
                is_better |= self._try(ordered, count)
        return is_better

    def _try(self, menu: tuple[int, ...], count: int) -> bool:
        """Solve a menu; whether it is the best of its count."""
        best = self.best[count - 1] if len(self.best) == count else None
        sizes = self._sizes_at(menu)
        so_far = "" if best is None else f"; {best.text} loses {best.loss:.3g}%"
        self._runs.callbacks.stage(
            f"solving {SEATS[self.seat].upper()} with {', '.join(map(str, sizes))} "
            f"({counted(len(self._tried), 'menu')} tried{so_far})"
        )
        held: list[HeldStrategies] = []

        def gives_up(value: SpotValue) -> bool:
            if best is None:
                return False
            loss = self._loss(sizes, value)
            is_clear = count > 1 or loss.high - loss.low <= _CLEAR * loss.high
            return loss.low > best.high and is_clear

        def hold(value: SpotValue, copied: Callable[[], HeldStrategies]) -> None:
            if best is None or self._loss(sizes, value).loss < best.loss:
                held.append(copied())

        value = self._runs.value(
            self._games.with_menus({self.seat: sizes}),
            gives_up=gives_up,
            hold=hold if self._keeps else None,
        )
        loss = self._tried[menu] = self._loss(sizes, value)
        if best is not None and (loss.is_partial or loss.loss >= best.loss):
            return False
        if best is None:
            self.best.append(loss)
            self._places.append(menu)
            self._is_exhaustive.append(False)
        else:
            self.best[-1], self._places[-1] = loss, menu
        self.held = held
        return best is not None

    def _sizes_at(self, menu: tuple[int, ...]) -> Sizes:
        return tuple(self._sizes[place] for place in menu)

    def _loss(self, sizes: Sizes, value: SpotValue) -> MenuLoss:
        """The loss of a menu with which the spot has this value; no more than with fewer sizes."""
        percent = 100.0 / self._games.spot.pot
        own, names = value.seats[self.seat], tuple(map(str, sizes))
        within = [menu for menu in self._tried.values() if {*menu.sizes} < {*names}]
        low = percent * max(self._bounds[0] - own.high, 0.0)
        high = max(percent * (self._bounds[1] - own.low), low)
        high = max(min([high, *(menu.high for menu in within)]), low)
        loss = min([percent * (self._whole - own.ev), *(menu.loss for menu in within)])
        return MenuLoss(
            sizes=names,
            loss=min(max(loss, low), high),
            low=low,
            high=high,
            guaranteed=own.low,
            is_partial=value.is_partial,
            iterations=value.iterations,
            seconds=value.seconds,
        )


def _use(games: MenuGames, seat: int, solution: PostflopResult) -> tuple[float, ...] | None:
    """How often a seat bets each size of its full menu where it acts first."""
    bets = games.root_amounts(seat)
    if bets is None:
        return None
    node = solution.at("X" if seat else "")
    shares = zip(node.actions, node.frequency.values(), strict=True)
    by_amount = {action.amount: share for action, share in shares if action.amount}
    return tuple(float(by_amount.get(amount, 0.0)) for amount in bets)


def _sizes_of(games: MenuGames, seat: SeatMenus, menu: MenuLoss) -> Sizes:
    """The sizes of a menu."""
    return tuple(size for size in games.sizes[SEATS.index(seat.seat)] if str(size) in menu.sizes)


def _plain(menu: MenuLoss) -> dict[str, Any]:
    """A menu for a JSON document."""
    return {
        "sizes": [*menu.sizes],
        "loss": menu.loss,
        "low": menu.low,
        "high": menu.high,
        "is_partial": menu.is_partial,
        "iterations": menu.iterations,
        "seconds": menu.seconds,
    }


def _too_early(reason: StopReason, what: str) -> BaseException:
    """What is raised where the search ended before there was anything to show."""
    if reason != "seconds":
        return KeyboardInterrupt()
    return ConfigError(
        f"the time was over before {what} had been solved",
        option="seconds",
        remedy="give more time, a larger target, or larger steps",
    )
