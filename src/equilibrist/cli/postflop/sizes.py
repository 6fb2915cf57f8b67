"""`equilibrist postflop sizes`: the few bet sizes that lose least against all of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.signals import INTERRUPTED, terminate_like_interrupt
from equilibrist.cli.inputs.start_time import STARTED
from equilibrist.cli.postflop.run_options import progress_texts, say_stage, warn_of
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import heading, note, show, show_json, show_table, suggest
from equilibrist.cli.text.progress import LiveLine
from equilibrist.formatting.amounts import bytes_text, chips, counted, percent, seconds_text
from equilibrist.options.option import DISPLAY
from equilibrist.poker.postflop.solving.spot_run import SpotRun
from equilibrist.poker.postflop.spot.fields import SEATS, SPOT_OPTIONS
from equilibrist.progress import ENDINGS

if TYPE_CHECKING:
    from equilibrist.poker.postflop.menus.study import MenuLoss, MenuStudy, SeatMenus
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.progress import Progress

HELP = """Find the bet sizes that lose least against a full menu of all sizes.

The full menu has the sizes 10%, 20% ... 200% of the pot and all-in (--steps), for both seats, on
one street (--street, by default the first). For a seat, a menu of --count sizes loses what the seat
wins less than with the full menu, while the other seat keeps all sizes, and answers are there for
all of them; both in equilibrium. Losses are in percent of the pot, with bounds that best responses
prove: --target says how narrow they are.

Menus of one size are all tried. Larger ones add a size to the best menu before, and exchange sizes
for their neighbours as long as that loses less; --exhaustive tries all. Then the best menus of both
seats are measured together, in the spot with the full menus: what a best response wins that may bet
any size.

Raises, donk bets and the sizes of other streets stay as SPOT has them. Spots with rake, locks,
merged sizes, or added and removed lines are refused. A flop is solved exactly, too, as far as
memory and time go; a turn or a river of it takes a small part of both.

--out saves the spot with the menus. Ctrl-C, or the end of --time, shows the best so far.

\b
Examples:
  equilibrist postflop sizes river.toml
  equilibrist postflop sizes river.toml --count 2 --seat oop
  equilibrist postflop sizes turn.toml --count 2 --street river --steps 25% --out found.toml
  equilibrist postflop sizes river.toml --count 2 --steps "33%, 50%, 75%, 125%, a" --exhaustive
  equilibrist postflop sizes river.toml --count 3 --target 0.005% --time 10m --json
"""

_SEARCH: Final = "Search"
_ALIGN: Final[list[Literal["left", "right"]]] = ["left", "right", "right", "right", "left"]
_LONG: Final = 7
"""Of a menu of more sizes, the first and the last are named."""
_MOST_USED: Final = 5
_SHOWN: Final = 0.005
"""Of the sizes that are bet most so many are named, as far as they are bet this often."""
_OF_SEARCH: Final = ("file", *SPOT_OPTIONS, "target", "iterations", "seconds")
"""What says which spot was searched, and how; the saved spot is another."""


def sizes(
    spot: Spot,
    run: SpotRun,
    *,
    count: Annotated[
        int, options.whole("--count", "N", "The most sizes of a menu.", _SEARCH, default=True)
    ] = 1,
    street: Annotated[
        str | None,
        options.optional(
            "--street", "STREET", "flop, turn or river.  [default: the first]", _SEARCH
        ),
    ] = None,
    seat: Annotated[
        str | None,
        options.optional("--seat", "SEAT", "Search for oop or ip alone; both by default.", _SEARCH),
    ] = None,
    steps: Annotated[
        str,
        options.valued(
            "--steps",
            "SIZES",
            "The full menu: a step, up to 200% and with all-in, or a list of sizes.",
            _SEARCH,
        ),
    ] = "10%",
    exhaustive: Annotated[
        bool, options.switch("--exhaustive", "Try all menus, whatever their sizes.", _SEARCH)
    ] = False,
    top: Annotated[
        int, options.whole("--top", "N", "Print so many menus of a count.", DISPLAY, default=True)
    ] = 5,
    out: Annotated[Path | None, options.out("Save the spot with the menus, in TOML.")] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Search, save, print."""
    from equilibrist.parsing.arguments import whole_number
    from equilibrist.poker.postflop.menus.study import find_menus
    from equilibrist.poker.postflop.setups.files import check_setup_file, write_setup
    from equilibrist.poker.postflop.solving.cold_kernels import cold_kernels
    from equilibrist.progress import Callbacks, timed

    whole_number("top", top, 1)
    if out is not None:
        check_setup_file(out, "toml")
    warn_of(spot)
    with LiveLine(quiet=quiet) as live, terminate_like_interrupt():
        say_stage(live, f"preparing {spot.board}", cold_kernels(spot, run.storage))
        telling = _Telling(live)
        study = find_menus(
            spot,
            count,
            street=street,
            seat=seat,
            steps=steps,
            exhaustive=exhaustive,
            callbacks=timed(Callbacks(telling.progress, telling.stage), STARTED),
            **run.options,
        )
    found = study.spot_with()
    if out is not None:
        write_setup(found, out, "toml")
    if json:
        show_json(study.to_dict())
    else:
        _show(study, top)
    if out is not None:
        note(f"spot with {counted(study.counts[-1], 'size')} of {_seats(study)} written to {out}")
        if not (json or quiet):
            suggest(next_command("postflop solve", out, without=(*_OF_SEARCH, "out")))
    if study.stopped_by is not None and not json:
        note(f"cut short ({ENDINGS[study.stopped_by]}): other menus may lose less")
    if study.stopped_by == "interrupted":
        raise typer.Exit(INTERRUPTED)


