"""`equilibrist bot match`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.searching import BotSearchOptions
from equilibrist.cli.inputs.signals import end_cut_short, limited
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import heading, note, show, show_json, suggest
from equilibrist.errors import ConfigError
from equilibrist.library.kinds import kind_for, open_saved
from equilibrist.options.defaults import FIXED_OPPONENTS
from equilibrist.options.option import FILES, declare, shared

if TYPE_CHECKING:
    from equilibrist.evaluation import Estimate, Match
    from equilibrist.play import Bot
    from equilibrist.play.bots.matches import BotMatch
    from equilibrist.poker import Hand
    from equilibrist.progress import OnProgress, Progress

MATCH: Final = """Let bots play hands of hold'em against each other.

A and B are solutions of hands, or fixed opponents: fold, call, raise, random, all-in. The table is
that of A, or of the hand file --table; a bot whose stacks or bet sizes are others maps what is
played to its own. A takes one seat and B all others. --search and --time let A think; B plays its
strategy.

With --duplicate every deal is played once for each seat of A, so that both get the same cards. With
--aivat the luck of the cards and of what the bots drew is taken out, for two seats: the mean stays
the same, and its interval becomes narrower. Both are over deals, in thousandths of a big blind
(mbb) per hand.

--log keeps every deal when it is over. The same command goes on from there after Ctrl-C or a crash.

\b
Examples:
  equilibrist bot match b.safetensors other.safetensors --hands 100000 --duplicate --aivat
  equilibrist bot match b.safetensors random --hands 1e4 --log match.jsonl
  equilibrist bot match b.safetensors call --table deep.toml --json
