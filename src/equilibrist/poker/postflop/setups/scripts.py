"""Scripts of commands: TexasSolver's console input, and PioSOLVER's UPI.

| TexasSolver | PioSOLVER | of a spot |
|---|---|---|
| `set_pot 50` | `set_pot 0 0 50` | `pot`: what both have put in, and the rest |
| `set_effective_stack 200` | `set_eff_stack 200` | `stack` |
| `set_board Qs,Jh,2h` | `set_board QsJh2h` | `board` |
| `set_range_oop AA,KK` | `set_range OOP 0 0.5 1 ...` | `oop`, `ip` |
| `set_bet_sizes oop,flop,bet,50` | | a list of sizes |
| `set_bet_sizes oop,flop,allin` | | all-in in all lists of a player on a street |
| `set_allin_threshold 0.67` | | `force_all_in` |
| | `set_rake 0.05 3` | `rake`, `rake_cap`: a share of the pot, and chips |
| | `add_line 0 0 50 150` | `added_lines`: what who acts has put in since the root |

The threshold of TexasSolver is a share of the stack, with which it compares half of the pot and the
chips since the root (its issue 146 quotes the comparison).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from equilibrist.errors import ConfigError, FileFormatError, UnknownNameError
from equilibrist.poker.betting.bet_sizes import STREETS, AllIn, Sizes
from equilibrist.poker.betting.chips import MOST_CHIPS
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.postflop.setups.expressing import (
    bad_size,
    check_rake,
    hand_by_hand,
    lists_of,
    refuse_keys,
    refuse_units,
)
from equilibrist.poker.postflop.setups.set_up import (
    ListKind,
    OmissionCode,
    Settings,
    SetUp,
    at_setting,
    bad_setting,
    committing_chips,
    committing_text,
    decimal_text,
    percent,
    read_number,
    read_sizes,
)
from equilibrist.poker.postflop.setups.upi_lines import added_lines, upi_lines
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.postflop.spot.spot import Spot

TEXAS: Final = "TexasSolver"
_INPUT: Final = "console input of TexasSolver"
_SCRIPT: Final = "a script of PioSOLVER"
PIO: Final = "PioSOLVER"
_COMMAND: Final = re.compile(r"([A-Za-z_]+)(?:[ \t]*[=:][ \t]*(.*)|[ \t]+(.*))?", re.DOTALL)
_OF_PIO: Final = frozenset(
    ("set_range", "set_eff_stack", "add_line", "remove_line", "clear_lines", "set_isomorphism",
     "set_threads", "set_icm", "go", "set_end_string")
)  # fmt: skip
"""Commands that TexasSolver does not have."""
_WITHOUT_EFFECT: Final = frozenset(
    ("build_tree", "start_solve", "is_ready", "exit", "quit", "go", "stop", "wait_for_solver",
     "set_end_string", "reset_end_string", "clear_lines", "free_tree", "estimate_tree",
     "set_print_interval", "set_use_isomorphism", "set_isomorphism", "show_effective_stack",
     "show_settings", "show_version", "bench")
)  # fmt: skip
"""Commands of how to solve, which change nothing of the spot."""
_ADVICE: Final[Mapping[str, OmissionCode]] = {
    "set_max_iteration": "iterations",
    "set_thread_num": "threads",
    "set_threads": "threads",
    "dump_result": "out",
    "dump_tree": "out",
}
"""Commands for which `postflop solve` has an option, which the phrase of the code names."""
_KINDS: Final[dict[str, ListKind]] = {"bet": "bets", "raise": "raises", "donk": "donks"}
_SHOWN: Final = 40
_MOST_SHARE: Final = 10
"""The largest share of the stack that is no percentage by mistake."""


def is_command(line: str) -> bool:
    """Whether a line is a command of a script: a word such as `set_pot`, and its arguments."""
    match = _COMMAND.fullmatch(line)
    return match is not None and (
        match[1].lower() in _TAKEN
        or match[1].lower() in _WITHOUT_EFFECT
        or match[1].lower() in _ADVICE
        or "_" in match[1]
    )


def read_script(text: str, file: Path, changes: Mapping[str, Any]) -> SetUp:
    """Read a script of TexasSolver or PioSOLVER as a spot.

    Args:
        text: The text of the file.
        file: The file, for errors.
        changes: Keys of the spot that override those of the file.

    Returns:
        The spot, and what it lacks.

    Raises:
        FileFormatError: A line cannot be read; the error has its number and command.
        UnknownNameError: A command is misspelt.
        ConfigError: A value is invalid or missing, and so are NotationErrors.
    """
    commands = [
        (number, command)
        for number, line in enumerate(text.splitlines(), 1)
        if (command := line.strip(" \t;")) and not command.startswith(("#", "//"))
    ]
    words = {_word(line) for _, line in commands}
    is_pio = not words.isdisjoint(_OF_PIO)
    settings = Settings(file, PIO if is_pio else TEXAS)
    script = Script(settings)
    for number, line in commands:
        script.run(number, line)
    script.finish()
    return settings.finished(changes)


class Script:
    """A script that is being read into settings."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.file = settings.file
        self.has_sizes = False
        self.all_in: set[tuple[str, int]] = set()
        self.lines: list[tuple[int, str]] = []
        """Line numbers and arguments of `add_line`."""
        self.invested = Fraction(0)
        """What each player has put in before the root."""
        self.stack: tuple[int, str, Fraction] | None = None
        """Where the stack is given, and what players have before they put that in."""

    def run(self, number: int, line: str) -> None:
        """Read one command."""
        match = _COMMAND.fullmatch(line)
        word = "" if match is None else match[1].lower()
        rest = "" if match is None else (match[2] or match[3] or "").strip(" \t;\"'")
        if match is None:
            raise FileFormatError(
                f"{self.file}, line {number}: {line[:_SHOWN]!r} is no command",
                self.file,
                option="line",
                given=line[:_SHOWN],
                expected="a command and its arguments",
                place=f"{self.file}, line {number}",
                remedy="write a command and its arguments, such as set_pot 50",
            )
        if word in _TAKEN:
            with at_setting(self.file, number, word):
                _TAKEN[word](self, number, rest)
        elif word == "set_accuracy":
            unit = "c" if self.settings.program == PIO else "%"
            self.settings.leave_out("target", setting=f"set_accuracy {rest}", value=f"{rest}{unit}")
        elif word not in _WITHOUT_EFFECT:
            self._leave_out(number, word, rest)

    def _leave_out(self, number: int, word: str, rest: str) -> None:
        known = [*_TAKEN, *_ADVICE, "set_accuracy"]
        if word not in _ADVICE and get_close_matches(word, known, n=1, cutoff=0.8):
            with at_setting(self.file, number, word):
                raise UnknownNameError("command", word, known)
        code = _ADVICE.get(word, "setting")
        values = {"value": rest} if code in ("iterations", "threads") else {}
        self.settings.leave_out(code, setting=f"{word} {rest[:_SHOWN]}".strip(), **values)

    def finish(self) -> None:
        """Take what depends on several commands."""
        lists = self.settings.lists
        if self.stack is not None:
            number, word, stack = self.stack
            with at_setting(self.file, number, word):
                self.settings.read_chips("stack", decimal_text(stack - self.invested))
        if self.has_sizes:
            for street in (1, 2):
                lists.setdefault(("oop", "donks", street), ())
        for seat, street in self.all_in:
            for kind in _KINDS.values():
                if kind == "donks" and (seat, kind, street) not in lists:
                    continue
                sizes = lists.get((seat, kind, street), ())
                lists[seat, kind, street] = sizes if AllIn() in sizes else (*sizes, AllIn())
        if not self.lines:
            return
        settings = self.settings
        lists.clear()
        settings.all_in.clear()
        settings.all_in_limit = settings.commits = None
        settings.keys.pop("merge", None)
        cards = settings.keys.get("board")
        first = 0 if cards is None else len(cards) // 2 - 3
        behind = Fraction(str(settings.keys.get("stack", MOST_CHIPS)))
        settings.keys["added_lines"] = added_lines(
            self.file, self.lines, self.invested, self.invested + behind, first
        )

    def take_pot(self, number: int, rest: str) -> None:
        """`set_pot 50`, or what each player has put in and the rest."""
        pieces = re.split(r"[,\s]+", rest)
        numbers = [found for piece in pieces if (found := read_number(piece)) is not None]
        if len(numbers) != len(pieces) or len(numbers) not in (1, 3):
            raise bad_setting(
                self.file, number, "set_pot", rest, "the pot, or OOP's chips, IP's and the rest"
            )
        if len(numbers) == 3:
            if numbers[0] != numbers[1]:
                raise bad_setting(
                    self.file,
                    number,
                    "set_pot",
                    rest,
                    "the same chips of both players, as a spot begins with a street",
                )
            self.invested = numbers[0]
        self.settings.read_chips("pot", decimal_text(sum(numbers, Fraction(0))))

    def take_stack(self, number: int, rest: str, word: str) -> None:
        """The stack before what was put in already."""
        stack = read_number(rest)
        if stack is None:
            raise bad_setting(self.file, number, word, rest, "a number of chips")
        self.stack = (number, word, stack)

    def take_board(self, number: int, rest: str) -> None:
        """The board."""
        del number
        self.settings.read_board(rest)

    def take_range(self, number: int, rest: str) -> None:
        """`set_range OOP ...`."""
        seat, _, text = rest.partition(" ")
        if seat.lower() not in SEATS:
            raise bad_setting(self.file, number, "set_range", seat, "OOP or IP, and a range")
        self.settings.read_range(seat.lower(), text.strip())

    def take_sizes(self, number: int, rest: str) -> None:
        """`set_bet_sizes oop,flop,bet,50,100`."""
        pieces = [piece for piece in re.split(r"[,\s]+", rest.lower()) if piece]
        kinds = (*_KINDS, "allin")
        if (
            len(pieces) < 3
            or pieces[0] not in SEATS
            or pieces[1] not in STREETS
            or pieces[2] not in kinds
        ):
            raise bad_setting(
                self.file,
                number,
                "set_bet_sizes",
                rest,
                "oop or ip, a street, bet, raise, donk or allin, and sizes, as oop,flop,bet,50",
            )
        self.has_sizes = True
        seat, street = pieces[0], STREETS.index(pieces[1])
        if pieces[2] == "allin":
            self.all_in.add((seat, street))
            return
        kind = _KINDS[pieces[2]]
        sizes = read_sizes(" ".join(pieces[3:]), raises=kind == "raises")
        if kind == "donks" and (seat == "ip" or street == 0):
            self.settings.leave_out("setting", setting=f"set_bet_sizes {rest[:_SHOWN]}")
            return
        self.settings.lists[seat, kind, street] = sizes

    def take_threshold(self, number: int, rest: str) -> None:
        """`set_allin_threshold 0.67`."""
        share = read_number(rest)
        if share is None:
            raise bad_setting(
                self.file, number, "set_allin_threshold", rest, "a share of the stack, as 0.67"
            )
        if rest.rstrip().endswith("%"):
            share /= 100
        if share > _MOST_SHARE:
            self.settings.leave_out("share", setting=f"set_allin_threshold {rest[:_SHOWN]}")
        self.settings.commits = lambda pot, stack: share * stack - pot / 2

    def take_raise_limit(self, number: int, rest: str) -> None:
        """`set_raise_limit 3`."""
        if not re.fullmatch(r"\d{1,3}", rest, re.ASCII):
            raise bad_setting(self.file, number, "set_raise_limit", rest, "a whole number")
        self.settings.keys["raise_cap"] = int(rest)

    def take_line(self, number: int, rest: str) -> None:
        """`add_line 0 0 50 150`."""
        self.lines.append((number, rest))

    def take_rake(self, number: int, rest: str) -> None:
        """`set_rake 0.05 3`: a share of the pot, and at most this many chips."""
        numbers = [read_number(piece) for piece in re.split(r"[,\s]+", rest)]
        share = numbers[0]
        if share is not None and rest.split(maxsplit=1)[0].rstrip(",").endswith("%"):
            share /= 100
        if share is None or None in numbers or share > 1:
            raise bad_setting(
                self.file, number, "set_rake", rest, "a share of the pot and a cap, as 0.05 3"
            )
        if any(numbers[2:]):
            self.settings.leave_out("rake", setting=f"set_rake {rest[:_SHOWN]}")
            return
        for key in ("rake", "rake_cap"):
            self.settings.keys.pop(key, None)
        if share:
            self.settings.keys["rake"] = float(share)
            if len(numbers) > 1 and numbers[1] is not None:
                self.settings.keys["rake_cap"] = float(numbers[1])