class _Telling:
    """Shows which menu is solved, and how far its run is."""

    def __init__(self, live: LiveLine) -> None:
        self._live, self._stage = live, ""

    def stage(self, text: str) -> None:
        """Say what is solved now; aloud what takes long, and what memory it takes."""
        self._stage = text
        self._live.stage(text, aloud="compiling" in text or text.startswith("preparing"))

    def progress(self, progress: Progress) -> None:
        """Say how far it is."""
        text = self._stage.removeprefix("solving ")
        texts = [f"{text}: {more}" for more in progress_texts(progress)]
        self._live.tell([*texts, text, text.partition(" (")[0]])


def _show(study: MenuStudy, top: int) -> None:
    """Print the losses of the menus, seat by seat, and the exploitability of the best."""
    spot = study.spot
    heading(
        f"{spot.board}: bets on the {study.street}; with the full menus EV "
        f"OOP {chips(study.ev[0], spot.pot)}, IP {chips(study.ev[1], spot.pot)}, exploitability "
        f"{_percent(study.full_exploitability)}"
    )
    show(
        f"{counted(len(study.rows()), 'menu')} in {seconds_text(study.seconds)}, memory of the "
        f"largest run {bytes_text(study.memory_bytes)}"
    )
    for seat in study.seats:
        show()
        show(f"{seat.seat.upper()}: {_full_menu(seat)}")
        rows = [row for best in seat.best for row in _rows(seat, best, top)]
        show_table(["menu", "loses", "at least", "at most", ""], rows, _ALIGN)
    show()
    show("exploitability of the best menus in the spot with the full menus:")
    for count in study.counts:
        gain = _percent(study.exploitability(count))
        show(f"  {counted(count, 'size')} of {_seats(study)}: {gain}")
    if study.solved_exploitability is not None:
        show(
            f"  {counted(study.counts[-1], 'size')} of each seat, if the spot with these menus is "
            f"solved by itself: {_percent(study.solved_exploitability)}"
        )


def _seats(study: MenuStudy) -> str:
    """The seats that were searched."""
    return "each seat" if len(study.seats) == len(SEATS) else study.seats[0].seat.upper()


def _full_menu(seat: SeatMenus) -> str:
    """The sizes of a seat, and which of them the full solution bets most."""
    sizes = [*seat.sizes]
    if len(sizes) > _LONG:
        sizes = [*sizes[:2], "...", *sizes[-2:]]
    named = ", ".join(sizes).replace(", ..., ", " ... ")
    text = f"full menu {named} ({counted(len(seat.sizes), 'size')})"
    if seat.use is None:
        return text
    used = sorted(zip(seat.use, seat.sizes, strict=True), key=lambda pair: -pair[0])[:_MOST_USED]
    shares = [f"{size} {percent(share, 1)}" for share, size in used if share >= _SHOWN]
    return f"{text}; its solution bets {', '.join(shares) or 'never'}"


def _rows(seat: SeatMenus, best: MenuLoss, top: int) -> list[tuple[str, str, str, str, str]]:
    """The best menu of a count, then others by their losses."""
    count = len(best.sizes)
    as_good = seat.as_good(count)
    same = [menu for menu in seat.tried if len(menu.sizes) == count and menu is not best]
    rest = sorted((menu for menu in same if menu not in as_good), key=lambda menu: menu.loss)
    rows = []
    for place, menu in enumerate([best, *as_good, *rest][:top]):
        remark = "as good" if menu in as_good else ""
        if menu is best:
            remark = "best" if menu.is_measurable else "best; no loss is measured"
            if not seat.is_exhaustive[count - 1]:
                remark += " (not all were tried)"
        rows.append(
            (
                f"{f'{count}:' if not place else '':<3}{menu.text}",
                "given up" if menu.is_partial else _percent(menu.loss),
                _percent(menu.low),
                _percent(menu.high),
                remark,
            )
        )
    return rows


def _percent(figure: float) -> str:
    """A figure that is in percent of the pot."""
    return percent(figure / 100, 3)
