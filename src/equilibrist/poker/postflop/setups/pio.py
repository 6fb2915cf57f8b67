"""Tree configurations of PioSOLVER: lines `#Key#Value`, and the commands that may follow them.

| key | of a spot |
|---|---|
| `Range0`, `Range1`, `Board`, `Pot`, `EffectiveStacks` | `oop`, `ip`, `board`, `pot`, `stack` |
| `FlopConfig.BetSize`, `.RaiseSize`, `.DonkBetSize`, ... | sizes out of position |
| `FlopConfigIP.BetSize`, ... | sizes in position |
| `FlopConfig.AddAllin`, `AddAllinOnlyIfLessThanThisTimesThePot` | `add_all_in`, or sizes `a` |
| `AllinThreshold` | `force_all_in`: the chips since the root, as a percentage of the stack |
| `MinimumBetsize`, `MergeSimilarBets`, `Rake.Fraction`, `Rake.Cap` | `min_bet`, `merge`, `rake` |

An empty list of donk bets means that there are none; the first street has ordinary bets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from equilibrist.errors import FileFormatError, UnknownNameError
from equilibrist.poker.betting.bet_sizes import (
    AllIn,
    BetSize,
    Chips,
    Geometric,
    Multiple,
    PotShare,
    Sizes,
)
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.postflop.setups.expressing import (
    bad_size,
    check_rake,
    hand_by_hand,
    lists_of,
    refuse_keys,
    refuse_units,
)
from equilibrist.poker.postflop.setups.scripts import Script, is_command
from equilibrist.poker.postflop.setups.set_up import (
    LIST_KINDS,
    ListKey,
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
from equilibrist.poker.postflop.spot.spot import Spot

_FORM: Final = "a tree configuration of PioSOLVER"
PROGRAM: Final = "PioSOLVER"
_LINE: Final = re.compile(r"#([A-Za-z][\w.]*)#(.*)", re.DOTALL)
_SPACED_LINE: Final = re.compile(r"#\s*([A-Za-z][\w. \t]*)#(.*)", re.DOTALL)
"""With blanks around the key or in it, as remarks have them, too."""
_CONFIG: Final = re.compile(
    r"(flop|turn|river)config(ip)?\.(betsize|raisesize|donkbetsize|addallin|dont3bet)"
)
_STREETS: Final = {"flop": 0, "turn": 1, "river": 2}
_PREFLOP: Final = re.compile(r"\s*#Preflop", re.IGNORECASE)
_NEEDED: Final = ("Range0", "Range1", "Board", "Pot", "EffectiveStacks")
"""Keys that every spot needs."""
_PLAIN: Final = frozenset(
    ("type", "treebuilding", "capmode", "cap", "capenabled", "capperstreet",
     "useunifiedbetafterraise", "unifiedbetafterraise", "useunifiedraiseafterraise",
     "unifiedraiseafterraise", "rake.enabled", "rake.cap", "rake.fraction", "mergesimilarbets",
     "mergesimilarbetsthreshold", "allinthreshold", "addallinonlyiflessthanthistimesthepot",
     "minimumbetsize")
)  # fmt: skip
"""Keys that are read together with others, after all lines."""
_WITHOUT_EFFECT: Final = frozenset(("", "false", "nolimit", "v2", "v1", "0"))
"""Values of other keys that say nothing."""
_USUAL_LIMITS: Final = (500, 1000, 400, 300, 250, 200, 150, 100)
"""Percentages of the pot to which all-ins are usually limited."""
_SHOWN: Final = 40
"""Characters of a value that are shown in a note."""


def read_pio(text: str, file: Path, changes: Mapping[str, Any]) -> SetUp:
    """Read a tree configuration of PioSOLVER as a spot.

    Args:
        text: The text of the file.
        file: The file, for errors.
        changes: Keys of the spot that override those of the file.

    Returns:
        The spot, and what it lacks.

    Raises:
        FileFormatError: A line cannot be read; the error has its number and key.
        ConfigError: A value is invalid or missing, and so are NotationErrors.
    """
    return _Config(file).read(text).finished(changes)


class _Config:
    """A configuration that is being read."""

    def __init__(self, file: Path) -> None:
        self.settings = Settings(file, PROGRAM)
        self.file = file
        self.values: dict[str, tuple[int, str, str]] = {}
        """Line, key as written, and value of each key in lower case."""

    def read(self, text: str) -> Settings:
        """Read all lines."""
        commands = []
        for number, line in enumerate(text.splitlines(), 1):
            written = line.strip()
            setting = _setting(written)
            if setting is not None:
                self._add(number, *setting)
            elif _PREFLOP.match(written):
                raise self._from_before_the_flop(number, written)
            elif is_command(written):
                commands.append((number, written))
            elif written and not self._is_comment(written):
                raise FileFormatError(
                    f"{self.file}, line {number}: {written[:_SHOWN]!r} is no setting",
                    self.file,
                    option="line",
                    given=written[:_SHOWN],
                    expected="#Key#Value",
                    place=f"{self.file}, line {number}",
                    remedy="write #Key#Value, such as #Pot#60",
                )
        self._refuse_misspelt()
        for key, (number, name, value) in self.values.items():
            with at_setting(self.file, number, f"#{name}#"):
                self._take(key, number, name, value)
        self._take_together()
        if commands:
            script = Script(self.settings)
            for number, command in commands:
                script.run(number, command)
            script.finish()
        return self.settings

    def _from_before_the_flop(self, number: int, setting: str) -> FileFormatError:
        return FileFormatError(
            f"{self.file} is a tree from before the flop, and a spot begins on the flop, "
            "the turn or the river",
            self.file,
            option=setting[:_SHOWN],
            place=f"{self.file}, line {number}",
            remedy="use `equilibrist preflop solve` with a hand file",
        )

    def _refuse_misspelt(self) -> None:
        """Refuse trees from before the flop, and a key much like one that the file lacks."""
        for key, (number, name, value) in self.values.items():
            is_set = value.lower() not in _WITHOUT_EFFECT
            if key.startswith("preflop") and is_set and not self.values.get("board", ("",))[-1]:
                raise self._from_before_the_flop(number, f"#{name}#")
        lacking = {key.lower(): key for key in _NEEDED if key.lower() not in self.values}
        for key, (number, name, _) in self.values.items():
            if not _is_known(key) and get_close_matches(key, lacking, n=1, cutoff=0.75):
                with at_setting(self.file, number, f"#{name}#"):
                    raise UnknownNameError("key", name, [*lacking.values()])

    def _is_comment(self, written: str) -> bool:
        """Whether a line is a comment, and no setting that lacks its second sign."""
        if not written.startswith("#"):
            return False
        word = re.match(r"#\s*([A-Za-z][\w.]*)", written)
        return word is None or not _is_known(word[1].lower())

    def _add(self, number: int, name: str, value: str) -> None:
        key = name.lower()
        if key in self.values:
            earlier = self.values[key][0]
            raise FileFormatError(
                f"{self.file}, line {number}: #{name}# was given on line {earlier} before",
                self.file,
                option=f"#{name}#",
                given=value,
                place=f"{self.file}, line {number}, #{name}#",
                remedy="remove one of the two lines",
            )
        self.values[key] = (number, name, value)

    def _take(self, key: str, number: int, name: str, value: str) -> None:
        """Take a setting that needs no other."""
        settings = self.settings
        if key in ("range0", "range1"):
            settings.read_range("oop" if key == "range0" else "ip", value)
        elif key == "board":
            settings.read_board(value)
        elif key in ("pot", "effectivestacks"):
            settings.read_chips("pot" if key == "pot" else "stack", value)
        elif (config := _CONFIG.fullmatch(key)) is not None:
            self._take_config(config, number, name, value)
        elif key not in _PLAIN and value.lower() not in _WITHOUT_EFFECT:
            if key.startswith("icm.") and not self._is_on("icm.enabled"):
                return
            if key == "icm.enabled":
                settings.leave_out("prizes")
            elif not key.startswith("icm."):
                settings.leave_out("setting", setting=f"#{name}#{value[:_SHOWN]}")

    def _take_config(self, config: re.Match[str], number: int, name: str, value: str) -> None:
        street, seat, what = _STREETS[config[1]], "ip" if config[2] else "oop", config[3]
        lists = self.settings.lists
        if what == "addallin":
            if self._truth(number, name, value):
                self.settings.all_in.add((seat, street))
        elif what == "dont3bet":
            if self._truth(number, name, value):
                self.settings.leave_out("setting", setting=f"#{name}#{value}")
        elif what == "donkbetsize" and (seat == "ip" or street == 0):
            if value:
                self.settings.leave_out("setting", setting=f"#{name}#{value[:_SHOWN]}")
        elif what == "donkbetsize":
            lists[seat, "donks", street] = read_sizes(value, raises=False)
        elif what == "betsize":
            lists[seat, "bets", street] = read_sizes(value, raises=False)
        else:
            lists[seat, "raises", street] = read_sizes(value, raises=True)

    def _take_together(self) -> None:
        """Take the settings that depend on others."""
        settings = self.settings
        for street in (1, 2):  # no donk bets unless there are sizes of them
            settings.lists.setdefault(("oop", "donks", street), ())
        threshold = self._number("allinthreshold")
        if threshold is not None and threshold < 100:
            settings.commits = lambda _pot, stack: stack * threshold / 100
        pots = self._number("addallinonlyiflessthanthistimesthepot")
        settings.all_in_limit = None if pots is None else pots / 100
        least = self._number("minimumbetsize")
        if least:
            with at_setting(self.file, self.values["minimumbetsize"][0], "#MinimumBetsize#"):
                settings.read_chips("min_bet", decimal_text(least))
        merge = self._number("mergesimilarbetsthreshold")
        if merge and self._is_on("mergesimilarbets"):
            settings.keys["merge"] = float(merge / 100)
        self._take_rake()
        for switch, what in (
            ("capenabled", ("cap", "capperstreet")),
            ("useunifiedbetafterraise", ("unifiedbetafterraise",)),
            ("useunifiedraiseafterraise", ("unifiedraiseafterraise",)),
        ):
            if not self._is_on(switch):
                continue
            for key in what:
                if key in self.values and self.values[key][2]:
                    settings.leave_out(
                        "raise-cap" if key == "cap" else "setting",
                        key="raise_cap" if switch == "capenabled" else "",
                        setting=self._as_written(key),
                    )
        for key, usual in (("capmode", "nolimit"), ("type", "nolimit")):
            if key in self.values and self.values[key][2].lower() not in ("", usual):
                settings.leave_out("setting", setting=self._as_written(key))

    def _as_written(self, key: str) -> str:
        """The line of a key, with the beginning of its value."""
        _, name, value = self.values[key]
        return f"#{name}#{value[:_SHOWN]}"

    def _take_rake(self) -> None:
        share, most = self._number("rake.fraction"), self._number("rake.cap")
        if not share or ("rake.enabled" in self.values and not self._is_on("rake.enabled")):
            return
        number, name, value = self.values["rake.fraction"]
        if share > 1:
            raise bad_setting(self.file, number, f"#{name}#", value, "a fraction from 0 to 1")
        self.settings.keys["rake"] = float(share)
        if most is not None:
            self.settings.keys["rake_cap"] = float(most)

    def _number(self, key: str) -> Fraction | None:
        """The number of a key; None where it has no value."""
        if key not in self.values or not self.values[key][2]:
            return None
        line, name, value = self.values[key]
        number = read_number(value)
        if number is None:
            raise bad_setting(self.file, line, f"#{name}#", value, "a number")
        return number

    def _is_on(self, key: str) -> bool:
        return key in self.values and self._truth(*self.values[key])

    def _truth(self, number: int, name: str, value: str) -> bool:
        if value.lower() in ("true", "1", "yes"):
            return True
        if value.lower() in ("false", "0", "no", ""):
            return False
        raise bad_setting(self.file, number, f"#{name}#", value, "True or False")


def _setting(line: str) -> tuple[str, str] | None:
    """Key and value of a line; None for a line that is no setting."""
    match = _LINE.fullmatch(line)
    if match is None:
        match = _SPACED_LINE.fullmatch(line)
        if match is None or not _is_known(re.sub(r"\s", "", match[1]).lower()):
            return None
    return re.sub(r"\s", "", match[1]), match[2].strip()


def _is_known(key: str) -> bool:
    known = {*map(str.lower, _NEEDED), *_PLAIN}
    return key in known or _CONFIG.fullmatch(key) is not None


def pio_text(spot: Spot) -> str:
    """A spot as a tree configuration of PioSOLVER.

    Args:
        spot: The spot.

    Returns:
        The text of the file.

    Raises:
        ConfigError: The spot has what such a file cannot say.
    """
    said = ("add_all_in", "merge", "min_bet", "rake", "rake_cap")
    refuse_keys(spot, _FORM, (*said, "removed_lines"))
    refuse_units(spot, _FORM)
    check_rake(spot, _FORM)
    lists = lists_of(spot)
    if spot.removed_lines:
        for flags, rest, pots in _limited_all_ins(spot, lists):
            text = _written(spot, rest, flags, pots)
            found = read_pio(text, Path(PROGRAM), {}).spot
            is_same = all(_menus(found, seat) == _menus(spot, seat) for seat in (0, 1))
            if is_same and sorted(found.removed_lines) == sorted(spot.removed_lines):
                return text
        refuse_keys(spot, _FORM, said)
    if not spot.add_all_in:
        return _written(spot, lists, set(), None)
    pots = 100 * Fraction(repr(spot.add_all_in))
    return _written(spot, lists, {(seat, street) for seat, _, street in lists}, pots)


def _menus(spot: Spot, seat: int) -> list[tuple[set[BetSize], ...]]:
    """The sizes of a player, street by street, whatever their order."""
    menus = spot.rules().menus[seat][spot.first_street :]
    return [(set(menu.bets), set(menu.raises), set(menu.donks or menu.bets)) for menu in menus]


def _limited_all_ins(
    spot: Spot, lists: dict[ListKey, Sizes]
) -> Iterator[tuple[set[tuple[str, int]], dict[ListKey, Sizes], Fraction]]:
    """Flags and limits of all-ins by which the removed lines may be those above a limit.

    A tree whose flags differ by street becomes a spot with such lines.
    """
    flags = set()
    for seat, street in {(seat, street) for seat, _, street in lists}:
        own = [lists.get((seat, kind, street), ()) for kind in LIST_KINDS]
        if any(own) and all(AllIn() in sizes for sizes in own if sizes):
            flags.add((seat, street))
    rest = {
        key: tuple(size for size in sizes if size != AllIn()) or sizes
        if (key[0], key[2]) in flags
        else sizes
        for key, sizes in lists.items()
    }
    rules = spot.rules()
    least = min(_pots_of_all_in(rules, line) for line in spot.removed_lines)
    for pots in (*_USUAL_LIMITS, -(-100 * least // 1) - 1):
        if pots < 100 * least:
            yield flags, rest, Fraction(pots)


def _pots_of_all_in(rules: BettingRules, line: str) -> Fraction:
    """How many pots an all-in is where a line takes its last action."""
    *_, last = rules.walk(line)
    bet = max(last.state.bets)
    return Fraction(rules.all_in(last.state) - bet, last.state.pot + 2 * bet)


def _written(
    spot: Spot,
    lists: dict[ListKey, Sizes],
    flags: set[tuple[str, int]],
    pots: Fraction | None,
) -> str:
    """The text of a configuration.

    Args:
        spot: The spot.
        lists: Its lists of sizes.
        flags: Whose lists get an all-in on which street.
        pots: The largest of these all-ins, as a percentage of the pot; None for no limit.
    """
    stack = Fraction(str(spot.stack))
    threshold = committing_text(
        spot,
        100 * max(committing_chips(spot), Fraction(0)) / stack,
        lambda number: number * stack / 100,
    )
    lines = [
        "#TreeBuilding#V2",
        f"#Range0#{hand_by_hand(spot.oop)}",
        f"#Range1#{hand_by_hand(spot.ip)}",
        f"#Board#{card_names(spot.cards, ' ')}",
        f"#Pot#{spot.pot}",
        f"#EffectiveStacks#{spot.stack}",
        f"#AllinThreshold#{threshold}",
    ]
    if pots is not None:
        lines.append(f"#AddAllinOnlyIfLessThanThisTimesThePot#{decimal_text(pots)}")
    lines.append(f"#MinimumBetsize#{spot.min_bet}")
    if spot.merge:
        lines += [
            "#MergeSimilarBets#True",
            f"#MergeSimilarBetsThreshold#{decimal_text(100 * Fraction(repr(spot.merge)))}",
        ]
    for seat, suffix in (("oop", ""), ("ip", "IP")):
        for name, street in _STREETS.items():
            config = f"#{name.capitalize()}Config{suffix}"
            lines += [
                f"{config}.BetSize#{_sizes(lists[seat, 'bets', street])}",
                f"{config}.RaiseSize#{_sizes(lists[seat, 'raises', street])}",
                f"{config}.AddAllin#{(seat, street) in flags}",
            ]
            if seat == "oop":
                donks = lists.get(("oop", "donks", street), lists["oop", "bets", street])
                is_first = street <= spot.first_street
                lines.append(f"{config}.DonkBetSize#{'' if is_first else _sizes(donks)}")
    if spot.rake:
        lines += [
            f"#Rake.Fraction#{decimal_text(Fraction(repr(spot.rake)))}",
            f"#Rake.Cap#{spot.rake_cap:g}",
            "#Rake.Enabled#True",
        ]
    return "\n".join(lines) + "\n"


def _sizes(sizes: Sizes) -> str:
    return ", ".join(map(_size, sizes))


def _size(size: BetSize) -> str:
    if isinstance(size, PotShare):
        return str(percent(size))
    if isinstance(size, Multiple | Chips | AllIn) or (
        isinstance(size, Geometric) and size.most is None
    ):
        return str(size)
    raise bad_size(size, _FORM)
