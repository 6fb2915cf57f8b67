"""Random hands that PokerKit plays, printed as poker sites do, apart from the product's writers."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass, field
from random import Random
from typing import Any

from pokerkit import HandHistory
from pokerkit.notation import parse_action

from equilibrist.poker.cards.cards import NUM_CARDS, card_name

NAMES = [
    "kaïs1",
    "NoobPro 90",
    "a.b: (x)",
    "$tack$",
    "O'Neil",
    "Ünal 7",
    "[xX]",
    "漢字",
    "b-52",
]
STREETS = ("FLOP", "TURN", "RIVER")
SCALE = {"$": 100, "€": 100, "£": 100, "": 1}


@dataclass
class Played:
    """A random hand: the history that readers are to find, and what the texts say besides."""

    history: Any  # in the smallest unit
    seats: list[int]  # of p1 and so on
    names: list[str]
    symbol: str
    is_tournament: bool
    number: int
    holes: list[str]
    hero: int
    lines: list[tuple[str, Any]] = field(default_factory=list)  # in the order of the text
    collected: dict[int, int] = field(default_factory=dict)
    rake: int = 0
    returned: dict[int, int] = field(default_factory=dict)

    @property
    def button(self) -> int:
        return self.seats[-1]


def play(seed: int, *, straddles: bool = False) -> Played:
    """A random hand."""
    random = Random(seed)
    symbol = random.choice(["$", "€", "£", "", ""])
    is_tournament = not symbol and random.random() < 0.7
    count = random.choice([2, 2, 3, 4, 6, 6, 9])
    big = random.choice([2, 10, 25, 50, 100, 500]) * (20 if is_tournament else 1)
    small = max(1, big // 2)
    ante = big // 8 if is_tournament and random.random() < 0.7 else 0
    blinds = [small, big, *[0] * (count - 2)][:count]
    if straddles and count > 3:
        blinds[2] = 2 * big
    stacks = [
        big * random.choice([3, 8, 20, 40, 100]) + random.randrange(big) for _ in range(count)
    ]
    if is_tournament and count > 2:
        stacks[-1] = random.choice([max(1, ante - 1), ante + 1, big]) or 1
    seats = sorted(random.sample(range(1, 10), count))
    turn = random.randrange(count)
    seats = seats[turn:] + seats[:turn]
    names = random.sample(NAMES, count)
    hero = random.randrange(count)
    names[hero] = "Hero"
    deck = list(range(NUM_CARDS))
    random.shuffle(deck)

    def cards(number: int) -> str:
        return "".join(card_name(deck.pop()) for _ in range(number))

    holes = [cards(2) for _ in range(count)]
    fields: dict[str, Any] = {
        "variant": "NT",
        "antes": [ante] * count,
        "blinds_or_straddles": blinds,
        "min_bet": big,
        "starting_stacks": stacks,
    }
    if min(stacks) < ante:
        fields["ante_trimming_status"] = True
    state = HandHistory(**fields, actions=[]).create_state()
    played = Played(None, seats, names, symbol, is_tournament, 10**11 + seed, holes, hero)
    actions: list[str] = []

    def act(code: str) -> None:
        if state.can_burn_card():
            state.burn_card("??")
        parse_action(state, code)
        actions.append(code)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for index in _poster_order(count):
            posted = state.get_effective_ante(index)
            if posted:
                gone = posted == stacks[index]
                played.lines.append(("ante", (index, posted, gone)))
        for index in _poster_order(count):
            posted = state.get_effective_blind_or_straddle(index)
            kind = blinds[1 - index] if count == 2 else blinds[index]
            if posted:
                word = {small: "small blind", big: "big blind", 2 * big: "straddle"}[kind]
                played.lines.append((word, (index, posted, not state.stacks[index])))
        played.lines.append(("cards", None))
        for index in range(count):
            act(f"d dh p{index + 1} {holes[index] if index == hero else '????'}")
        board = ""
        while state.status:
            if (actor := state.actor_index) is not None:
                _decide(random, state, actor, act, played)
            elif (shower := state.showdown_index) is not None:
                played.lines.append(("shows", shower))
                act(f"p{shower + 1} sm {holes[shower]}")
            else:
                dealt = cards(3 if not board else 1)
                played.lines.append(("board", (board, dealt)))
                act(f"d db {dealt}")
                board += dealt
    _settle(random, played, state, stacks, board)
    finishing = [
        stack - _paid(played, index) + played.collected.get(index, 0)
        for index, stack in enumerate(stacks)
    ]
    played.history = HandHistory(
        **fields,
        actions=actions,
        finishing_stacks=finishing,
        winnings=[played.collected.get(index, 0) for index in range(count)],
    )
    return played


def _poster_order(count: int) -> list[int]:
    return [1, 0] if count == 2 else list(range(count))


def _decide(random: Random, state: Any, index: int, act: Any, played: Played) -> None:
    call = state.checking_or_calling_amount
    least = state.min_completion_betting_or_raising_to_amount
    most = state.max_completion_betting_or_raising_to_amount
    facing, own, stack = max(state.bets), state.bets[index], state.stacks[index]
    draw = random.random()
    if least is not None and draw < 0.3:
        total = random.choice([least, min(most, 3 * least), random.randint(least, most), most])
        word = "raises" if facing else "bets"
        done = (index, total - facing, total, total - own == stack)
        played.lines.append((word, done))
        act(f"p{index + 1} cbr {total}")
    elif call and draw < 0.55:
        played.lines.append(("folds", index))
        act(f"p{index + 1} f")
    else:
        played.lines.append(
            ("calls" if call else "checks", (index, call, bool(call) and call == stack))
        )
        act(f"p{index + 1} cc")


def _contributions(played: Played) -> tuple[dict[int, int], dict[int, int]]:
    """What each puts in, and the bets of the last street with any."""
    put: dict[int, int] = {}
    live: dict[int, int] = {}
    last: dict[int, int] = {}
    for word, what in played.lines:
        before = dict(live)
        if word == "ante":
            put[what[0]] = put.get(what[0], 0) + what[1]
        elif word in ("small blind", "big blind", "straddle", "calls"):
            live[what[0]] = live.get(what[0], 0) + what[1]
        elif word in ("bets", "raises"):
            live[what[0]] = what[2]
        elif word == "board":
            last = live or last
            live = {}
            before = {}
        for index, amount in live.items():
            put[index] = put.get(index, 0) + amount - before.get(index, 0)
    return put, live or last


def _paid(played: Played, index: int) -> int:
    put, _ = _contributions(played)
    return put.get(index, 0) - played.returned.get(index, 0)


def _settle(random: Random, played: Played, state: Any, stacks: list[int], board: str) -> None:
    _, last = _contributions(played)
    first, second = [*sorted(last.values(), reverse=True), 0, 0][:2]
    if first > second:
        winner = next(index for index, amount in last.items() if amount == first)
        played.returned[winner] = first - second
    for index in range(len(stacks)):
        won = state.stacks[index] - stacks[index] + _paid(played, index)
        if won:
            played.collected[index] = won
    pot = sum(played.collected.values())
    if played.symbol and board:
        played.rake = pot // 20
        richest = max(played.collected, key=lambda index: played.collected[index])
        played.rake = min(played.rake, played.collected[richest] - 1)
        played.collected[richest] -= played.rake


def _spaced(cards: str) -> str:
    return " ".join(cards[k : k + 2] for k in range(0, len(cards), 2))


def stars(played: Played, *, gg: bool = False) -> str:
    """The hand as PokerStars prints it, or GGPoker."""
    scale, name = SCALE[played.symbol], played.names

    def money(amount: int) -> str:
        if scale == 1:
            return f"{amount:,}" if gg or played.number % 2 else f"{amount}"
        text = (
            f"{amount / scale:,.2f}" if not gg else f"{amount / scale:,.2f}".rstrip("0").rstrip(".")
        )
        return f"{played.symbol}{text}"

    history = played.history
    small, big = history.blinds_or_straddles[:2]
    date = "2024/02/29 18:25:50" + ("" if gg else " ET")
    stakes = f"({money(small)}/{money(big)}{' USD' if played.symbol == '$' and not gg else ''})"
    head = f"Poker Hand #RC{played.number}:" if gg else f"PokerStars Hand #{played.number}: "
    if played.is_tournament:
        level = f"Level12{stakes}" if gg else f"Level XII {stakes}"
        event = "Daily $5.50 Hold'em Bounty" if gg else "$4.60+$0.40 USD"
        head += f" Tournament #77, {event} Hold'em No Limit - {level} - {date}"
    else:
        head += f" Hold'em No Limit {stakes} - {date}"
    lines = [head, f"Table 'O'Hara {played.number} I' 9-max Seat #{played.button} is the button"]
    for index in sorted(range(len(name)), key=lambda k: played.seats[k]):
        bounty = ", $2.50 bounty" if played.is_tournament and not gg else ""
        stack = money(history.starting_stacks[index])
        lines.append(f"Seat {played.seats[index]}: {name[index]} ({stack} in chips{bounty}) ")
    last = max((k for k, (word, _) in enumerate(played.lines) if word in _MOVES), default=0)
    boards = 0
    shown_down = False
    for place, (word, what) in enumerate(played.lines):
        all_in = " and is all-in" if isinstance(what, tuple) and what[-1] is True else ""
        if word == "ante":
            lines.append(f"{name[what[0]]}: posts the ante {money(what[1])}{all_in}")
        elif word == "straddle":
            verb = "straddle" if gg else "posts straddle"
            lines.append(f"{name[what[0]]}: {verb} {money(what[1])}{all_in}")
        elif word in ("small blind", "big blind"):
            lines.append(f"{name[what[0]]}: posts {word} {money(what[1])}{all_in}")
        elif word == "cards":
            lines.append("*** HOLE CARDS ***")
            for index in range(len(name)) if gg else [played.hero]:
                own = f" [{_spaced(played.holes[index])}]" if index == played.hero else " "
                lines.append(f"Dealt to {name[index]}{own}")
        elif word in ("folds", "shows"):
            if word == "folds":
                lines.append(f"{name[what]}: folds ")
        elif word in ("checks", "calls"):
            added = f" {money(what[1])}" if what[1] else " "
            lines.append(f"{name[what[0]]}: {word}{added}{all_in}")
        elif word == "bets":
            lines.append(f"{name[what[0]]}: bets {money(what[2])}{all_in}")
        elif word == "raises":
            lines.append(f"{name[what[0]]}: raises {money(what[1])} to {money(what[2])}{all_in}")
        else:
            before = f" [{_spaced(what[0])}]" if what[0] else ""
            lines.append(f"*** {STREETS[boards]} ***{before} [{_spaced(what[1])}]")
            boards += 1
        if place == max(last, 1):
            lines += [
                f"Uncalled bet ({money(amount)}) returned to {name[index]}"
                for index, amount in played.returned.items()
            ]
            lines.append(f'{name[0]} said, "gg: folds"')
    shows = [what for word, what in played.lines if word == "shows"]
    if shows:
        shown_down = True
        lines.append("*** SHOWDOWN ***" if gg else "*** SHOW DOWN ***")
        lines += [f"{name[k]}: shows [{_spaced(played.holes[k])}] (high card)" for k in shows]
    for index, gained in played.collected.items():
        lines.append(f"{name[index]} collected {money(gained)} from pot")
        if not shown_down:
            lines.append(f"{name[index]}: doesn't show hand ")
    pot = sum(played.collected.values()) + played.rake
    fees = f"Rake {money(played.rake)}"
    if gg:
        fees += f" | Jackpot {money(0)} | Bingo {money(0)}"
    lines += ["*** SUMMARY ***", f"Total pot {money(pot)} | {fees} "]
    board = "".join(what[1] for word, what in played.lines if word == "board")
    if board:
        lines.append(f"Board [{_spaced(board)}]")
    lines += [f"Seat {played.seats[k]}: {name[k]} folded before Flop" for k in range(len(name))]
    return "\n".join(lines) + "\n\n\n\n"


_MOVES = ("small blind", "big blind", "straddle", "folds", "checks", "calls", "bets", "raises")


def ohh(played: Played, *, adds: bool = False) -> str:
    """The hand in the Open Hand History format; `adds`: raises say what is added."""
    scale, history = SCALE[played.symbol], played.history
    kinds = {"ante": "Post Ante", "small blind": "Post SB", "big blind": "Post BB"}
    kinds |= {"straddle": "Straddle", "folds": "Fold", "checks": "Check", "calls": "Call"}
    kinds |= {"bets": "Bet", "raises": "Raise", "shows": "Shows Cards"}

    def money(amount: int) -> float:
        return amount / scale if amount % scale else amount // scale

    rounds: list[Any] = [{"id": 0, "street": "Preflop", "actions": []}]
    live: dict[int, int] = {}
    shows = []
    for word, what in played.lines:
        index = what[0] if isinstance(what, tuple) else what
        entry = {"player_id": index, "action": kinds.get(word)}
        if word == "cards":
            cards = _spaced(played.holes[played.hero]).split()
            entry = {"player_id": played.hero, "action": "Dealt Cards", "cards": cards}
        elif word == "board":
            street = STREETS[len(rounds) - 1].capitalize()
            dealt = _spaced(what[1]).split()
            rounds.append({"id": len(rounds), "street": street, "cards": dealt, "actions": []})
            live = {}
            continue
        elif word == "shows":
            shows.append({**entry, "cards": _spaced(played.holes[index]).split()})
            continue
        elif word in ("bets", "raises"):
            amount = what[2] - live.get(index, 0) if adds else what[2]
            live[index] = what[2]
            entry |= {"amount": money(amount), "is_allin": what[3]}
        elif word != "folds":
            if word != "ante":
                live[index] = live.get(index, 0) + what[1]
            entry |= {"amount": money(what[1]), "is_allin": what[2]}
        rounds[-1]["actions"].append(entry)
    if shows:
        rounds.append({"id": len(rounds), "street": "Showdown", "actions": shows})
    pot = sum(played.collected.values()) + played.rake
    wins = [{"player_id": k, "win_amount": money(won)} for k, won in played.collected.items()]
    document = {
        "spec_version": "1.4.6",
        "site_name": "Somewhere",
        "game_number": str(played.number),
        "start_date_utc": "2024-02-29T18:25:50Z",
        "tournament": played.is_tournament,
        "table_name": "O'Hara",
        "table_size": 9,
        "game_type": "Holdem",
        "bet_limit": {"bet_type": "NL", "bet_cap": 0},
        "currency": {"$": "USD", "€": "EUR", "£": "GBP"}.get(played.symbol, ""),
        "dealer_seat": played.button,
        "small_blind_amount": money(history.blinds_or_straddles[0]),
        "big_blind_amount": money(history.blinds_or_straddles[1]),
        "ante_amount": money(max(history.antes)),
        "hero_player_id": played.hero,
        "players": [
            {"id": k, "seat": played.seats[k], "name": name, "starting_stack": money(stack)}
            for k, (name, stack) in enumerate(
                zip(played.names, history.starting_stacks, strict=True)
            )
        ],
        "rounds": rounds,
        "pots": [
            {"number": 0, "amount": money(pot), "rake": money(played.rake), "player_wins": wins}
        ],
    }
    return json.dumps({"ohh": document}, ensure_ascii=False, indent=1) + "\n\n"