"""
_HANDS: Final = 10_000


@dataclass(frozen=True)
class MatchOptions:
    """What is played; None for what was not typed."""

    hands: int | None = declare(
        "count",
        "Hands",
        "Play this many hands in all.",
        default_text=f"{_HANDS}",
        least=2,
    )
    duplicate: bool = declare("switch", "Hands", "Play every deal once for each seat of A.")
    aivat: bool = declare("switch", "Hands", "Take the luck out, with two seats.")
    table: Path | None = declare(
        "file", "Hands", "A hand file with the stacks and blinds of the table.", default_text="A's"
    )
    seed: int | None = declare(
        "whole number", "Hands", "Seed of the deals.", default_text="0", least=0
    )
    log: Path | None = declare(
        "file", FILES, "Append every deal to this file, and go on from what it has."
    )
    cards: Path | None = shared(
        options.MOVED_CARDS, help="The card buckets of A, if they are elsewhere now."
    )


@with_options
def match(
    a: Annotated[str, options.player_argument("A", "A solution, or a fixed opponent.")],
    b: Annotated[str, options.player_argument("B", "The same for the other.")],
    *,
    chosen: MatchOptions,
    thinks: BotSearchOptions,
    json: options.Json = False,
) -> None:
    """Open both, play, print."""
    from equilibrist.play.bots.matches import BotMatch

    seed = chosen.seed or 0
    search = thinks.open()
    first, hand = _bot(a, seed, chosen.cards)
    second, other = _bot(b, seed + 1, None)
    table = _table(chosen.table, hand, other)
    _check_bots(chosen.table, table, {"A": (a, hand), "B": (b, other)})
    if search is not None:
        from equilibrist.play import Bot

        first = Bot(first.strategy, search, seed=seed, name=a, seconds=thinks.time)
    played = BotMatch(
        table, first, second, seed=seed, duplicate=chosen.duplicate, aivat=chosen.aivat
    )
    hands = _HANDS if chosen.hands is None else chosen.hands
    deals = max(2, -(-hands // played.games))
    with limited(None) as limit, limit.working("playing hands") as line:
        outcome = played.play(deals, log=chosen.log, callbacks=_report(line.now, played.games))
    stopped_by = limit.stopped_by(interrupted=outcome.interrupted)
    if json:
        show_json(_document(played, a, b, outcome) | {"stopped_by": stopped_by})
    else:
        _show(played, a, b, outcome)
        if chosen.log is not None and outcome.interrupted:
            note(f"the hands so far are in {chosen.log}: the same command goes on")
        elif a not in FIXED_OPPONENTS:
            suggest(next_command("bot play", a, without=("hands", "seed")))
    end_cut_short(stopped_by, None, "more hands would narrow the interval", json=json)


def _bot(word: str, seed: int, cards: Path | None) -> tuple[Bot, Hand | None]:
    """The bot that a word names, and the hand of its solution."""
    from equilibrist.play import Bot, FixedAgent, HandGame
    from equilibrist.play.solutions.reading import solution_game

    if word in FIXED_OPPONENTS and not Path(word).exists():
        return Bot(FixedAgent(word), seed=seed, name=word), None
    kind = kind_for("bot match", word, or_game=False)
    if kind is None:
        raise ConfigError(
            f"{word!r} is not a file or a fixed opponent",
            option="A",
            given=word,
            expected=f"a solution of hands, or one of {', '.join(FIXED_OPPONENTS)}",
        )
    solution = open_saved(Path(word), cards).content
    game = solution_game(solution)
    assert isinstance(game, HandGame)
    return Bot(solution, seed=seed, name=word), game.hand


def _table(file: Path | None, *hands: Hand | None) -> Hand:
    """The hand at the table; ConfigError where nothing says it."""
    from equilibrist.poker import Hand

    if file is not None:
        return Hand.from_toml(file)
    for hand in hands:
        if hand is not None:
            return hand
    raise ConfigError(
        "fixed opponents do not say which hand is played",
        option="--table",
        expected="a hand file",
        remedy="give --table FILE, or a solution",
    )


def _check_bots(
    file: Path | None, table: Hand, bots: Mapping[str, tuple[str, Hand | None]]
) -> None:
    """Raise ConfigError for a bot of other seats than the table has, or that lacks its cards."""
    for option, (word, hand) in bots.items():
        if hand is not None and hand.rules.lowest_rank > table.rules.lowest_rank:
            raise ConfigError(
                f"{word} plays {len(hand.rules.deck)} cards, and the table {len(table.rules.deck)}",
                option=option if file is None else "--table",
                given=hand.deck,
                expected=table.deck,
                remedy=f"give a table with the deck {hand.deck}, or another bot",
            )
        if hand is None or hand.seats == table.seats:
            continue
        where = "the table, that of A," if file is None else file
        raise ConfigError(
            f"{word} plays {hand.seats} seats, and {where} has {table.seats}",
            option=option if file is None else "--table",
            given=hand.seats,
            expected=table.seats,
            remedy="give two bots of as many seats"
            if file is None
            else f"give a table of {hand.seats} seats, or bots of {table.seats}",
        )


def _report(tell: Any, games: int) -> OnProgress:
    """Make the callback that tells how many hands have been played."""

    def report(progress: Progress) -> None:
        done, total = games * progress.iteration, games * (progress.total or 0)
        tell(f"playing hands: {done:,} of {total:,}")

    return report


def _document(played: BotMatch, a: str, b: str, outcome: Match) -> dict[str, Any]:
    return {
        "game": played.hand.name,
        "first": a,
        "second": b,
        "num_players": played.hand.seats,
        "duplicate": played.duplicate,
        "unit": "mbb per hand",
        "hands": outcome.deals * played.games,
        "deals": outcome.deals,
        "seed": outcome.seed,
        **_figures(outcome),
        "aivat": None if outcome.aivat is None else _figures(outcome.aivat),
    }


def _figures(estimate: Estimate) -> dict[str, Any]:
    return {
        "mean": estimate.mean,
        "half_width": estimate.half_width,
        "interval": list(estimate.interval),
    }


def _show(played: BotMatch, a: str, b: str, outcome: Match) -> None:
    hands = outcome.deals * played.games
    heading(f"{played.hand.name}: A = {a} against B = {b}, {hands:,} hands")
    show(f"A wins {_text(outcome)}")
    if outcome.aivat is not None:
        show(f"AIVAT:  {_text(outcome.aivat)}, without the luck of cards and draws")
    each = f"each of {outcome.deals:,} deals once for each seat of A" if played.duplicate else ""
    others = f"B in all {played.hand.seats - 1} others" if played.hand.seats > 2 else ""
    told = "; ".join(filter(None, (each, others, f"--seed {outcome.seed}")))
    show(f"(mbb: thousandths of a big blind; {told})")


def _text(estimate: Estimate) -> str:
    low, high = estimate.interval
    return f"{estimate.mean:+z.1f} mbb per hand, 95 % interval {low:+z.1f} to {high:+z.1f}"
