"""Whole matches over sockets, with players in threads."""

from __future__ import annotations

import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, FileFormatError, PeerError
from equilibrist.protocols.acpc.client import Client, ClientRecord, Player
from equilibrist.protocols.acpc.connections import LOOPBACK, Doors, connect
from equilibrist.protocols.acpc.dealer import MatchSettings
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.log import read_log
from equilibrist.protocols.acpc.match import MatchFiles, StartedPlayers, play_match
from equilibrist.protocols.acpc.rules import rules_of
from tests.protocols.acpc.random_hands import RandomPlayer
from tests.protocols.acpc.tables import GAMES, HEADS_UP, always_call
from tests.refusals import refuses

PATIENCE = 240.0
"""Seconds that anything may take on a busy machine."""


class GoneError(BaseException):
    """Ends a client in the middle of a hand."""


class Threads:
    """Clients in threads, started once the dealer says its ports."""

    def __init__(self, definition: GameDefinition, players: list[Player]) -> None:
        self._definition, self._players = definition, players
        self.records: dict[int, ClientRecord] = {}
        self._threads: list[threading.Thread] = []

    def start(self, ports: tuple[int, ...]) -> None:
        for number, port in enumerate(ports):
            thread = threading.Thread(target=self._play, args=(number, port), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _play(self, number: int, port: int) -> None:
        client = Client(rules_of(self._definition), self._players[number])
        self.records[number] = client.record
        with suppress(PeerError, GoneError), connect(LOOPBACK, port, PATIENCE) as line:
            client.run(line, PATIENCE)

    def join(self) -> None:
        for thread in self._threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()


@pytest.mark.parametrize(
    ("name", "hands"),
    [
        ("heads-up", 60),
        ("limit", 60),
        ("six", 12),
        pytest.param("heads-up", 600, marks=pytest.mark.slow),
    ],
)
def test_a_duplicate_match_over_sockets_has_no_warning(
    name: str, hands: int, tmp_path: Path
) -> None:
    definition = GAMES[name]
    threads = Threads(definition, [RandomPlayer(seed) for seed in range(definition.seats)])
    settings = MatchSettings(definition, hands, seed=1, duplicate=True)
    warnings: list[str] = []
    result = play_match(
        settings,
        MatchFiles(tmp_path / "m.log", tmp_path / "m.tlog"),
        start_seconds=PATIENCE,
        on_ports=threads.start,
        warn=warnings.append,
    )
    threads.join()
    assert warnings == []
    assert result.warnings == 0
    assert result.hands == hands
    record = read_log(tmp_path / "m.log", rules_of(definition))
    assert [hand.hand for hand in record.hands] == list(range(hands))
    assert record.score == result.score_line
    for number in range(definition.seats):
        seen = threads.records[number]
        assert seen.warnings == []
        assert (seen.hands, seen.won) == (hands, result.scores[number])


def test_a_client_that_vanishes_leaves_the_hands_so_far(tmp_path: Path) -> None:
    class Leaving:
        def __init__(self) -> None:
            self.left = 9

        def __call__(self, state):
            self.left -= 1
            if not self.left:
                raise GoneError
            return always_call(state)

    threads = Threads(HEADS_UP, [Leaving(), always_call])
    files = MatchFiles(tmp_path / "m.log", tmp_path / "m.tlog")
    with refuses(PeerError, place="hand 2"):
        play_match(
            MatchSettings(HEADS_UP, 10),
            files,
            start_seconds=PATIENCE,
            on_ports=threads.start,
        )
    assert len(read_log(tmp_path / "m.log", rules_of(HEADS_UP)).hands) == 2
    with refuses(FileFormatError, option="log"):
        play_match(
            MatchSettings(HEADS_UP, 10, seed=1),
            MatchFiles(tmp_path / "m.log", tmp_path / "m.tlog", appends=True),
            start_seconds=PATIENCE,
        )
    again = Threads(HEADS_UP, [always_call, always_call])
    result = play_match(
        MatchSettings(HEADS_UP, 10),
        MatchFiles(tmp_path / "m.log", tmp_path / "m.tlog", appends=True),
        start_seconds=PATIENCE,
        on_ports=again.start,
    )
    again.join()
    assert result.hands == 10
    record = read_log(tmp_path / "m.log", rules_of(HEADS_UP))
    assert [hand.hand for hand in record.hands] == list(range(10))


@pytest.mark.parametrize(
    ("host", "told"),
    [("192.168.1.5", "192.168.1.5"), ("0.0.0.0", LOOPBACK), ("::", LOOPBACK)],
)
def test_players_are_told_where_the_dealer_listens(host: str, told: str, tmp_path: Path) -> None:
    script = tmp_path / "player.py"
    script.write_text(
        "import sys, pathlib; pathlib.Path(__file__ + '.txt').write_text(sys.argv[1])"
    )
    with StartedPlayers([f"{sys.executable} {script} {{host}} {{port}}"], [7], ["a"], host):
        pass
    assert (tmp_path / "player.py.txt").read_text() == told


def test_a_host_that_is_not_of_this_machine() -> None:
    with refuses(ConfigError, option="host", given="203.0.113.7"):
        Doors(["a"], [8998], "203.0.113.7")


def test_a_match_tells_its_host_to_the_players(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hosts: list[str] = []

    class Watched(StartedPlayers):
        def __init__(self, commands, ports, names, host="none"):
            hosts.append(host)
            raise GoneError

    monkeypatch.setattr("equilibrist.protocols.acpc.match.StartedPlayers", Watched)
    with suppress(GoneError):
        play_match(MatchSettings(HEADS_UP, 1), MatchFiles(), host="127.0.0.1")
    assert hosts == [LOOPBACK]
