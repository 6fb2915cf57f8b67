"""The screen of `equilibrist postflop browse`; Textual is imported by that command alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Key
from textual.widgets import DataTable, Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from equilibrist.cli.postflop.node_screen import in_order
from equilibrist.errors import EquilibristError
from equilibrist.formatting.amounts import percent
from equilibrist.poker.cards.cards import NUM_CARDS, RANKS, card_name, parse_cards
from equilibrist.poker.cards.combos import combo_name
from equilibrist.poker.decisions import strategy_grid
from equilibrist.poker.postflop.solution.node import Node
from equilibrist.poker.postflop.solution.tree_files.tree_filter import wanted_hands
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.ranges import grid as range_grid
from equilibrist.poker.ranges.range import Range

if TYPE_CHECKING:
    from equilibrist.poker.postflop.files.kept_boards import KeptBoards
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.three_players.node import ThreeNode

    Walked = Node | ThreeNode
    """A node as the screen walks through it."""

_SUITS: Final = "cdhs"
_GRID_WIDTH: Final = 80


class HandTable(NamedTuple):
    """The hands of a seat at a node, as the screen lists them."""

    columns: list[str]
    """The titles, the name of the seat first."""
    rows: list[list[str]]
    """A row for each hand."""


def next_keys(node: Walked) -> dict[str, str]:
    """The line that each key leads to: the letter of an action, or the number of a bet size."""
    signs = [action.kind.value for action in node.actions]
    sizes = [sign for sign in signs if sign in "BR"]
    numbers = iter(range(1, len(sizes) + 1))
    keys = [str(next(numbers)) if sign in "BR" and len(sizes) > 1 else sign for sign in signs]
    return dict(zip(keys, node.next_lines.values(), strict=True))


class Boards(App[str | None]):
    """The boards of a batch with their figures at a line; Enter ends with the chosen one."""

    CSS = "#boards { height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape", "quit", "Quit"),
        Binding("s", "sort", "Sort"),
    ]

    def __init__(self, kept: KeptBoards, line: str = "", chosen: str | None = None) -> None:
        """Show the boards; `chosen` is marked first. Raises what `KeptBoards.row` raises."""
        super().__init__()
        self.title = f"{kept.folder}"
        self.rows = [kept.row(board, line) for board in kept.boards]
        self.columns = [name for name in self.rows[0] if name not in ("board", "line", "acts")]
        self.order = -1
        self.chosen = chosen

    def compose(self) -> ComposeResult:
        """The table of boards."""
        yield DataTable(id="boards", cursor_type="row", zebra_stripes=True)
        yield Footer()

    def on_mount(self) -> None:
        """Fill the table."""
        self.show_rows()
        self.query_one("#boards", DataTable).focus()

    def show_rows(self) -> None:
        """List the boards in the order that is chosen."""
        rows = list(self.rows)
        if self.order >= 0:
            name = self.columns[self.order]
            rows.sort(key=lambda row: (row[name] != row[name], -row[name]))
        table = self.query_one("#boards", DataTable)
        table.clear(columns=True)
        table.add_columns("board", *self.columns)
        for row in rows:
            figures = (f"{row[name]:.4g}" for name in self.columns)
            table.add_row(row["board"], *figures, key=row["board"])
        names = [row["board"] for row in rows]
        if self.chosen in names:
            table.move_cursor(row=names.index(self.chosen))

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Enter, or a click: end with the board."""
        self.exit(f"{event.row_key.value}")

    def action_sort(self) -> None:
        """Sort by the next column, the largest first."""
        self.order = (self.order + 1) % len(self.columns)
        self.notify(f"sorted by {self.columns[self.order]}")
        self.show_rows()


