"""`equilibrist acpc`: matches with players in processes, and what is refused."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, FileFormatError, PeerError
from equilibrist.protocols.acpc.game_definition import GameDefinition
from tests.cli.command import PROGRAM, Shell
from tests.protocols.acpc.tables import HEADS_UP


def command(*words: object) -> str:
    return shlex.join([*PROGRAM, "acpc", "client", *map(str, words)])


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "holdem.game"
    file.write_text(HEADS_UP.text())
    return file


@pytest.mark.slow
def test_one_command_runs_a_whole_match(shell: Shell, game: Path) -> None:
    players = [command(word, "--game", game, "--port") for word in ("call", "all-in")]
    words = shlex.join(["--", *players])
    ran = shell(f"acpc dealer {game} --hands 4 --duplicate --seed 1 --names A,B -q {words}").ok()
    score, *_ = ran.out.splitlines()
    assert score.startswith("SCORE:")
    assert score == Path("holdem.log").read_text().splitlines()[-1]
    ran = shell(f"acpc dealer {game} --hands 4 --match other --json {words}").ok()
    assert ran.json["hands"] == 4
    assert ran.json["warnings"] == 0
    assert sum(player["chips"] for player in ran.json["players"]) == 0
    assert Path("other.tlog").read_text()


def test_a_match_that_is_there_is_not_overwritten(shell: Shell, game: Path) -> None:
    Path("holdem.log").write_text("STATE\n")
    shell(f"acpc dealer {game} --hands 4").refused(ConfigError, option="log")
    shell(f"acpc dealer {game} --append --no-transactions").refused(ConfigError, option="--append")
    shell(f"acpc dealer {game} --log a.log --no-log").refused(ConfigError, option="--no-log")


def test_players_that_cannot_be_started(shell: Shell, game: Path) -> None:
    shell(f"acpc dealer {game} -lt -- one").refused(ConfigError, option="player", given=1)
    shell(f"acpc dealer {game} -lt -- /no/such/bot /no/such/bot").refused(
        ConfigError, option="player", given="/no/such/bot"
    )
    fails = shlex.quote(shlex.join([*PROGRAM[:1], "-c", "raise SystemExit(3)"]))
    shell(f"acpc dealer {game} -lt -- {fails} {fails}").refused(PeerError, option="player", given=3)


def test_nobody_comes(shell: Shell, game: Path) -> None:
    shell(f"acpc dealer {game} -lt --json --start-timeout 0.2").refused(
        PeerError, option="start_timeout", peer="player1"
    )
    shell(f"acpc client call --game {game} --port 1 --start-timeout 0.1").refused(
        PeerError, option="port", given=1
    )


def test_games_and_players_that_are_none(shell: Shell, game: Path) -> None:
    game.write_text("GAMEDEF\n")
    shell(f"acpc dealer {game}").refused(FileFormatError, option="END GAMEDEF")
    shell("acpc client call --port 1").refused(ConfigError, option="game")
    shell(f"acpc client nothing.safetensors --game {game} --port 1").refused(FileFormatError)


def test_the_game_of_a_hand_file(shell: Shell, tmp_path: Path) -> None:
    hand = tmp_path / "hand.toml"
    hand.write_text("stack = 200\n")
    ran = shell(f"acpc game {hand}").ok()
    assert ran.out == HEADS_UP.text()
    shell(f"acpc game {hand} -o {tmp_path / 'x.game'}").ok()
    assert GameDefinition.from_file(tmp_path / "x.game") == HEADS_UP
    assert shell("acpc game --stack 200").ok().out == HEADS_UP.text()
    for word in ("call", "kuhn"):
        shell(f"acpc game {word}").refused(ConfigError, option="SOURCE", given=word)
    Path("one.phh").write_text(NO_LIMIT_WITH_ANTES)
    ran = shell("acpc game one.phh").refused(FileFormatError, given="hand-histories")
    assert "`equilibrist acpc game`" in ran.err


def test_what_a_hand_lacks_is_what_the_command_takes(shell: Shell) -> None:
    """Of `preflop count`, too, whose hands have bets."""
    for command, takes_bets in (("acpc game", False), ("preflop count", True)):
        ran = shell(command).refused(ConfigError, option="hand")
        assert ("--stack" in ran.err, "--bets" in ran.err) == (True, takes_bets)


def test_logs_become_histories_and_come_back(shell: Shell, game: Path) -> None:
    Path("holdem.log").write_text("STATE:0:f:2c2d|2h3d:50|-50:a|b\n")
    assert "1 hand" in shell("hands convert holdem.log h.phhs").ok().err
    Path("h.phhs").write_text(Path("h.phhs").read_text() + "[2]\n" + NO_LIMIT_WITH_ANTES)
    ran = shell("hands convert h.phhs again.log").ok()
    assert ran.err.count("left out") == 1
    assert Path("again.log").read_text() == Path("holdem.log").read_text()
    assert Path("again.game").read_text() == game.read_text()
    shell("hands convert holdem.log x.doc").refused(ConfigError, option="target")


NO_LIMIT_WITH_ANTES = """
variant = "NT"
antes = [1, 1]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ["d dh p1 ????", "d dh p2 ????", "p2 f"]
"""
