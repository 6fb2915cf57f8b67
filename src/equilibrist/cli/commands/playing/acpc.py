"""`equilibrist acpc`: matches by the protocol of the Annual Computer Poker Competition."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from equilibrist.cli.commands.holdem.hand_input import hand_of
from equilibrist.cli.completion import values
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import (
    described,
    file_name,
    takes,
    with_options,
    word_called,
)
from equilibrist.cli.inputs.searching import BotSearchOptions
from equilibrist.cli.text.help_text import GroupedCommand, GroupedCommands
from equilibrist.cli.text.output import flush, note, show, show_exactly, show_json, show_table
from equilibrist.cli.text.progress import LiveLine
from equilibrist.errors import ConfigError, FileFormatError, PeerError
from equilibrist.options.option import FILES, declare, shared
from equilibrist.parsing.quantities import read_whole
from equilibrist.poker.hands.fields import HAND_OPTIONS

if TYPE_CHECKING:
    from equilibrist.protocols.acpc.dealer import MatchResult, TimeLimits

app = typer.Typer(
    help="Matches against other programs, by the protocol of the poker competition (ACPC).",
    rich_markup_mode=None,
    cls=GroupedCommands,
)


@app.callback()
def _group() -> None:
    """Matches against other programs, by the protocol of the poker competition (ACPC)."""


DEALER: Final = """Deal a match between programs that speak the ACPC's protocol, version 2.0.0.

GAME is a game definition of the competition, limit or no-limit, 2 to 10 players; `equilibrist acpc
game` writes one. The dealer prints the ports of the seats on one line, waits until a program has
connected to each, and plays. After -- it starts the programs itself: a command a seat, each in
quotes, to which the port is appended; {host} and {port} are replaced where they stand.

A message that answers an old state is ignored. A bad or illegal action becomes a call, a size out
of range the nearest legal one; each is noted. Lines that begin with # or ; are skipped.

MATCH.log has a line a hand, MATCH.tlog every action with its times, from which --append goes on
with a match that was broken off, in the middle of a hand if need be. The cards come from NumPy's
generator; the competition's own dealer deals others for the same seed.

Times are as 600, 10m or 0.5.

\b
Examples:
  equilibrist acpc dealer holdem.game --hands 3000 --seed 1
  equilibrist acpc dealer holdem.game --hands 3000 --duplicate --names Alice,Bob
    -- "equilibrist acpc client b.safetensors --port" "./bot.sh {host}"
  equilibrist acpc dealer holdem.game --hands 3000 --seed 1 --append
"""
CLIENT: Final = """Take a seat at a dealer of the ACPC's protocol: a solution, or a fixed opponent.

PLAYER is a blueprint or another solution of whole hands, or fold, call, raise, all-in or random.
--game names the game definition that the dealer plays; without it the game is that of the solution.
A solution plays as a bot: bets of others become those of its menu, stacks and blinds may be others
than its own, and with --search it thinks. The client sends legal actions only, whatever it is sent.

\b
Examples:
  equilibrist acpc client b.safetensors --port 18791
  equilibrist acpc client call --game holdem.game --port 18791
"""
GAME: Final = """Write the game definition of a hand or of a solution, as dealers read it.

SOURCE is a hand file (TOML), whose keys options override, or a blueprint or another solution of
whole hands; without it options give the hand. The definition goes to standard output, or to --out.
Amounts in big blinds become chips of a hundredth.

\b
Examples:
  equilibrist acpc game --stack 200 -o holdem.game
  equilibrist acpc game --stack 1000 --blinds 5/10 --limit limit --seats 3
  equilibrist acpc game b.safetensors -o holdem.game