class Walker(App[None]):
    """Walks a tree: one node on the screen, and keys to the next ones.

    Attributes:
        seats: The names of the seats.
        orders: What hands can be sorted by.
    """

    CSS = """
    #place { padding: 0 1; height: auto; }
    #left { width: 82; }
    #grid { padding: 1 1 0 1; height: auto; }
    #next { height: 1fr; border: none; }
    #hands { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("backspace,left", "before", "Back"),
        Binding("right", "enter", "Enter", show=False),
        Binding("0", "root", "Root"),
        Binding("slash", "filter", "Hands"),
        Binding("escape", "clear", "All hands", show=False),
        Binding("s", "sort", "Sort"),
        Binding("p", "player", "Player"),
        Binding("q", "quit", "Quit"),
    ]

    seats: ClassVar[tuple[str, ...]]
    orders: ClassVar[tuple[str, ...]]

    def __init__(self, title: str, line: str = "") -> None:
        """Show a node first; raises what `node_at` raises."""
        super().__init__()
        self.title = title
        self.node: Walked = self.node_at(line)
        self.order = 0
        self.wanted: Range | None = None
        self.seat: int | None = None
        self.rank = ""

    def node_at(self, line: str) -> Walked:
        """The node after a line."""
        raise NotImplementedError

    def hand_table(self, seat: int) -> HandTable:
        """The hands of a seat that are wanted, in the order that is chosen."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """The place on top, the grid and the next lines on the left, hands on the right."""
        yield Static(id="place")
        with Horizontal():
            with Vertical(id="left"):
                yield Static(id="grid")
                yield OptionList(id="next")
            with Vertical():
                yield Input(placeholder="Hands, as AKs,77 or AhKh", id="filter")
                yield DataTable(id="hands", cursor_type="row", zebra_stripes=True)
        yield Footer()

    def on_mount(self) -> None:
        """Show the first node."""
        self.show_node(self.node)

    @work(thread=True, exclusive=True)
    def look_up(self, line: str) -> None:
        """Look a node up, which may re-solve a street that the file lacks."""
        try:
            node = self.node_at(line)
        except EquilibristError as error:
            self.call_from_thread(self.notify, str(error), severity="error")
        else:
            self.call_from_thread(self.show_node, node)

    def show_node(self, node: Walked) -> None:
        """Fill the screen with a node."""
        self.node, self.seat, self.rank = node, None, ""
        self.query_one("#place", Static).update("\n".join(node.summary()[:7]))
        options = self.query_one("#next", OptionList)
        options.clear_options()
        options.add_options(self._options())
        if options.option_count:
            options.highlighted = 0
        options.focus()
        self.show_range()

    def show_range(self) -> None:
        """The grid and the hands of the player that is shown."""
        self.query_one("#grid", Static).update(self._grid())
        table = self.query_one("#hands", DataTable)
        table.clear(columns=True)
        listed = self.hand_table(self.shown)
        table.add_columns(*listed.columns)
        for row in listed.rows:
            table.add_row(*row)

    @property
    def shown(self) -> int:
        """The seat whose range is shown: who acts, unless another is asked for."""
        return (self.node.player or 0) if self.seat is None else self.seat

    def _grid(self) -> Text:
        classes = self.node.classes(self.shown)
        if self.shown == self.node.player:
            return strategy_grid.coloured(classes, self.node.actions, _GRID_WIDTH)
        return range_grid.coloured(classes.weight)

    def _options(self) -> list[Option]:
        node = self.node
        if node.deals_a_card:
            dealt = parse_cards(node.board)
            free = (card_name(c) for c in reversed(range(NUM_CARDS)) if c not in dealt)
            return [Option(name, id=f"{node.line}|{name}") for name in free]
        rows = zip(
            next_keys(node).items(), node.frequency.items(), node.ev_by_action.values(), strict=True
        )
        return [
            Option(
                f"{key}  {action:<14}{percent(share, 1):>8}{node.ev_text(ev):>12}   {line}",
                id=line,
            )
            for (key, line), (action, share), ev in rows
        ]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter, or a click: go to the line."""
        self.look_up(str(event.option_id))

    def on_key(self, event: Key) -> None:
        """The letter of an action, the number of a size, or the rank and the suit of a card."""
        if isinstance(self.focused, Input) or event.character is None:
            return
        sign = event.character
        if self.node.deals_a_card:
            self._card(sign, event)
            return
        line = next_keys(self.node).get(sign.upper())
        if line is not None:
            event.stop()
            event.prevent_default()
            self.look_up(line)

    def _card(self, sign: str, event: Key) -> None:
        if self.rank and sign.lower() in _SUITS:
            card, self.rank = self.rank + sign.lower(), ""
            event.stop()
            event.prevent_default()
            self.look_up(f"{self.node.line}|{card}")
        else:
            self.rank = sign.upper() if sign.upper() in RANKS else ""

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Show these hands alone; all for an empty text."""
        try:
            self.wanted = wanted_hands(event.value) if event.value.strip() else None
        except EquilibristError as error:
            self.notify(str(error), severity="error")
            return
        self.show_range()
        self.query_one("#hands", DataTable).focus()

    def action_before(self) -> None:
        """Go to the node before."""
        self.look_up(self.node.line_before or "")

    def action_enter(self) -> None:
        """Go to the line that is marked."""
        options = self.query_one("#next", OptionList)
        if options.highlighted is not None:
            options.action_select()

    def action_root(self) -> None:
        """Go to the root."""
        self.look_up("")

    def action_filter(self) -> None:
        """Type the hands that are shown."""
        self.query_one("#filter", Input).focus()

    def action_clear(self) -> None:
        """Show all hands."""
        self.wanted = None
        self.query_one("#filter", Input).value = ""
        self.query_one("#next", OptionList).focus()
        self.show_range()

    def action_sort(self) -> None:
        """Sort the hands by the next key."""
        self.order = (self.order + 1) % len(self.orders)
        self.notify(f"sorted by {self.orders[self.order]}")
        self.show_range()

    def action_player(self) -> None:
        """Show the range of the next seat."""
        self.seat = (self.shown + 1) % len(self.seats)
        self.show_range()


class Browser(Walker):
    """Walks the tree of the solution of a spot."""

    seats = SEATS
    orders = ("class", "ev", "equity", "weight", "eqr")

    def __init__(self, solution: PostflopResult, line: str = "") -> None:
        """Show a node of a solution first; raises what `solution.at` raises."""
        self.solution = solution
        super().__init__(f"{solution.spot.board}", line)

    def node_at(self, line: str) -> Node:
        """The node after a line, which may be re-solved."""
        return self.solution.at(line)

    def hand_table(self, seat: int) -> HandTable:
        """Weight, equity, EV and EQR, and what the player to act does."""
        node = self.node
        assert isinstance(node, Node)
        acts = seat == node.player
        actions = [str(action) for action in node.actions] if acts else []
        columns = [
            SEATS[seat].upper(), "weight", "equity", "EV", "EQR",
            *actions, *(f"{action} EV" for action in actions),
        ]  # fmt: skip
        values, realised = node.values, node.realised(seat)
        combos = node.combos(seat).tolist()
        if self.wanted is not None:
            combos = [combo for combo in combos if self.wanted.weights[combo]]
        rows = [
            [
                combo_name(combo),
                f"{values.weight[seat, combo]:.4g}",
                percent(values.equity[seat, combo], 2),
                node.ev_text(values.ev[seat, combo]),
                percent(realised[combo], 1),
                *(percent(row[combo], 1) for row in (values.strategy if acts else ())),
                *(node.ev_text(row[combo]) for row in (values.action_ev if acts else ())),
            ]
            for combo in in_order(node, seat, combos, self.orders[self.order])
        ]
        return HandTable(columns, rows)