def _word(line: str) -> str:
    """The command of a line, in lower case; its first word where it is no command."""
    match = _COMMAND.fullmatch(line)
    return (line.split(maxsplit=1)[0] if match is None else match[1]).lower()


def _range_of(seat: str) -> Callable[[Script, int, str], None]:
    return lambda script, _number, rest: script.settings.read_range(seat, rest)


def _stack_of(word: str) -> Callable[[Script, int, str], None]:
    return lambda script, number, rest: script.take_stack(number, rest, word)


_TAKEN: Final[dict[str, Callable[[Script, int, str], None]]] = {
    "set_pot": Script.take_pot,
    "set_effective_stack": _stack_of("set_effective_stack"),
    "set_eff_stack": _stack_of("set_eff_stack"),
    "set_board": Script.take_board,
    "set_range": Script.take_range,
    "set_range_oop": _range_of("oop"),
    "set_range_ip": _range_of("ip"),
    "set_bet_sizes": Script.take_sizes,
    "set_allin_threshold": Script.take_threshold,
    "set_raise_limit": Script.take_raise_limit,
    "set_rake": Script.take_rake,
    "add_line": Script.take_line,
}


def upi_text(spot: Spot) -> str:
    """A spot as a script of PioSOLVER, which names all lines and ends by building the tree.

    Args:
        spot: The spot.

    Returns:
        The text of the file.

    Raises:
        ConfigError: The spot has what such a file cannot say, or too many lines.
    """
    refuse_keys(
        spot,
        _SCRIPT,
        ("add_all_in", "all_in_without_sizes", "merge", "raise_cap", "min_bet", "added_lines",
         "removed_lines", "rake", "rake_cap"),
    )  # fmt: skip
    refuse_units(spot, _SCRIPT)
    check_rake(spot, _SCRIPT)
    lines = [
        f"set_range OOP {spot.oop.to('raw')}",
        f"set_range IP {spot.ip.to('raw')}",
        f"set_board {spot.board}",
        f"set_eff_stack {spot.stack}",
        f"set_pot 0 0 {spot.pot}",
        *_rake_lines(spot),
        "clear_lines",
        *(f"add_line {line}" for line in upi_lines(spot.rules())),
        "build_tree",
    ]
    return "\n".join(lines) + "\n"


