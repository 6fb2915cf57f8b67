"""The form in which a spot is set up: a text for each field, and the spot that it describes.

A form is a table of plain values, so that it can be kept as JSON while it is being filled in. Sizes
have a field for each street; everything else is called as in a spot file.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from equilibrist.errors import EquilibristError
from equilibrist.options.option import Kind
from equilibrist.poker.postflop.spot.fields import NEEDED_KEYS, RUN_OPTIONS, SEATS, SPOT_OPTIONS
from equilibrist.web.api.bounds import bounded, check_texts
from equilibrist.web.api.orders import OPTIONS_OF_THREE, check_spot_options, read_options

if TYPE_CHECKING:
    from collections.abc import Container

    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.poker.postflop.spot.validation import BettingWarning
    from equilibrist.poker.three_players.spot import ThreeSpot

STREETS: Final = ("flop", "turn", "river")
SIZES: Final = ("oop_bets", "oop_raises", "donks", "ip_bets", "ip_raises")
"""Lists of sizes, which have a field for each street."""


def _keys_of(kinds: tuple[Kind, ...], metavar: str = "") -> tuple[str, ...]:
    """The keys of a spot whose options are of these kinds and have this placeholder."""
    return tuple(
        name for name, o in SPOT_OPTIONS.items() if o.kind in kinds and o.metavar == metavar
    )


_LISTS: Final = {**{name: name for name in SIZES}, "bets": "oop_bets", "raises": "oop_raises"}
"""The fields of lists of sizes, by the keys of spots."""
AMOUNTS: Final = _keys_of(("chips", "amount"))
"""Chips."""
COUNTS: Final = _keys_of(("chips",), "N")
SHARES: Final = _keys_of(("text",), "SHARE")
"""Shares of the pot, in percent."""
SWITCHES: Final = _keys_of(("switch",))
DECKS: Final = _keys_of(("text",), "DECK")
LINES: Final = _keys_of(("texts",), "LINE")
FOLDED: Final = _keys_of(("texts",), "RANGE")
"""Lists of ranges, in one text with semicolons between them."""
RUN: Final = (
    "target", "iterations", "seconds", "algorithm", "storage", "tremble", "quantal", "threads",
)  # fmt: skip
PLAYERS: Final = "players"
"""The field that says how many players a spot has."""
SEATS_OF_THREE: Final = ("oop", "middle", "ip")
"""The ranges of three players, in the order of acting."""
STACKS: Final = tuple(f"stack_{seat}" for seat in SEATS_OF_THREE)
"""The stacks of three players."""
_TWO, _THREE = "2", "3"
Form = dict[str, Any]

_EXAMPLE: Final = """
board = "Td9d6hQc"
oop = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
ip = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
pot = 200
stack = 900
bets = "33%, 75%"
raises = "2.5x"
add_all_in = "150%"
force_all_in = "15%"
merge = "10%"
"""
_EXAMPLE_OF_THREE: Final = """
board = "Qs9h5d3cJs"
oop = "22+,A2s+,K9s+,QTs+,JTs,T9s,98s,ATo+,KQo"
middle = "22+,A2s+,K8s+,Q9s+,J9s+,T8s+,97s+,A9o+,KTo+,QJo"
ip = "22+,A2s+,K7s+,Q9s+,J9s+,T8s+,98s,A8o+,KTo+,QTo+"
pot = 60
stack = 240
bets = "33%, 75%, a"
raises = "a"
"""
TARGET: Final = "0.3%"


class Fault(NamedTuple):
    """What is wrong with a field.

    Attributes:
        text: A sentence.
        kind: The class of the error.
        option: What was wrong, as errors name it.
        given: What it was.
        expected: What it may be.
        position: The character at which a text cannot be read, from 0; None where none is known.
    """

    text: str
    kind: str
    option: str | None = None
    given: object = None
    expected: object = None
    position: int | None = None


Faults = dict[str, Fault]


@dataclass(frozen=True)
class Checked:
    """What a form describes.

    Attributes:
        spot: The spot, if all is right.
        faults: What is wrong, by field; "" is the spot as a whole.
        warnings: What in the sizes may not be meant.
        first_street: 0, 1 or 2; None without a board.
    """

    spot: Spot | ThreeSpot | None
    faults: Faults = field(default_factory=dict)
    warnings: tuple[BettingWarning, ...] = ()
    first_street: int | None = None

    @property
    def errors(self) -> dict[str, str]:
        """Sentences on what is wrong, by field."""
        return {name: fault.text for name, fault in self.faults.items()}


def blank_form() -> Form:
    """A form with nothing in it."""
    names = ["board", *SEATS_OF_THREE, *STACKS, *AMOUNTS, *SHARES, *COUNTS, *DECKS, *FOLDED, *RUN]
    names += [f"{name}_{street}" for name in SIZES for street in STREETS]
    texts: Form = dict.fromkeys(names, "")
    switches = dict.fromkeys(SWITCHES, False)
    lists: Form = {name: [] for name in (*LINES, "locks")}
    started = {"target": TARGET, "storage": "float32", PLAYERS: _TWO}
    return {**texts, **switches, **lists, **started}


def is_of_three(form: Form) -> bool:
    """Whether a form is that of a spot of three players."""
    return bool(form[PLAYERS] == _THREE)


def fields_of_three() -> list[str]:
    """The fields that spots of three players have."""
    from equilibrist.poker.three_players.spot import ThreeSpot

    keys = (*AMOUNTS, *SHARES, *COUNTS, *DECKS, *FOLDED, *SWITCHES, *LINES, "locks")
    lists = [_LISTS[key] for key in ("bets", "raises") if key in ThreeSpot.model_fields]
    return [
        *("board", *SEATS_OF_THREE, *STACKS),
        *(key for key in keys if key in ThreeSpot.model_fields and key != "stack"),
        *(f"{name}_{street}" for name in lists for street in STREETS),
        *OPTIONS_OF_THREE,
    ]


def example_form(players: str = _TWO) -> Form:
    """A form with an example in it, which is solved in seconds."""
    from equilibrist.poker.three_players.spot import any_spot_from_text

    return form_of(any_spot_from_text(_EXAMPLE_OF_THREE if players == _THREE else _EXAMPLE))


def form_of(spot: Spot | ThreeSpot, options: dict[str, str] | None = None) -> Form:
    """The form that describes a spot, and the options of its run."""
    from equilibrist.poker.postflop.spot.value_unit import refuse_prizes

    refuse_prizes(spot, "the browser")
    keys = spot.model_dump(exclude_defaults=True)
    form = blank_form()
    if "middle" in keys:
        form |= {PLAYERS: _THREE, "middle": str(keys.pop("middle"))}
        stacks = keys.pop("stacks", None) or (keys["stack"],) * len(STACKS)
        form |= {name: f"{stack}" for name, stack in zip(STACKS, stacks, strict=True)}
    for name in ("board", *SEATS):
        form[name] = str(keys[name])
    for name in (*AMOUNTS, *COUNTS):
        form[name] = "" if keys.get(name) is None else f"{keys[name]}"
    for name in SHARES:
        form[name] = "" if name not in keys else f"{100 * keys[name]:.10g}%"
    form |= {name: str(keys.get(name, "")) for name in DECKS}
    for name in SIZES:
        common = name.rpartition("_")[2]
        text = keys[name] if keys.get(name) is not None else keys.get(common, "")
        for street, part in zip(STREETS, _by_street(text), strict=True):
            form[f"{name}_{street}"] = part
    form |= {name: getattr(spot, name, False) for name in SWITCHES}
    form |= {name: list(getattr(spot, name, ())) for name in LINES}
    form |= {name: "; ".join(map(str, getattr(spot, name, ()))) for name in FOLDED}
    form["locks"] = [lock.to_dict() for lock in getattr(spot, "locks", ())]
    if options is not None:
        form |= {name: str(options.get(name) or "") for name in RUN}
        form["storage"] = form["storage"] or "float32"
    return form


def run_options(form: Form) -> dict[str, str]:
    """The options of the run, those that are given."""
    names = OPTIONS_OF_THREE if is_of_three(form) else RUN
    return {name: form[name].strip() for name in names if str(form.get(name) or "").strip()}


def check_form(form: Form) -> Checked:
    """Read a form. Takes a while for large spots; belongs in a thread."""
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.poker.postflop.spot.validation import betting_warnings
    from equilibrist.poker.three_players.spot import ThreeSpot

    errors: Faults = {}
    has_three = is_of_three(form)
    first = _first_street(form, errors)
    known = (ThreeSpot if has_three else Spot).model_fields
    keys = _keys(form, first or 0, errors, known)
    _check_options(form, errors)
    spot: Spot | ThreeSpot | None = None
    warnings: tuple[BettingWarning, ...] = ()
    if not set(errors) - set(RUN):
        try:
            check_texts(keys)
            if has_three:
                spot = ThreeSpot(**keys)
            else:
                spot = bounded(Spot(**keys))
                warnings = betting_warnings(spot.betting)
        except EquilibristError as error:
            spot = None
            field_name = _field_of(error, first)
            is_stack = has_three and field_name == "stack"
            errors[STACKS[0] if is_stack else field_name] = fault_of(error)
    return Checked(spot, errors, warnings, first)


def _first_street(form: Form, errors: Faults) -> int | None:
    from equilibrist.poker.postflop.spot.reading import read_board

    try:
        return len(read_board(form["board"])) // 2 - 3
    except EquilibristError as error:
        errors["board"] = fault_of(error)
        return None


def _keys(form: Form, first: int, errors: Faults, known: Container[str]) -> dict[str, Any]:
    """The keys of the spot, of those that are known; notes what cannot be read."""
    keys: dict[str, Any] = {"board": form["board"]}
    for name in SEATS_OF_THREE:
        keys[name] = _read(name, form[name], _range, errors) if name in known else None
    if is_of_three(form):
        stacks = [_read(name, form[name], _stack, errors) for name in STACKS]
        is_alike = len(set(stacks)) == 1 and bool(stacks[0])
        keys |= {"stack": stacks[0]} if is_alike else {"stacks": tuple(stacks)}
    for names, reader in ((AMOUNTS, _chips), (SHARES, _share), (COUNTS, _count)):
        for name in names:
            if name not in known or (name == "stack" and is_of_three(form)):
                continue
            if form[name].strip() or name in NEEDED_KEYS:
                keys[name] = _read(name, form[name], reader(name), errors)
    for name in SIZES:
        if name in known or name.removeprefix("oop_") in known:
            keys[name] = _sizes(form, name, first, errors)
    for kind in ("bets", "raises"):
        if keys[f"oop_{kind}"] == keys.get(f"ip_{kind}", keys[f"oop_{kind}"]):
            keys[kind] = keys.pop(f"oop_{kind}")
            keys.pop(f"ip_{kind}", None)
    keys |= {name: bool(form[name]) for name in SWITCHES}
    keys |= {name: form[name].strip() for name in DECKS if str(form.get(name) or "").strip()}
    for name in FOLDED:
        texts = str(form.get(name) or "").replace("\n", ";").split(";")
        if any(given := [text.strip() for text in texts if text.strip()]):
            keys[name] = given
    keys |= {name: list(form[name]) for name in (*LINES, "locks")}
    return {name: value for name, value in keys.items() if name in known}


def _sizes(form: Form, name: str, first: int, errors: Faults) -> str:
    """A list of sizes, by street where the streets differ; those before `first` have no effect."""
    from equilibrist.poker.betting.bet_size_parser import parse_donk_sizes, parse_street_sizes

    texts = []
    for street in STREETS[first:]:
        text = str(form.get(f"{name}_{street}", "")).strip()
        if name == "donks" and street == STREETS[first]:
            text = ""  # nobody has called yet
        try:
            check_texts({name: text})
            if name == "donks":
                parse_donk_sizes(text)
            else:
                parse_street_sizes(text, raises=name.endswith("raises"))
        except EquilibristError as error:
            errors[f"{name}_{street}"] = fault_of(error)
        if "|" in text:
            errors[f"{name}_{street}"] = Fault(
                "this field has the sizes of one street, without bars",
                kind="ConfigError",
                option=name,
                given=text,
                expected="the sizes of one street",
                position=text.index("|"),
            )
        texts.append(text)
    if not any(texts):
        return ""
    if len(set(texts)) == 1 and name != "donks":
        return texts[0]
    return "|".join([""] * first + texts)


def _by_street(text: str) -> list[str]:
    parts = [part.strip() for part in text.split("|")]
    return parts if len(parts) == len(STREETS) else [text.strip()] * len(STREETS)


def _check_options(form: Form, errors: Faults) -> None:
    """Note what is wrong with the options of the run, each for itself."""
    for name, text in run_options(form).items():
        try:
            check_spot_options(read_options({name: text}, RUN_OPTIONS))
        except EquilibristError as error:
            errors[name] = fault_of(error)


def _read(name: str, text: str, read: Any, errors: Faults) -> Any:
    try:
        return read(text.strip())
    except EquilibristError as error:
        fault = fault_of(error)
        if fault.position is not None and name in SEATS_OF_THREE:
            fault = fault._replace(text=f"{fault.text} (character {fault.position + 1})")
        errors[name] = fault
        return None


def _range(text: str) -> Any:
    from equilibrist.errors import ConfigError
    from equilibrist.web.ranges.documents import read_range

    if not text:
        raise ConfigError("the range has no hands", option="range")
    return read_range(text)


def _chips(name: str) -> Any:
    def read(text: str) -> float | None:
        from equilibrist.poker.betting.chips import read_chips
        from equilibrist.poker.postflop.spot.reading import read_amount

        exact = SPOT_OPTIONS[name].kind == "chips"  # others may have any decimals
        return read_amount(name, text) if exact else read_chips(name, text)

    return read


def _stack(text: str) -> float:
    """The chips of one of three players; 0 of one who is all-in."""
    from equilibrist.poker.betting.chips import read_chips

    return 0 if text == "0" else read_chips("stack", text)


def _share(name: str) -> Any:
    def read(text: str) -> float:
        from equilibrist.poker.postflop.spot.reading import read_pot_share

        return read_pot_share(name, text if "%" in text else f"{text}%")

    return read


def _count(name: str) -> Any:
    def read(text: str) -> int:
        from equilibrist.parsing.quantities import read_count

        return read_count(text, name, least=0)

    return read


def _field_of(error: EquilibristError, first: int | None) -> str:
    """The field that an error belongs to; of lists of sizes that of the `first` street."""
    place = str(getattr(error, "place", "") or "").partition(":")[0]
    for name in (*LINES, *FOLDED, "locks"):
        if name in (place, error.option) or str(error).startswith(name):
            return name
    option = str(error.option or "")
    if option in _LISTS and first is not None:
        street = first + (option == "donks" and first + 1 < len(STREETS))  # after a call
        return f"{_LISTS[option]}_{STREETS[street]}"
    known = ("board", *SEATS_OF_THREE, *AMOUNTS, *SHARES, *COUNTS, *DECKS, *SWITCHES)
    return option if option in known else ""


def fault_of(error: EquilibristError) -> Fault:
    """Describe an error at its field."""
    return Fault(
        text=_sentence(error),
        kind=type(error).__name__,
        option=error.option,
        given=getattr(error, "given", None),
        expected=getattr(error, "expected", None),
        position=getattr(error, "position", None),
    )


def _sentence(error: EquilibristError) -> str:
    """The first line of an error: further ones show the place, which the field shows, too."""
    sentence = str(error).splitlines()[0]
    for name in ("board", *SEATS_OF_THREE, *LINES, *FOLDED, "locks"):
        sentence = sentence.removeprefix(f"{name}: ")
    remedy = getattr(error, "remedy", None)
    return sentence if not remedy or remedy in sentence else f"{sentence}; {remedy}"


def lock_text(lock: dict[str, Any] | str) -> str:
    """A lock of a form in one line; as it is where it cannot be read."""
    from equilibrist.poker.postflop.spot.lock import as_lock

    try:
        return str(as_lock(lock))
    except EquilibristError:
        return str(lock)
