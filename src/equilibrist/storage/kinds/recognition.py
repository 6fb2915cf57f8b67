"""What kind a file is: by what it holds, else by its suffix.

The kinds that Equilibrist saves are archives (`storage.archive`), whose headers say what they are.
All others are recognised by their first bytes, and by their first lines where they are text.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, TypeGuard

from equilibrist.storage.kinds.file_kinds import (
    ARCHIVE_SUFFIXES,
    ARRAYS,
    BATCH,
    BATCH_SETTINGS,
    BINARY,
    BOARDS,
    BOT_MATCH,
    CSV,
    DOCUMENT,
    EMPTY,
    GAME,
    HAND,
    HAND_DECISIONS,
    HAND_LINES,
    HANDS,
    HISTORY,
    INCOMPLETE,
    JSON,
    MATCH_ACTIONS,
    MATCH_GAME,
    MATCH_LOG,
    MEASUREMENTS,
    NORMAL_FORM,
    PACKAGE,
    PAYOFFS,
    PHH,
    PICKLE,
    PICTURE,
    PIO,
    PRINTED,
    RANGES,
    REPORT,
    REVIEW,
    SCRIPT,
    SETUP,
    SPOT,
    SPOT_TREE,
    TABLE,
    TEXT,
    TOML,
)
from equilibrist.storage.plain_file import text_of
from equilibrist.storage.table_forms.documents import (
    begins_literal,
    cells_of,
    is_payoff_table,
    keyed_rows_of,
    named_tables_of,
    parsed_document,
    payoffs_of,
    records_of,
    row_of_pairs,
)
from equilibrist.storage.table_forms.lined import lined_rows
from equilibrist.storage.table_forms.matrices import MatrixFaultError, printed_matrices
from equilibrist.storage.table_forms.payoffs import is_payoff_text
from equilibrist.storage.table_forms.separated import is_strategy_table

_HEAD: Final = 4096
"""Bytes at the beginning of a file, which say what it is."""
_MOST_PARSED: Final = 20_000_000
"""Bytes of JSON that are parsed to see what it holds; larger files are taken for tables."""
_MAGIC: Final = (
    (b"PK\x03\x04", PACKAGE),
    (b"\x1f\x8b", PACKAGE),
    (b"BZh", PACKAGE),
    (b"7z\xbc\xaf", PACKAGE),
    (b"\xfd7zXZ", PACKAGE),
    (b"Rar!", PACKAGE),
    (b"\x28\xb5\x2f\xfd", PACKAGE),
    (b"\x04\x22\x4d\x18", PACKAGE),
    (b"\x89PNG", PICTURE),
    (b"\xff\xd8\xff", PICTURE),
    (b"GIF8", PICTURE),
    (b"II*\0", PICTURE),
    (b"MM\0*", PICTURE),
    (b"%PDF", DOCUMENT),
    (b"\xd0\xcf\x11\xe0", DOCUMENT),
    (b"SQLite format 3", DOCUMENT),
    (b"\x89HDF\r\n", DOCUMENT),
    (b"ARROW1", DOCUMENT),
    (b"\x93NUMPY", ARRAYS),
    (b"PAR1", TABLE),
    *((bytes([0x80, version]), PICKLE) for version in range(2, 6)),
)
_TAR: Final = slice(257, 262)
"""Where an archive of tar says what it is, behind the name of its first file."""
_OFFICE: Final = (".xlsx", ".xlsm", ".ods", ".odt", ".docx")
"""Documents that are zip files."""
_TORCH: Final = (".pt", ".pth", ".ckpt", ".bin")
"""Models of PyTorch, which are zip files with a pickle."""
_SITES: Final = (
    r"PokerStars|Poker Hand #|\*+ # \d+ \*+|\*{3,5} (?:\w+ )?Hand History|#Game No|Full Tilt Poker|"
    r"Winamax Poker|"
    r"(?:Ignition|Bovada|Bodog)\b[^\n]* Hand|Game Hand #|Game ID:|Stage #\d|Game #\d|Hand #\d|"
    r"888poker|Merge|iPoker|<session\b|(?:\[\s*)?\{\s*\"(?:spec_version|ohh)\""
)
_SCRIPT_WORDS: Final = (
    r"(?:(?:set|reset|add|remove|clear|build|load|free|start|dump|is)_[a-z_]+|stdoutredi)"
    r"(?=[ \t]|$)(?![ \t]*[=(:])"
)
_SCRIPT_SETTINGS: Final = (
    r"(?:set_(?:pot|effective_stack|eff_stack|board|range(?:_oop|_ip)?|bet_sizes|allin_threshold|"
    r"raise_limit|rake|thread_num|threads|max_iteration|accuracy|print_interval|use_isomorphism))"
    r"(?=[ \t]*[=:]|[ \t])"
)
"""Commands by which a script is recognised in any case, and with a sign before its value."""
_PIO_PREFLOP: Final = r"Preflop[A-Z]|(?i:preflop)\w*[.#]"
_PIO_KEYS: Final = (
    r"(?:range[01]|board|pot|effective[ \t]*stacks|tree[ \t]*building|type|"
    r"all[ \t]*in[ \t]*threshold|minimum[ \t]*bet[ \t]*size|rake[ \t]*\.[ \t]*\w+|"
    r"(?:flop|turn|river)[ \t]*config[ \t]*(?:ip)?[ \t]*\.[ \t]*[a-z03][a-z03 \t]*)"
)
"""Keys by which a configuration of PioSOLVER is recognised in any case and spacing."""
_XML: Final = r"(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE svg[^>]*>\s*)?(?:<!--.*?-->\s*)*"
_COMMENTS: Final = r"(?:#[^\n]*\n\s*)*"
_CARD: Final = r"(?:10|[2-9TJQKA])[cdhs\u2660\u2663\u2665\u2666]"
_BOARD: Final = rf"(?i:(?:{_CARD}){{3,5}}|{_CARD}(?:[ \t]+{_CARD}){{2,4}})"
"""Without a space between some of its cards alone, as hands of a range have."""
_BOARDS_HEADER: Final = r"(?i:(?:flop|board)(?:[,;:\s]+(?:weight|suits|ranks))*\s*\n\s*)"
_TEXT: Final = r'"(?:[^"\\]|\\.)*"'
_PRINTED: Final = (
    rf'\{{"game": {_TEXT}, "(?:team|concept|kind|file|first|select|method|abstraction|states)": ',
    rf'\{{"game": {_TEXT}, "actions": {_TEXT}, ',
    rf'\[?\{{"name": {_TEXT}, "(?:num_players|summary)": ',
    r'\{"(?:deck|range)": "[^"]*", "board": ',
    rf'\{{"(?:folder|file)": {_TEXT}, "(?:solutions|current|ranges|line|rows|kind|street)": ',
    r'\{"payouts": \[[^\]]*\], "prize_pool": ',
    rf'\{{"rule": {_TEXT}, "presets": ',
    r'\{"board": "[^"]*", "pot": [^,]*, "stack": [^,]*, "hands": \[',
    r'\{"board": "(?>.*?"eqr": \[[^\]]*\], )"(?!nodes")',
)
"""How documents begin that commands print with --json, but those that hold strategies."""
_BEGINNINGS: Final = (
    (r'\{\s*"format"\s*:\s*"equilibrist-hands"', HANDS),
    (r'\{\s*"format"\s*:\s*"equilibrist-histories"', HAND_LINES),
    (r'\{\s*"version"\s*:\s*\d+\s*,\s*"name"\s*:\s*"ranges"', RANGES),
    (r'\{\s*"version"\s*:\s*\d+\s*,\s*"name"\s*:\s*"configurations"', SETUP),
    (rf"(?:{'|'.join(_PRINTED)})", PRINTED),
    (r'\{"(?:line|board)": "(?![^{}]*\}\s*\Z)(?![^{}]*"locks":\s*\[\s*\{)', SPOT_TREE),
    (r"line,(?:street|board|player),", SPOT_TREE),
    (
        r"line,seat,hand,|stacks,seat,against,|(?![-+.\d]+\t)[^\t\n,;|]+\t[2-9TJQKA]{2}[so]?\+?[,:\n]",
        HAND_DECISIONS,
    ),
    (r'\{\s*"hand": "(?:[^"\\]|\\.)*",\s*"(?:buckets|flops|seats)":', HAND_DECISIONS),
    (r'\{\s*"game": \{\s*"stacks":', HAND_DECISIONS),
    (r'board,weight,line,|card,frequency,board,|\{"deals": [\d.e+-]+, "rows": \[', REPORT),
    (r'\{\s*"oop": "[^"]*",\s*"ip": "[^"]*",.*"lines": \[', BATCH_SETTINGS),
    (r'hand,player,position,street,|\{"hands": \d+, "players": \[', REVIEW),
    (r'algorithm,seed,run,iteration,|\{\s*"game": "[^"\n]*",\s*"measure":', MEASUREMENTS),
    (r'\{\s*"game": "[^"\n]*",\s*"actions": \[\s*\[', PAYOFFS),
    (r"NFG\s+\d", NORMAL_FORM),
    (r"EFG\s+\d", GAME),
    (rf"(?:{_SITES})", HISTORY),
    (r'\{"match": "(?:[^"\\]|\\.)*", "first": ', BOT_MATCH),
    (rf"{_COMMENTS}(?i:GAMEDEF)\s*$", MATCH_GAME),
    (rf"{_COMMENTS}(?:STATE:\d+:|SCORE:[^\n]*\|)", MATCH_LOG),
    (r"[fcr]\d* \d+ \d+\.\d{6} \d+\.\d{6}\s*$", MATCH_ACTIONS),
    (rf"{_COMMENTS}{_BOARDS_HEADER}?{_BOARD}\s*(?:[,;:#\d.]|$)", BOARDS),
    (rf"{_COMMENTS}#(?:[A-Z][A-Za-z0-9.]*#|{_PIO_PREFLOP}|[ \t]*(?i:{_PIO_KEYS})[ \t]*#)", PIO),
    (rf"(?:(?:#|//)[^\n]*\n\s*)*(?:(?i:{_SCRIPT_WORDS})|(?i:{_SCRIPT_SETTINGS}))", SCRIPT),
    (rf"{_XML}<svg\b|(?:strict\s+)?(?:di)?graph\s*\w*\s*{{", PICTURE),
    (r"<(?:!DOCTYPE|\?xml|html)", DOCUMENT),
    (r'\{\s*"(?:actions"\s*:\s*\[\s*"[^{]*\]\s*,\s*")?childrens"\s*:', DOCUMENT),
)
_STARTS: Final = tuple(
    (re.compile(rf"\s*{start}", re.DOTALL | re.MULTILINE), kind) for start, kind in _BEGINNINGS
)
_PHH_KEYS: Final = re.compile(
    r"^\s*(?:variant\s*=\s*[\"'].*^\s*(?:\w*antes|actions|players|starting_stacks|seats)\s*=|"
    r"(?:\w*antes|actions|players)\s*=.*^\s*variant\s*=\s*[\"'])",
    re.MULTILINE | re.DOTALL,
)
_BOARD_OF_HAND: Final = r"\s*[\"'](?:\d+(?:/\d+)*)?[\"']"
"""How many cards are dealt, as 3/1/1 or nothing, where a spot has the cards themselves."""
_HAND_KEYS: Final = re.compile(
    r"^\s*(?:seats|stacks|blinds|button_blind|ante|ante_kind|straddle|limit|fixed_bets|last_street|deck|suits|"
    rf"hole_cards|(?:first_)?short_all_in_reopens)\s*=|^\s*board\s*={_BOARD_OF_HAND}",
    re.MULTILINE,
)
_STACK_KEY: Final = re.compile(r"^\s*stack\s*=", re.MULTILINE)
"""What spots have as well, but besides cards, ranges and a pot."""
_FOREIGN_KEYS: Final = frozenset(("childrens", "node_type", "nbformat"))
"""What trees of TexasSolver and notebooks of Jupyter have at the top, in any order."""
_SETUP_KEYS: Final = frozenset(("oopRange", "ipRange", "startingPot", "effectiveStack"))
"""What a set-up of WASM Postflop or Desktop Postflop has, in any order."""
_SECTION: Final = re.compile(r"^\s*\[\[?(?!locks\b)[A-Za-z][\w.-]*\]\]?\s*(?:#.*)?$", re.MULTILINE)
"""A table of a TOML file that a spot does not have."""
_SPOT_KEYS: Final = re.compile(
    rf"^\s*(?:(?:oop|ip|pot)\s*=|board\s*=(?!{_BOARD_OF_HAND}))", re.MULTILINE
)
_RANGE: Final = re.compile(
    r"\s*(?:\[[\d.]+\]\s*|[\d.]+\s*[:%]\s*|#[^\n]*\n\s*|//[^\n]*\n\s*)*"
    r"(?:(?:[2-9TJQKA]|10)[cdhsx]?(?:[2-9TJQKAx]|10)[cdhsxo]?(?![A-Za-z])|"
    r"[\d.]+(?:\s+[\d.]+){9}|(?:top\s*)?[\d.]+\s*%|random\b)",
    re.IGNORECASE,
)
_HAND_NAME: Final = rf"(?:[2-9TJQKA]{{2}}[so]?|(?:{_CARD}){{2}})"
_HANDS: Final = re.compile(rf"{_HAND_NAME}(?:\+|-{_HAND_NAME})?", re.IGNORECASE)
"""A class of hands, a combo or a group, by which ranges in JSON list weights."""
_RANGE_WORDS: Final = frozenset(("hands", "hand", "range", "ranges", "weights", "combos", "data"))
"""Keys under which objects hold a range."""
_PAIR: Final = frozenset(("hand", "combo"))
"""What the first column of a table of hands and weights is called."""
_ALL_HANDS: Final = 1326
_LEAST_PERCENT: Final = 5
_MOST_PERCENT: Final = 100
"""The largest weight of a range in percent is between them."""
_CLASS: Final = re.compile(r"\s*([2-9TJQKA])([2-9TJQKA])([so]?)\s*", re.IGNORECASE)
_COMBOS: Final = {"s": 4, "o": 12, "": 16}
"""Combos of a class of two ranks."""
_WEIGHT_WORDS: Final = frozenset(
    ("weight", "weights", "frequency", "freq", "share", "probability", "value", "w")
)
"""Keys of the weight of a hand; numbers of combos are none, as larger classes have more of them."""
_WEIGHT: Final = re.compile(
    r"\s*+(?:[0-9]++(?:\.[0-9]++)?|\.[0-9]++)(?:e[-+]?[0-9]++)?\s*+%?\s*+", re.IGNORECASE
)
_PAYOFFS: Final = re.compile(r"^\s*payoffs\s*=\s*\[", re.MULTILINE)
"""What a TOML file has in which somebody writes a payoff table."""
_DIGIT: Final = re.compile(r"\d")
_BRACKET: Final = re.compile(r"[\[{]")
_SUFFIXES: Final = {
    ".py": GAME,
    ".efg": GAME,
    ".nfg": NORMAL_FORM,
    ".toml": SPOT,
    ".csv": CSV,
    ".parquet": TABLE,
    ".phh": PHH,
    ".phhs": PHH,
}
"""Kinds of texts that are not recognised by their beginning."""
_CONTROLS: Final = re.compile(r"[\0-\x08\x0e-\x1a]")
"""Characters that no text in an unknown encoding has."""


def sniffed_kind(path: Path) -> str | None:
    """The kind of an existing file or folder that is no archive, by what it holds.

    None where there is none, where it cannot be read, and for archives, whole or damaged.
    """
    head = _head(path)
    if head is None:
        return BATCH if os.path.isfile(path / "batch.json") else None  # noqa: PTH113 - no error
    suffix = path.suffix.lower()
    if head[8:9] == b"{" and head[5:8] == b"\0\0\0":  # safetensors: the length of an object, and it
        return None
    if not head.strip():
        return EMPTY
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            packed = _packed_kind(suffix) if kind == PACKAGE else kind
            return PAYOFFS if packed == ARRAYS and _holds_payoffs(path) else packed
    if head[_TAR] == b"ustar":
        return PACKAGE
    text = _text(head, suffix)
    if text is not None:
        return _kind_of_text(text, suffix, lambda: _whole_text(path))
    if suffix in ARCHIVE_SUFFIXES:
        return None
    return TABLE if suffix == ".parquet" else BINARY


def kind_of_columns(names: Sequence[str]) -> str | None:
    """The kind of a table with these columns, if its header alone says that it is no strategy."""
    header = f"{','.join(names)}\n"
    return next((kind for start, kind in _STARTS if start.match(header)), None)


def _head(path: Path) -> bytes | None:
    """The beginning of a file; None where there is no file, or it cannot be read."""
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return file.read(_HEAD)
    except (OSError, ValueError):
        return None


def _text(head: bytes, suffix: str) -> str | None:
    """The beginning of a file as text in whatever encoding; None if it is none."""
    for cut in range(4):  # the last character may be cut off
        with suppress(ValueError):
            text = text_of(head[: len(head) - cut])
            return None if "\0" in text and suffix not in _SUFFIXES else text
    text = head.decode("latin-1")
    return None if _CONTROLS.search(text) else text


def kind_of_text(text: str) -> str:
    """The kind of the file that a text is the content of, without a name.

    Args:
        text: The whole text.

    Returns:
        The kind; `TEXT` for what is none of the others.
    """
    return _kind_of_text(text[:_HEAD], "", lambda: text) if text.strip() else EMPTY


def _whole_text(path: Path) -> str | None:
    """The text of a file; None where it is larger than what is parsed to see what it holds."""
    return text_of(path.read_bytes()) if path.stat().st_size <= _MOST_PARSED else None


def _kind_of_text(text: str, suffix: str, whole: Callable[[], str | None]) -> str:
    """The kind of a text by its beginning, and by the whole where it begins like a literal."""
    for start, kind in _STARTS:
        if start.match(text):
            return kind
    if suffix in (".phh", ".phhs") or (suffix != ".py" and _PHH_KEYS.search(text)):
        return PHH
    may_be_literal = suffix != ".toml" or text.lstrip().startswith("{")  # not `stacks = [...]`
    may_be_literal = may_be_literal and (begins_literal(text) or suffix == ".py")
    if may_be_literal and (literal := _kind_of_literal(whole)) is not None:
        return literal
    if suffix == ".toml":
        is_spot, is_hand = _SPOT_KEYS.search(text), _HAND_KEYS.search(text)
        if not is_spot and not is_hand and _SECTION.search(text):
            return TOML
        if is_spot:
            return SPOT
        if not is_hand and _PAYOFFS.search(text):
            return PAYOFFS
        return HAND if is_hand or _STACK_KEY.search(text) else SPOT
    if is_strategy_table(text) or lined_rows(_whole_lines(text)) is not None:
        return TABLE
    if suffix not in (".py", ".efg", ".nfg") and (
        is_payoff_text(_whole_lines(text)) or (_BRACKET.search(text) and _holds_matrices(whole))
    ):
        return PAYOFFS
    if suffix == ".efg" and _SPOT_KEYS.search(text):  # which no game of Gambit's has
        return SPOT
    if suffix == ".json":  # all else of it was recognised
        return _kind_of_value(whole)
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    if _SPOT_KEYS.search(text):
        return SPOT
    return RANGES if _RANGE.match(text) else TEXT


def _kind_of_value(whole: Callable[[], str | None]) -> str:
    """The kind of a file of JSON that begins with no bracket: a single text or number, if whole."""
    try:
        value = json.loads(whole() or "")
    except RecursionError:
        return JSON
    except (OSError, ValueError):
        return INCOMPLETE
    return JSON if hands_of(value) is None else RANGES


def _whole_lines(text: str) -> str:
    """The beginning of a file without the line that may be cut off."""
    if len(text) < _HEAD // 4:
        return text
    return text[: text.rfind("\n") + 1] or text


def _holds_matrices(whole: Callable[[], str | None]) -> bool:
    """Whether a text holds matrices as programs print them; their reader says what is wrong."""
    try:
        text = whole()
        return text is not None and printed_matrices(text) is not None
    except MatrixFaultError:
        return True
    except (OSError, ValueError, RecursionError):
        return False


def _kind_of_literal(whole: Callable[[], str | None]) -> str | None:
    """TABLE, PAYOFFS or JSON for what a text holds that begins like an object or a list, else None.

    A table need not be right: its reader says what is wrong with it.
    """
    try:
        text = whole()
        if text is None:
            return TABLE
        document = parsed_document(text)
    except (OSError, ValueError, RecursionError):
        return None
    if isinstance(document, dict) and not _FOREIGN_KEYS.isdisjoint(document):
        return DOCUMENT
    if isinstance(document, dict) and _is_set_up(document):
        return SETUP
    if hands_of(document) is not None or named_hands_of(document) is not None:
        return RANGES
    if isinstance(document, dict) and (kind := _kind_of_keys(document)) is not None:
        return kind
    table = payoffs_of(document) if isinstance(document, dict) else document
    if isinstance(document, list) and keyed_rows_of(document) is not None:
        return TABLE
    if is_payoff_table(table):
        return PAYOFFS if _has_numbers(table) else JSON
    if isinstance(document, list) and records_of(document) is not None:
        return TABLE
    is_named = (
        isinstance(document, dict)
        and bool(document)
        and "strategy" not in document
        and not all(row_of_pairs(row) is not None for row in document.values())
    )
    if is_named and (cells_of(document) or len(named_tables_of(document)[0]) > 1):
        return PAYOFFS
    rows = document.get("strategy", document) if isinstance(document, dict) else None
    is_table = (
        isinstance(rows, dict)
        and (rows or rows is not document)
        and all(isinstance(row, dict | list | tuple) for row in rows.values())
        and (not rows or any(map(_has_numbers, rows.values())))
    )
    return TABLE if is_table else JSON


def _has_numbers(rows: object) -> bool:
    """Whether rows hold a number, also as text, at any depth."""
    if isinstance(rows, dict | list | tuple):
        return any(map(_has_numbers, rows.values() if isinstance(rows, dict) else rows))
    return type(rows) in (int, float) or (isinstance(rows, str) and _DIGIT.search(rows) is not None)


def hands_of(document: object) -> str | None:
    """The range that a document is, as text; None where it is something else.

    It may be {hand: weight}, a list of hands, of pairs [hand, weight] or of objects with both, or
    an object with any of them, or the text of a range, beside remarks.

    Args:
        document: What JSON holds.

    Returns:
        The hands with their weights, such as `AA:1,KK:0.5`.
    """
    if isinstance(document, str):
        return document if _RANGE.match(document) else None
    if _is_of_all_hands(document):
        return " ".join(map(str, document))
    pairs = _weighted(document)
    if pairs:
        sign = "%" * _are_percent(pairs)
        return ",".join(
            hand if weight is None else f"{hand}:{weight}{sign}" for hand, weight in pairs
        )
    if not isinstance(document, dict):
        return None
    if (parallel := _parallel(document)) is not None:
        return hands_of(parallel)
    held = [value for key, value in document.items() if str(key).lower() in _RANGE_WORDS]
    others = [value for key, value in document.items() if str(key).lower() not in _RANGE_WORDS]
    if len(held) != 1 or any(isinstance(value, dict | list) for value in others):
        return None
    return hands_of(held[0])


def named_hands_of(document: object) -> dict[str, str] | None:
    """The ranges that a document holds by name, {name: text}; None where it is something else."""
    if not isinstance(document, dict) or not document:
        return None
    held = [value for key, value in document.items() if str(key).lower() in _RANGE_WORDS]
    if len(held) == 1 and len(document) == 1:
        return named_hands_of(held[0])
    ranges: dict[str, str] = {}
    for name, value in document.items():
        text = hands_of(value)
        if text is None:
            return None
        ranges[str(name)] = text
    return ranges


def _is_of_all_hands(document: object) -> TypeGuard[list[float]]:
    """Whether this is a weight for each hand, in the order of text with 1,326 numbers."""
    return (
        isinstance(document, list)
        and len(document) == _ALL_HANDS
        and all(type(weight) in (int, float) and 0 <= weight <= 1 for weight in document)
    )


def _are_percent(pairs: Sequence[tuple[str, object]]) -> bool:
    """Whether weights are percentages without a sign: numbers up to 100, and one well above 1."""
    numbers = [(hand, weight) for hand, weight in pairs if isinstance(weight, int | float)]
    if not len(numbers) == len(pairs) > 0 or may_be_counts(numbers):
        return False
    return _LEAST_PERCENT <= max(weight for _, weight in numbers) <= _MOST_PERCENT


def may_be_counts(pairs: Sequence[tuple[str, float]]) -> bool:
    """Whether the numbers of classes may be how many of their combos are meant: 6 of AA, 4 of AKs.

    Args:
        pairs: Hands with their numbers, which are whole then, and no larger than classes are.
    """
    return all(
        float(number).is_integer()
        and (suits := _CLASS.fullmatch(hand)) is not None
        and number <= (6 if suits[1] == suits[2] else _COMBOS[suits[3].lower()])
        for hand, number in pairs
    )


def _parallel(document: dict[object, object]) -> list[object] | None:
    """Pairs of a list of hands and one of as many weights; None for anything else."""
    lists = {str(key).lower(): value for key, value in document.items() if isinstance(value, list)}
    if len(lists) != 2 or not lists.keys() & _WEIGHT_WORDS:
        return None
    weights = lists.pop(next(key for key in lists if key in _WEIGHT_WORDS))
    (hands,) = lists.values()
    if len(hands) != len(weights) or not all(isinstance(hand, str) for hand in hands):
        return None
    return [*zip(hands, weights, strict=True)]


def _weighted(document: object) -> list[tuple[str, object]] | None:
    """Hands with their weights, None for one that is not given; None if there is anything else.

    Some of the hands in a list may be none, which its reader says.
    """
    entries = [*document.items()] if isinstance(document, dict) else document
    if not isinstance(entries, list) or not entries:
        return None
    if isinstance(entries[0], list) and f"{entries[0][:1]}".strip("[']").lower() in _PAIR:
        entries = entries[1:]  # a header
    pairs = []
    for entry in entries:
        hand, weight = _hand_and_weight(entry)
        if not isinstance(hand, str) or (weight is not None and not is_weight(weight)):
            return None
        pairs.append((hand, weight))
    known = sum(_HANDS.fullmatch(hand) is not None for hand, _ in pairs)
    needed = len(pairs) if isinstance(document, dict) else len(pairs) // 2 + 1
    return pairs if known >= min(needed, len(pairs)) else None


def _hand_and_weight(entry: object) -> tuple[object, object]:
    """The hand and the weight in an entry of a list; None as the hand of anything else."""
    if isinstance(entry, str):
        return entry, None
    if isinstance(entry, dict) and len(entry) > 1:
        by_word = {str(key).lower(): value for key, value in entry.items()}
        hand = next((by_word[word] for word in ("hand", "combo", "hands") if word in by_word), None)
        weights = [value for word, value in by_word.items() if word in _WEIGHT_WORDS]
        return (hand, weights[0]) if len(weights) == 1 and hand is not None else (None, None)
    if not isinstance(entry, list | tuple) or len(entry) != 2:
        return None, None
    hand, weight = entry
    if isinstance(weight, dict) and len(weight) == 1 and {*map(str.lower, weight)} & _WEIGHT_WORDS:
        weight = next(iter(weight.values()))
    return hand, 0 if weight is None else weight


def is_weight(value: object) -> bool:
    """Whether a value of a document is a weight: a number, or one as text, such as `"50%"`."""
    if isinstance(value, str):
        return _WEIGHT.fullmatch(value) is not None
    return type(value) in (int, float)


def _kind_of_keys(document: dict[object, object]) -> str | None:
    """SPOT or HAND for an object with the keys of a spot file or of a hand file, else None."""
    if all(isinstance(document.get(seat), str) for seat in ("oop", "ip")):
        return SPOT
    if {"board", "pot"} <= document.keys() and isinstance(document["board"], str):
        return SPOT
    has_stacks = not document.keys().isdisjoint(("stack", "stacks"))
    return HAND if has_stacks and "blinds" in document else None


def _is_set_up(document: dict[object, object]) -> bool:
    """Whether this is a set-up of WASM Postflop or Desktop Postflop, or a list of them."""
    config = document.get("config")
    keys = document | (config if isinstance(config, dict) else {})
    return document.get("name") == "configurations" or not _SETUP_KEYS.isdisjoint(keys)


def _holds_payoffs(path: Path) -> bool:
    """Whether a file of NumPy holds numbers with an axis per player, by the headers of its arrays.

    Texts in one row are taken for labels.
    """
    from zipfile import BadZipFile, ZipFile

    types: list[tuple[str, int]] = []
    try:
        if path.suffix.lower() == ".npz":
            with ZipFile(path) as package:
                for name in package.namelist():
                    with package.open(name) as member:
                        types.append(_array_type(member))
        else:
            with path.open("rb") as file:
                types.append(_array_type(file))
    except (OSError, ValueError, BadZipFile, NotImplementedError, RuntimeError, EOFError):
        return False
    payoffs = [(kind, axes) for kind, axes in types if kind not in "US"]
    return bool(payoffs) and all(kind in "iufb" and axes > 1 for kind, axes in payoffs)


def _array_type(file: IO[bytes]) -> tuple[str, int]:
    """The kind of an array's numbers and how many axes it has."""
    from numpy.lib import format as arrays

    version = arrays.read_magic(file)
    read = arrays.read_array_header_1_0 if version == (1, 0) else arrays.read_array_header_2_0
    shape, _, dtype = read(file)
    return dtype.kind, len(shape)


def _packed_kind(suffix: str) -> str:
    if suffix in (".npz", ".npy"):
        return ARRAYS
    if suffix in _TORCH:
        return PICKLE
    return DOCUMENT if suffix in _OFFICE else PACKAGE