def _rake_lines(spot: Spot) -> list[str]:
    """The command for rake, if there is any."""
    if not spot.rake:
        return []
    return [f"set_rake {decimal_text(Fraction(repr(spot.rake)))} {spot.rake_cap:g}"]


def texas_text(spot: Spot) -> str:
    """A spot as console input of TexasSolver, which ends by building the tree.

    Args:
        spot: The spot.

    Returns:
        The text of the file.

    Raises:
        ConfigError: The spot has what such a file cannot say.
    """
    pot, stack = Fraction(str(spot.pot)), Fraction(str(spot.stack))
    always = 0 < stack <= Fraction(repr(spot.add_all_in)) * pot and not spot.all_in_without_sizes
    refuse_keys(spot, _INPUT, ("raise_cap", *(("add_all_in",) if always else ())))
    refuse_units(spot, _INPUT)
    lines = [
        f"set_pot {spot.pot}",
        f"set_effective_stack {spot.stack}",
        f"set_board {card_names(spot.cards, ',')}",
        f"set_range_oop {hand_by_hand(spot.oop)}",
        f"set_range_ip {hand_by_hand(spot.ip)}",
    ]
    lists = lists_of(spot)
    if always:  # all-in is within the limit at the root, and so everywhere
        lists = {
            key: (*sizes, AllIn()) if sizes and AllIn() not in sizes else sizes
            for key, sizes in lists.items()
        }
    for seat in SEATS:
        for street in range(spot.first_street, len(STREETS)):
            named = {
                word: lists.get((seat, kind, street), lists[seat, "bets", street])
                for word, kind in _KINDS.items()
                if kind != "donks" or (seat == "oop" and street > spot.first_street)
            }
            lines += _street_lines(seat, STREETS[street], named)
    threshold = committing_text(
        spot, (committing_chips(spot) + pot / 2) / stack, lambda number: number * stack - pot / 2
    )
    if spot.raise_cap is not None:
        lines.append(f"set_raise_limit {spot.raise_cap}")
    lines += [f"set_allin_threshold {threshold}", "build_tree"]
    return "\n".join(lines) + "\n"


def _street_lines(seat: str, street: str, lists: Mapping[str, Sizes]) -> list[str]:
    """The commands for a player's lists on a street."""
    has_all_in = {AllIn() in sizes for sizes in lists.values()}
    if len(has_all_in) > 1:
        raise ConfigError(
            f"{TEXAS} has all-in in all lists of a player on a street or in none, and {seat} has "
            f"it in some on the {street}",
            option="sizes",
            given="a",
            remedy="give a to bets and raises, or to neither",
        )
    lines = []
    for word, sizes in lists.items():
        shares = [size for size in sizes if size != AllIn()]
        texts = [percent(size) for size in shares]
        for size, text in zip(shares, texts, strict=True):
            if text is None:
                raise bad_size(size, _INPUT)
        if shares:
            lines.append(f"set_bet_sizes {seat},{street},{word},{','.join(map(str, texts))}")
    if True in has_all_in:
        lines.append(f"set_bet_sizes {seat},{street},allin")
    return lines