"""
_HAND_OPTIONS: Final = {
    name: option
    for name, option in HAND_OPTIONS.items()
    if name
    in (
        "seats",
        "stack",
        "stacks",
        "blinds",
        "straddle",
        "limit",
        "fixed_bets",
        "raise_cap",
        "deck",
    )
}
_MATCH: Final = "Match"
_TIMES: Final = "Time limits"
_CONNECTION: Final = "Connection"


@dataclass(frozen=True)
class DealerOptions:
    """What is played, and how long players may take."""

    hands: int | None = declare("count", _MATCH, "How many hands.", least=1, default_text="100")
    seed: int | None = declare(
        "whole number", _MATCH, "Seed of the cards.", default_text="0", least=0
    )
    names: str | None = declare(
        "text",
        _MATCH,
        "The players, in the order of their ports.",
        metavar="LIST",
        default_text="player1,player2,...",
    )
    match: str | None = declare(
        "text", _MATCH, "The name of the match, for its files.", default_text="that of GAME"
    )
    duplicate: bool = declare(
        "switch", _MATCH, "Play every deal once in each rotation of the seats."
    )
    fixed_seats: bool = declare(
        "switch", _MATCH, "Do not rotate the seats.", flags=("--fixed-seats", "-f")
    )
    show_folded: bool = declare(
        "switch", _MATCH, "Show folded hands when a hand is over.", flags=("--show-folded", "-S")
    )
    append: bool = declare(
        "switch", FILES, "Go on with a match that was broken off.", flags=("--append", "-a")
    )
    log: Path | None = declare("file", FILES, "Where the hands go.", default_text="MATCH.log")
    no_log: bool = declare("switch", FILES, "Write no hands.", flags=("--no-log", "-l"))
    transactions: Path | None = declare(
        "file", FILES, "Where the actions go.", default_text="MATCH.tlog"
    )
    no_transactions: bool = declare(
        "switch", FILES, "Write no actions.", flags=("--no-transactions", "-t")
    )
    ports: str | None = declare(
        "text",
        _CONNECTION,
        "The ports of the seats; 0 is any that is free.",
        metavar="LIST",
        default_text="any",
        flags=("--ports", "-p"),
    )
    host: str | None = declare(
        "text",
        _CONNECTION,
        "The address to listen on; 0.0.0.0 for all.",
        metavar="ADDRESS",
        default_text="this machine alone",
    )
    t_response: float | None = declare("time", _TIMES, "For an answer.", default_text="10m")
    t_hand: float | None = declare(
        "time", _TIMES, "For all answers of a player in a hand.", default_text="10m"
    )
    t_per_hand: float | None = declare(
        "time", _TIMES, "For all its answers, times the number of hands.", default_text="7"
    )
    start_timeout: float | None = declare(
        "time", _TIMES, "For all players to connect.", default_text="no limit"
    )
    quiet: bool = shared(options.QUIET)
    json: bool = shared(options.JSON)

    @property
    def limits(self) -> TimeLimits:
        """The time limits."""
        from equilibrist.protocols.acpc.dealer import TimeLimits

        given = {"response": self.t_response, "hand": self.t_hand, "per_hand": self.t_per_hand}
        return TimeLimits(**{name: time for name, time in given.items() if time is not None})

    def file(self, suffix: str, stem: str) -> Path | None:
        """The log or the transaction log."""
        named = self.log if suffix == ".log" else self.transactions
        is_off = self.no_log if suffix == ".log" else self.no_transactions
        if is_off and named is not None:
            flag = "log" if suffix == ".log" else "transactions"
            raise ConfigError(
                f"--{flag} names a file, and --no-{flag} wants none",
                option=f"--no-{flag}",
                given=True,
                remedy="leave out one of them",
            )
        return None if is_off else named or Path(f"{self.match or stem}{suffix}")


@with_options
def dealer(
    game: Annotated[Path, options.file_argument("GAME", "The game definition.")],
    player: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[-- COMMAND...]",
            show_default=False,
            help="The command of each player, in quotes; without any, players are awaited.",
        ),
    ] = None,
    *,
    chosen: DealerOptions,
) -> None:
    """Play a match."""
    from equilibrist.protocols.acpc.dealer import MatchSettings
    from equilibrist.protocols.acpc.game_definition import GameDefinition
    from equilibrist.protocols.acpc.match import MatchFiles, play_match

    settings = MatchSettings(
        GameDefinition.from_file(game),
        100 if chosen.hands is None else chosen.hands,
        chosen.seed or 0,
        () if chosen.names is None else tuple(chosen.names.split(",")),
        fixed_seats=chosen.fixed_seats,
        duplicate=chosen.duplicate,
        shows_folded=chosen.show_folded,
        limits=chosen.limits,
    )
    if chosen.append and chosen.no_transactions:
        raise ConfigError(
            "--append goes on by the actions, and --no-transactions has none",
            option="--append",
            given=True,
            remedy="leave out --no-transactions",
        )
    files = MatchFiles(
        chosen.file(".log", game.stem), chosen.file(".tlog", game.stem), chosen.append, game.name
    )
    ports = None
    if chosen.ports is not None:
        ports = [read_whole(text, "ports") for text in chosen.ports.split(",")]
    hands = settings.hands
    with LiveLine(quiet=chosen.quiet) as live:
        result = play_match(
            settings,
            files,
            commands=player or (),
            ports=ports,
            **({} if chosen.host is None else {"host": chosen.host}),
            start_seconds=chosen.start_timeout,
            on_ports=(lambda _ports: None) if chosen.json or player else _show_ports,
            on_hand=lambda played: live.tell([f"hand {played:,} of {hands:,}"]),
            warn=note,
        )
    if chosen.json:
        show_json(result.to_dict())
    else:
        show_match(result)


def _show_ports(ports: tuple[int, ...]) -> None:
    """On one line, at once: who starts the players waits for it."""
    show(" ".join(map(str, ports)))
    flush()


def show_match(result: MatchResult) -> None:
    """Print the score of a match, and what each player won."""
    rows = []
    for player, name in enumerate(result.names):
        mean, width = result.mbb(player)
        interval = "" if isnan(width) else f"+-{width:.1f}"
        rows.append([name, f"{float(result.scores[player]):,g}", f"{mean:.1f}", interval])
    show(result.score_line)
    show_table(["player", "chips", "mbb a hand", "95 %"], rows)
    if result.warnings:
        note(f"{result.warnings} messages were no legal answers")


@dataclass(frozen=True)
class ClientOptions:
    """Where the dealer is, and which game it plays."""

    port: int = declare(
        "whole number", _CONNECTION, "The port of the seat.", least=1, required=True
    )
    host: str | None = declare(
        "text",
        _CONNECTION,
        "The address of the dealer.",
        metavar="ADDRESS",
        default_text="this machine",
    )
    start_timeout: float | None = declare(
        "time", _CONNECTION, "How long to try to connect.", default_text="10"
    )
    game: Path | None = declare(
        "file", _MATCH, "The game definition.", default_text="that of the solution"
    )
    seed: int | None = declare(
        "whole number", _MATCH, "Seed of what is drawn.", default_text="0", least=0
    )
    cards: Path | None = shared(options.MOVED_CARDS)
    quiet: bool = shared(options.QUIET)
    json: bool = shared(options.JSON)


@with_options
def client(
    player: Annotated[
        str,
        options.argument(
            "PLAYER",
            "A solution of whole hands, or fold, call, raise, all-in or random.",
            values.solutions,
            word_called,
        ),
    ],
    *,
    chosen: ClientOptions,
    thinks: BotSearchOptions,
) -> None:
    """Play at a dealer."""
    from equilibrist.protocols.acpc.client import Client
    from equilibrist.protocols.acpc.connections import LOOPBACK, connect
    from equilibrist.protocols.acpc.rules import rules_of
    from equilibrist.protocols.opening import open_strategy

    played = open_strategy(
        player, "acpc client", chosen.cards, search=thinks.maker(), seconds=thinks.time
    )
    definition = played.game(chosen.game)
    seated = played.player(definition)(chosen.seed or 0)
    if not chosen.quiet:
        for text in getattr(seated, "notes", ()):
            note(text)
    ours = Client(rules_of(definition), seated, note)
    seconds = 10.0 if chosen.start_timeout is None else chosen.start_timeout
    with connect(chosen.host or LOOPBACK, chosen.port, seconds) as line:
        try:
            record = ours.run(line)
        except PeerError:
            _show_record(ours.record, json=chosen.json)
            raise
    _show_record(record, json=chosen.json)


def _show_record(record: Any, *, json: bool) -> None:
    if json:
        show_json(
            {
                "hands": record.hands,
                "chips": float(record.won),
                "actions": record.actions,
                "warnings": record.warning_count,
            }
        )
    else:
        show(f"{record.hands:,} hands, {float(record.won):+z,g} chips")


@takes(_HAND_OPTIONS, "hand")
def game(
    source: Annotated[
        Path | None,
        options.argument(
            "SOURCE",
            "A hand file (TOML), or a solution of whole hands.",
            values.solutions,
            lambda text: file_name(word_called(text)),
        ),
    ] = None,
    *,
    hand: dict[str, Any],
    out: Annotated[Path | None, options.out("Write it to this file.")] = None,
    cards: Annotated[Path | None, described("cards", options.MOVED_CARDS)] = None,
) -> None:
    """Write a game definition."""
    from equilibrist.library.kinds import kind_for
    from equilibrist.protocols.acpc.game_definition import GameDefinition
    from equilibrist.protocols.opening import open_strategy
    from equilibrist.storage.kinds.file_kinds import SPOT

    if source is None or source.suffix.lower() == ".toml":
        try:
            definition = GameDefinition.of_hand(hand_of(source, hand))
        except FileFormatError as error:
            if source is not None and error.given == SPOT:
                kind_for("acpc game", source)  # refuses it with all that the command takes
            raise
    else:
        for key, value in hand.items():
            if value is not None:
                flag = f"--{key.replace('_', '-')}"
                raise ConfigError(
                    f"{source} has its own hand, and {flag} gives another",
                    option=flag,
                    given=value,
                    remedy=f"leave out {flag}",
                )
        if kind_for("acpc game", source, or_game=False) is None:
            raise ConfigError(
                f"{source} is neither a hand file nor a solution",
                option="SOURCE",
                given=source,
                remedy="give a hand file (.toml), a solution of whole hands, or --stack",
            )
        definition = open_strategy(f"{source}", "acpc game", cards).game()
    if out is None:
        show_exactly(definition.text().rstrip("\n"))
    else:
        definition.save(out)
        note(f"wrote {out}")


for _name, _command, _help, _short in (
    ("dealer", dealer, DEALER, "Deal a match between programs."),
    ("client", client, CLIENT, "Take a seat at a dealer."),
    ("game", game, GAME, "Write the game definition of a hand or a solution."),
):
    app.command(_name, help=_help, short_help=_short, cls=GroupedCommand)(_command)
