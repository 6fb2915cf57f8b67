"""Reading the texts of PokerStars, and of GGPoker, which writes nearly the same.

PokerKit's parser of such texts knows neither antes, tournaments nor thousands separators.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import time
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Any, Final, NamedTuple

from equilibrist.errors import FileFormatError
from equilibrist.play.histories.faults import HandError
from equilibrist.play.histories.played import HOLE_CARDS, Collector, ReadHands
from equilibrist.play.histories.site_hand import (
    ANTE,
    BETS,
    BIG,
    BOTH,
    CALLS,
    CHECKS,
    DEAD,
    DEALS,
    FOLDS,
    RAISES,
    SMALL,
    STRADDLE,
    Event,
    Post,
    SiteHand,
    site_history,
)
from equilibrist.storage.plain_file import lines_of

POKERSTARS: Final = "pokerstars"
GGPOKER: Final = "ggpoker"
_VENUES: Final = {POKERSTARS: "PokerStars", GGPOKER: "GGPoker"}
_HEAD: Final = re.compile(
    r"^[\s*\ufeff]*"
    r"(?:(?P<stars>PokerStars(?:\.\w+)?(?: [\w'.+&-]+){0,4}? (?:Hand|Game))|(?P<gg>Poker Hand)) "
    r"#(?P<number>\w+)\s*:\s*(?P<rest>.*)$"
)
_SAID: Final = ' said, "'
_HEAD_WITHIN: Final = re.compile(r"PokerStars [\w'.+& -]{0,60}#\w+\s*:|Poker Hand #\w+\s*:")
_OTHER_HEAD: Final = re.compile(
    r"^[\s\ufeff]*(?:Winamax Poker - |\*{5} (?:\w+ )?Hand History for Game |#Game No ?: ?\d|"
    r"Full Tilt Poker Game #|(?:Ignition|Bovada|Bodog)\b.* Hand #|Game Hand #\d|Stage #\d|"
    r"GAME #\d|<session\b)"
)
"""How hands of other sites begin, which may stand among these."""
_GAME: Final = re.compile(
    r"(?P<game>(?:6\+|\d[- ]Card|Five Card|Short ?Deck|Fusion|Courchevel)?[ -]*"
    r"(?:Hold['\u2019]?em|Omaha|Razz|(?:7 Card )?Stud|Badugi|HORSE|Draw|ShortDeck|PLO(?:-?\d)?)"
    r"(?: Hi/?Lo| H/L)?)(?:[ ,(-]+(?P<limit>No Limit|Pot Limit|Fixed Limit|Limit|NL|PL|FL)\b)?",
    re.IGNORECASE,
)
_NUMBER: Final = r"\d[\d.,'\u2019\u00a0\u202f ]*"
_MONEY: Final = rf"(?P<symbol>[A-Za-z]{{1,3}}\.|[^\s\d.,()\[\]/-]{{0,3}}) ?(?P<amount>{_NUMBER})"
_STAKES: Final = re.compile(
    r"(?:\(|^, )(?P<small>[^()/]*\d[^()/]*)/(?P<big>[^()/\s]*\d[\d.,]*)(?:\s*\([^()]*\))?"
    r"(?P<rest>[^()]*)\)"
)
_BUTTON_BLIND: Final = re.compile(r"\(Button Blind: ?(?P<blind>[^()-]*\d)(?P<rest>[^()]*)\)")
_SHORT_DECKS: Final = ("6+ holdem", "6 + holdem", "shortdeck", "short deck", "short deck holdem")
_DATE: Final = re.compile(
    r"(?P<year>\d{4})[/.-](?P<month>\d{1,2})[/.-](?P<day>\d{1,2})[ T]+"
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?(?: +(?P<zone>[A-Z]{2,5})\b)?"
)
_TOURNAMENT: Final = re.compile(r"Tournament #(?P<id>\w+),?\s*(?P<about>.*)$")
_LEVEL: Final = re.compile(r"Level\s*(?P<level>[IVXLCDM]+|\d+)\b")
_TABLE: Final = re.compile(
    r"^Table (?:'(?P<quoted>.*)'|(?P<plain>\S+))(?= .*(?:\d[ -]max\b|is the button))", re.IGNORECASE
)
_MAX: Final = re.compile(r"(?P<seats>\d+)[ -]max\b", re.IGNORECASE)
_BUTTON: Final = re.compile(r"Seat #(?P<seat>\d+) is the button")
_SEAT: Final = re.compile(
    rf"^Seat (?P<seat>\d+): (?P<name>.+) \((?:{_MONEY}) in chips(?P<more>[^()]*)\)(?P<rest>.*)$"
)
_SUMMARY_SEAT: Final = re.compile(r"^Seat (?P<seat>\d+): ")
_ROLES: Final = r"(?: \((?:button|small blind|big blind|straddle)\))*"
_SHOWED: Final = re.compile(rf"^{_ROLES} (?P<what>mucked|showed|shows) \[(?P<cards>[^\]]*)\]")
_STREET: Final = re.compile(r"^\*{3} ?(?P<name>[A-Z ]+?) ?\*{3}(?P<rest>\s*(?:\[.*)?)$")
_BRACKETS: Final = re.compile(r"\[([^\[\]]*)\]")
_POSTS: Final = re.compile(
    r"^(?:posts? )?(?:an? |the )?(?P<what>ante|small & big blinds?|(?:dead|missed) (?:small |big )?"
    rf"blind|small blind|big blind|button blind|(?:\w+ )?straddle)(?: of)? {_MONEY}",
    re.IGNORECASE,
)
_DOES: Final = re.compile(
    r"(?P<verb>folds|checks|calls|bets|raises)\b(?P<rest>.*)$",
)
_UNCALLED: Final = re.compile(rf"^Uncalled bet \((?:{_MONEY})\) returned to (?P<name>.+)$")
_COLLECTS: Final = re.compile(rf"^(?:collect(?:s|ed)|wins?|won) \(?{_MONEY}\)?(?: from .*)?$")
_WON: Final = re.compile(rf"\b(?:collected|won) \((?:{_MONEY})\)")
_DEALT: Final = "Dealt to "
_CARDS: Final = re.compile(r" ?\[(?P<cards>[^\[\]]*)\]")
_TOTAL: Final = re.compile(r"^Total pot ")
_ADDED: Final = re.compile(rf"^Cash Drop to Pot\s*:\s*(?:total )?{_MONEY}", re.IGNORECASE)
_CARD: Final = re.compile(r"(10|[2-9TJQKA])([cdhs])", re.IGNORECASE)
_ALL_IN: Final = re.compile(r"\ball-?in\b", re.IGNORECASE)
_AGAIN: Final = re.compile(r"^Hand was run (?:it )?(?:twice|(?!1\b)\w+ times)", re.IGNORECASE)
_FIRST: Final = "FIRST"
_ORDINALS: Final = (_FIRST, "SECOND", "THIRD", "FOURTH")
_BOARD: Final = re.compile(rf"^(?P<which>{'|'.join(_ORDINALS)}) BOARD \[", re.IGNORECASE)
_CURRENCIES: Final = {"$": "USD", "\u20ac": "EUR", "\u00a3": "GBP", "\u00a5": "CNY", "C$": "CAD"}
_CODES: Final = re.compile(r"\b(USD|EUR|GBP|CAD|CNY|INR|SEK|AUD|BRL|USDT)\b")
_ZONES: Final = {"ET": "America/New_York", "UTC": "UTC", "GMT": "Etc/GMT"}
_LARGEST: Final = Decimal(10**15)
_BLANKS: Final = "\ufeff \t"
"""What is stripped from lines; names may end with other blanks."""
_OTHER_ZONES: Final = ("CET", "EET", "MET", "WET")
"""Zones that have the same names in the database of time zones."""
_ROMAN: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


class _Line(NamedTuple):
    number: int
    text: str


def is_site_text(text: str) -> bool:
    """Whether a line of a text begins a hand of PokerStars or GGPoker."""
    return any(_HEAD.match(line) for line in lines_of(text))


def read_site_text(text: str, path: object = "", most: int | None = None) -> ReadHands:
    """Read the hands of a text of PokerStars or GGPoker.

    Args:
        text: The content; what stands before the first hand is passed over.
        path: The file, for errors.
        most: Hands that it may have; None for any number.

    Returns:
        The hands, each replayed by PokerKit, and those that were left out.

    Raises:
        TooManyHandsError: It has more.
        ConfigError: PokerKit is not installed.
        FileFormatError: No hand begins in it.
    """
    blocks = list(_blocks(text))
    heads = [_HEAD.match(block[0].text) for block in blocks]
    if not any(heads):
        raise FileFormatError(
            f"{path or 'the text'} has no hand of PokerStars or GGPoker",
            path,
            option="hands",
            given="no line that begins a hand",
            expected="PokerStars Hand #1: ..., or Poker Hand #RC1: ...",
            remedy="give a hand history as the site writes it, in English",
        )
    is_stars = any(head is not None and head["stars"] for head in heads)
    collector = Collector(POKERSTARS if is_stars else GGPOKER, most)
    for head, block in zip(heads, blocks, strict=True):
        name = "" if head is None else head["number"]
        collector.add(block[0].number, name, partial(_read_block, head, block))
    return collector.result()


def _begin_in(line: str) -> int | None:
    """Where in a line a hand begins; behind what is left of one before that was cut off in it."""
    for later in _HEAD_WITHIN.finditer(line):
        before = line[: later.start()]
        if before.strip(_BLANKS) and _SAID not in before and _GAME.search(line, later.end()):
            return later.start()
    return 0 if _HEAD.match(line) else None


def _blocks(text: str) -> Iterator[list[_Line]]:
    """The lines of each hand; a hand whose first lines are lost begins with what is left of it."""
    block: list[_Line] = []
    has_table = is_over = False
    for number, line in enumerate(lines_of(text), 1):
        begin = _begin_in(line)
        plain = line[begin or 0 :].strip(_BLANKS)
        is_table, street = _TABLE.match(plain) is not None, _STREET.match(plain)
        has_no_head = (street is not None and (is_over or not block)) or (
            is_table and (is_over or has_table or not block)
        )
        is_foreign = bool(block) and _OTHER_HEAD.match(block[0].text) is not None
        may_begin = is_over or not block or (is_foreign and not block[-1].text)
        is_other = may_begin and _OTHER_HEAD.match(plain) is not None
        if has_no_head or is_other or begin is not None:
            if block:
                yield block
            block, has_table, is_over = [], False, False
        elif not block:
            continue
        has_table |= is_table
        is_over |= street is not None and street["name"] == "SUMMARY"
        block.append(_Line(number, plain))
    if block:
        yield block


def _read_block(head: re.Match[str] | None, block: list[_Line]) -> tuple[Any, int | None]:
    if head is None and _OTHER_HEAD.match(block[0].text):
        raise HandError("other-site")
    if head is None:
        raise HandError("first-line-missing")
    hand = _header(head, block[0].number)
    _read_lines(hand, block[1:])
    end = next(line.number for line in reversed(block) if line.text)
    hand.collected = hand.collected or hand.won_by_summary
    if not hand.collected and hand.fees is not None:
        raise HandError("winner-missing", end)
    if not hand.collected:
        raise HandError("summary-missing", end)
    history, hero = site_history(hand)
    if hand.fees is None:  # others may have collected, too
        raise HandError("summary-missing", end)
    return history, hero


def _header(head: re.Match[str], line: int) -> SiteHand:
    site = POKERSTARS if head["stars"] else GGPOKER
    hand = SiteHand(line, _VENUES[site], head["number"])
    rest = head["rest"]
    dates = list(_DATE.finditer(rest))
    before_date = rest[: dates[0].start()] if dates else rest
    tournament = _TOURNAMENT.search(before_date)
    games = list(_GAME.finditer(before_date))
    if not games and (site != GGPOKER or tournament is None):
        raise HandError("game-missing", line)
    behind = 0
    if games:  # the last one, as names of tournaments have such words, too
        hand.variant, behind = _variant(games[-1], line), games[-1].end()
    if re.search(r"\bCap\b", before_date[behind:]):
        raise HandError("cap", line)
    stakes = next(iter([*_STAKES.finditer(before_date[behind:])][-1:]), None)
    if stakes is not None:
        small, big = (amount_of(stakes[name], line) for name in ("small", "big"))
        hand.stakes = (small, big)
        hand.blinds = None if hand.variant == "FT" else (small, big)
    of_button = _BUTTON_BLIND.search(before_date, behind)
    if tournament is not None:
        hand.fields["event"] = f"Tournament {tournament['id']}"
        hand.notes["_tournament"] = tournament["id"]
        level = _LEVEL.search(before_date, behind)
        if level is not None:
            hand.fields["level"] = _level(level["level"])
    elif stakes is not None:
        hand.fields |= _currency(stakes["small"], stakes["rest"])
    elif of_button is not None:
        hand.fields |= _currency(of_button["blind"], of_button["rest"])
    if dates:
        hand.fields |= _when(_known_date(dates), line)
    return hand


def _currency(amount: str, rest: str) -> dict[str, Any]:
    """The fields of the currency by an amount of the header, and by what stands behind it."""
    code = _CODES.search(rest)
    symbol = re.match(r"\s*([^\s\d.,]{0,3})", amount)
    sign = symbol[1] if symbol else ""
    fields = {"currency_symbol": sign} if sign else {}
    if code or sign in _CURRENCIES:
        fields["currency"] = code[1] if code else _CURRENCIES[sign]
    return fields


def _known_date(dates: Sequence[re.Match[str]]) -> re.Match[str]:
    """The first date, or that in Eastern Time behind it where the zone of the first is unknown."""
    zone = dates[0]["zone"]
    if zone is None or zone in _ZONES or zone in _OTHER_ZONES:
        return dates[0]
    return next((date for date in dates if date["zone"] == "ET"), dates[0])


def _variant(game: re.Match[str], line: int) -> str:
    name = " ".join(game["game"].replace("\u2019", "'").split()).lower().replace("'", "")
    limit = (game["limit"] or "").lower()
    if name == "holdem" and limit in ("no limit", "nl"):
        return "NT"
    if name == "holdem" and limit in ("limit", "fixed limit", "fl"):
        return "FT"
    if name in _SHORT_DECKS and limit in ("no limit", "nl", ""):
        return "NS"
    if (name, limit) in (("omaha", "pot limit"), ("omaha", "pl"), ("plo", "")):
        return "PO"
    raise HandError("game-not-read", line, game=game[0].strip())


def _level(text: str) -> int:
    if text.isdecimal():
        return int(text)
    values = [_ROMAN[letter] for letter in text]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < after else value for value, after in pairs)


def _when(date: re.Match[str], line: int) -> dict[str, Any]:
    try:
        moment = time(int(date["hour"]), int(date["minute"]), int(date["second"] or 0))
    except ValueError:
        raise HandError("time-unknown", line, text=date[0]) from None
    fields: dict[str, Any] = {name: int(date[name]) for name in ("year", "month", "day")}
    fields["time"] = moment
    if date["zone"]:
        fields["time_zone"] = _ZONES.get(date["zone"], date["zone"])
    return fields


def _read_lines(hand: SiteHand, lines: list[_Line]) -> None:
    section = "seats"
    for line in lines:
        number, text = line
        if not text:
            continue
        hand.is_run_again |= _AGAIN.match(text) is not None
        street = _STREET.match(text)
        if street is not None and not hand.seats:
            raise HandError("no-seats", hand.line)
        if section == "summary":
            _summary(hand, text, number)
        elif street is not None:
            section = _street(hand, street, number)
        elif not _table_line(hand, text, number, section):
            _play_line(hand, text, number)


def _street(hand: SiteHand, street: re.Match[str], line: int) -> str:
    """Take down the board cards of a street, and say which section begins."""
    name = street["name"].strip()
    which, _, rest = name.partition(" ")
    if which in _ORDINALS:
        hand.is_run_again, name = True, rest
    if name == "SUMMARY":
        return "summary"
    if name in ("FLOP", "TURN", "RIVER"):
        groups = _BRACKETS.findall(street["rest"])
        if not groups:
            raise HandError("cards-missing", line, street=name.lower())
        if which in _ORDINALS and which != _FIRST:
            hand.boards[which] = cards_of(" ".join(groups), line)
            return "play"
        cards = cards_of(groups[-1], line)
        want = 3 if name == "FLOP" else 1
        if len(cards) != 2 * want:
            raise HandError("cards-of-street", line, street=name.lower(), cards=groups[-1])
        hand.events.append(Event(line, DEALS, cards=cards))
    return "play"


def _table_line(hand: SiteHand, text: str, line: int, section: str) -> bool:
    """Read a line about the table and its seats; whether it was one."""
    if section != "seats":
        return False
    table = _TABLE.match(text)
    if table is not None:
        most, button = _MAX.search(text, table.end()), _BUTTON.search(text, table.end())
        hand.fields["table"] = table["quoted"] or table["plain"]
        if most is not None:
            hand.fields["seat_count"] = int(most["seats"])
        if button is not None:
            hand.button = int(button["seat"])
        return True
    seat = _SEAT.match(text)
    if seat is None:
        return False
    if not seat["rest"].strip().startswith("out of hand"):
        if seat["name"] in hand.seats:
            raise HandError("two-seats", line, player=seat["name"])
        hand.seats[seat["name"]] = int(seat["seat"]), amount_of(seat["amount"], line)
    return True


def _player_at(hand: SiteHand, text: str) -> str:
    """The player with whose name a line begins, followed by a colon or a space; empty if none.

    Of several the one with the longest name: `a: folds` may be a name, too. Actions stand behind a
    colon alone.
    """
    names = [
        name
        for name in hand.seats
        if text.startswith(f"{name}:")
        or (text.startswith(f"{name} ") and not _is_play(text[len(name) + 1 :]))
    ]
    return max(names, key=len, default="")


def _is_play(text: str) -> bool:
    """Whether a text is what stands behind a player and a colon."""
    is_action = _DOES.match(text) or _POSTS.match(text)
    return is_action is not None or text.startswith(("shows [", "mucks ", "doesn't show"))


def _play_line(hand: SiteHand, text: str, line: int) -> None:
    dealt, uncalled = _dealt_to(hand, text), _UNCALLED.match(text)
    name = _player_at(hand, text)
    rest = text[len(name) :]
    if dealt is not None:
        _dealt(hand, *dealt, line)
    elif uncalled is not None:
        player = _known(hand, uncalled["name"], line)
        returned = hand.returned.get(player, Decimal(0)) + amount_of(uncalled["amount"], line)
        hand.returned[player] = returned
    elif name and rest.startswith(":"):
        _player_line(hand, name, rest[1:].strip(), line)
    elif name and (collected := _COLLECTS.match(rest.strip())) is not None:
        _collect(hand, name, collected, line)
    elif (added := _ADDED.match(text)) is not None:
        hand.added += amount_of(added["amount"], line)


def _collect(hand: SiteHand, name: str, collected: re.Match[str], line: int) -> None:
    won = hand.collected.get(name, Decimal(0)) + amount_of(collected["amount"], line)
    hand.collected[name] = won


def _player_line(hand: SiteHand, name: str, text: str, line: int) -> None:
    posts, does = _POSTS.match(text), _DOES.match(text)
    if posts is not None:
        amount = amount_of(posts["amount"], line)
        is_all_in = bool(_ALL_IN.search(text))
        hand.posts.append(Post(line, name, _post_kind(posts["what"].lower()), amount, is_all_in))
    elif does is not None:
        _action(hand, name, does["verb"], does["rest"], line)
    elif (collected := _COLLECTS.match(text)) is not None:
        _collect(hand, name, collected, line)
    elif text.startswith(("shows [", "showed [")):
        _show(hand, name, text, line)
    elif text.startswith("mucks ["):
        hand.mucked[name] = _whole_hand(hand, name, _BRACKETS.findall(text)[0], line)


def _post_kind(what: str) -> str:
    if what == "ante":
        return ANTE
    if "straddle" in what:
        return STRADDLE
    if what.startswith("small &"):
        return BOTH
    if what in ("dead blind", "missed blind", "dead small blind", "missed small blind"):
        return DEAD
    return SMALL if what == "small blind" else BIG


def _action(hand: SiteHand, name: str, verb: str, rest: str, line: int) -> None:
    amounts = [amount_of(found["amount"], line) for found in re.finditer(_MONEY, rest)]
    if verb in (CALLS, BETS, RAISES) and not amounts:
        raise HandError("amount-missing", line, player=name, verb=verb)
    if verb == RAISES:
        to = re.search(rf"\bto {_MONEY}", rest)
        amount = amount_of(to["amount"], line) if to else None
        if amount is None:
            raise HandError("raise-without-total", line, player=name)
    else:
        amount = amounts[0] if verb in (CALLS, BETS) else Decimal(0)
    if verb in (FOLDS, CHECKS) and "[" in rest:
        _show(hand, name, rest, line)
    hand.events.append(Event(line, verb, name, amount))


def _show(hand: SiteHand, name: str, text: str, line: int) -> None:
    groups = _BRACKETS.findall(text)
    if groups and groups[0].strip():
        shown = cards_of(groups[0], line)
        missing = HOLE_CARDS[hand.variant] - len(shown) // 2
        if missing < 0:
            raise HandError("cards-shown", line, player=name, cards=groups[0])
        if not missing or name not in hand.shown:
            hand.shown[name] = shown + "??" * missing


def _dealt_to(hand: SiteHand, text: str) -> tuple[str, str] | None:
    """Who is dealt cards by a line, and which, as far as it says; None if it is no such line."""
    if not text.startswith(_DEALT):
        return None
    rest = text.removeprefix(_DEALT).strip(_BLANKS)
    if rest in hand.seats:
        return rest, ""
    for name in sorted(hand.seats, key=len, reverse=True):
        cards = _CARDS.fullmatch(rest[len(name) :]) if rest.startswith(name) else None
        if cards is not None:
            return name, cards["cards"]
    stranger = _CARDS.search(rest)
    return None if stranger is None or _player_at(hand, text) else (rest[: stranger.start()], "")


def _dealt(hand: SiteHand, name: str, text: str, line: int) -> None:
    name = _known(hand, name, line)
    if not text:
        hand.dealt.setdefault(name, "")
        return
    cards = _whole_hand(hand, name, text, line)
    named = [player for player, held in hand.dealt.items() if held]
    hand.hero = name if not named or named == [name] else ""
    hand.dealt[name] = cards


def _summary(hand: SiteHand, text: str, line: int) -> None:
    if _TOTAL.match(text):
        if hand.fees is not None:
            return
        hand.fees = Decimal(0)
        for part in text.split("|")[1:]:
            fee = re.search(_MONEY, part.strip().partition(" ")[2])
            if fee is not None:
                hand.fees += amount_of(fee["amount"], line)
        return
    board = _BOARD.match(text)
    if board is not None and board["which"].upper() != _FIRST:
        hand.boards[board["which"].upper()] = cards_of(_BRACKETS.findall(text)[0], line)
        hand.is_run_again = True
    seat = _SUMMARY_SEAT.match(text)
    places = {place: name for name, (place, _) in hand.seats.items()}
    name = "" if seat is None else places.get(int(seat["seat"]), "")
    if seat is None or not name or not text.startswith(name, seat.end()):
        return
    rest = text[seat.end() + len(name) :]
    won, showed = (
        [amount_of(won["amount"], line) for won in _WON.finditer(rest)],
        _SHOWED.match(rest),
    )
    if won:
        hand.won_by_summary[name] = sum(won, Decimal(0))
    if showed is None or hand.shown.get(name):
        return
    if showed["what"] == "mucked":
        hand.mucked[name] = _whole_hand(hand, name, showed["cards"], line)
    else:
        _show(hand, name, f"[{showed['cards']}]", line)


def _whole_hand(hand: SiteHand, name: str, text: str, line: int) -> str:
    cards = cards_of(text, line)
    if len(cards) != 2 * HOLE_CARDS[hand.variant]:
        raise HandError("cards-of-hand", line, player=name, cards=text)
    return cards


def _known(hand: SiteHand, name: str, line: int) -> str:
    if name not in hand.seats:
        raise HandError("seat-missing", line, player=name)
    return name


def cards_of(text: str, line: int) -> str:
    """Cards as PHH writes them, `AhKd`; HandError with the line for others."""
    names = text.replace(",", " ").split()
    cards = [_CARD.fullmatch(name) for name in names]
    if not all(cards):
        raise HandError("cards-unknown", line, text=text)
    return "".join(
        card[1].upper().replace("10", "T") + card[2].lower() for card in cards if card is not None
    )


def amount_of(text: str, line: int) -> Decimal:
    """An amount with or without a currency and separators: `$1,234.50`, `1 234,50`."""
    digits = re.sub(r"[^\d.,]", "", text).rstrip(".,")
    comma, point = digits.rfind(","), digits.rfind(".")
    if comma > point and (point >= 0 or len(digits) - comma - 1 != 3):
        digits = digits.replace(".", "").replace(",", ".")  # a decimal comma
    elif point > comma and digits.count(".") > 1:
        digits = digits.replace(".", "")  # points between thousands
    try:
        amount = Decimal(digits.replace(",", ""))
    except InvalidOperation:
        raise HandError("amount-unknown", line, text=text) from None
    if amount > _LARGEST:
        raise HandError("amount-too-large", line, text=text)
    return amount
