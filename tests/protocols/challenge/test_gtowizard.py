"""The calls of the GTO Wizard Benchmark against a local double, by what its clients read."""

from __future__ import annotations

import re
from typing import Any

import pytest

from equilibrist.errors import ConfigError, FileFormatError, PeerError, UnknownNameError
from equilibrist.protocols.acpc.client import Player
from equilibrist.protocols.acpc.players import FixedPlayer
from equilibrist.protocols.challenge import gtowizard
from equilibrist.protocols.challenge.gtowizard import GtoWizardServer, is_busy
from equilibrist.protocols.challenge.hands import HEADS_UP, Challenge
from equilibrist.protocols.challenge.servers import open_server, read_key
from equilibrist.protocols.serving.slumbot import SlumbotTables
from tests.protocols.acpc.random_hands import RandomPlayer
from tests.refusals import refuses


class GtoWizardDouble:
    """Tables that answer as public clients of the server read it; names are written out here."""

    def __init__(self, player: Player | None = None) -> None:
        player = player or FixedPlayer("random", 3)
        self.tables = SlumbotTables(HEADS_UP, lambda _seed: player, seed=1)
        self.token: str | None = None
        self.hands = 0
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.answers: list[dict[str, Any]] = []

    def __call__(self, call: str, document: dict[str, Any]) -> Any:
        self.sent.append((call, document))
        if call == "hands":
            assert document == {"game_name": "HUNL 200BB"}
            self.hands += 1
            state = self.tables.new_hand(self.token)
        else:
            assert call == f"hands/{self.hands}/act"
            amount = "" if document["amount"] is None else f"{document['amount']}"
            assert self.token is not None
            state = self.tables.act(self.token, document["action"] + amount)
        self.token = state["token"]
        self.answers.append(self.shown(state))
        return self.answers[-1]

    def shown(self, state: dict[str, Any]) -> dict[str, Any]:
        over = state["winnings"] is not None
        own = "SB" if state["client_pos"] else "BB"
        theirs = "".join(state["bot_hole_cards"]) if over else None
        players = [
            {"name": "GTO Wizard", "stack": 1.0, "position": "SBBB".replace(own, ""),
             "hole_cards": theirs},
            {"name": "ours", "stack": 1.0, "position": own,
             "hole_cards": "".join(state["hole_cards"])},
        ]  # fmt: skip
        words = re.findall(r"b\d+|[kcf]|/", state["action"])
        return {
            "hand_id": self.hands,
            "game": {
                "game_name": "HUNL 200BB", "starting_stack": 20000.0, "blinds": [100.0, 50.0],
                "stack_reset_per_hand": True,
            },
            "game_state": {
                "street": "flop",
                "board_cards": "".join(state["board"]),
                "is_hand_over": over,
                "players": players,
                "legal_actions": ["k", "b"],
                "raise_range": None,
                "action_history": ["_" if word == "/" else word for word in words],
                "winnings": state["winnings"],
                "aivat_score": 0.5 * state["winnings"] if over else None,
            },
        }  # fmt: skip


def challenge(double: Any, player: Player) -> Challenge:
    return Challenge(GtoWizardServer(double, HEADS_UP), player, "we")


@pytest.mark.parametrize("player", [RandomPlayer(5), FixedPlayer("call"), FixedPlayer("all-in")])
def test_hands_are_played_and_the_server_corrects_their_luck(player: Player) -> None:
    double = GtoWizardDouble()
    result = challenge(double, player).play(40)
    won = [a["game_state"]["winnings"] for a in double.answers if a["game_state"]["is_hand_over"]]
    assert result.hands == double.hands == len(won) == 40
    assert float(result.scores[0]) == sum(won)
    assert result.corrected_by == "server"
    assert result.without_luck == tuple(0.5 * value for value in won)
    assert result.aivat is not None
    assert result.aivat.mean == pytest.approx(0.5 * result.mbb(0)[0])
    assert result.to_dict()["aivat"]["corrected_by"] == "server"


def test_bets_are_sent_with_the_total_of_the_street() -> None:
    double = GtoWizardDouble(FixedPlayer("call"))
    challenge(double, FixedPlayer("all-in")).play(2)
    bets = [document for _, document in double.sent if document.get("action") == "b"]
    assert bets == [{"action": "b", "amount": 20000}] * 2


def test_we_are_the_player_that_shows_its_cards_where_no_name_says_it() -> None:
    double = GtoWizardDouble(FixedPlayer("call"))

    def renamed(call: str, document: dict[str, Any]) -> Any:
        answer = double(call, document)
        answer["game_state"]["players"][0]["name"] = "villain"
        return answer

    assert challenge(renamed, FixedPlayer("call")).play(4).hands == 4


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("hand_id", None),
        ("hand_id", 7),
        ("game.starting_stack", 10000),
        ("game.blinds", [200, 100]),
        ("game_state", None),
        ("game_state.is_hand_over", None),
        ("game_state.is_hand_over", True),
        ("game_state.action_history", ["b225", "x"]),
        ("game_state.action_history", "b225"),
        ("game_state.action_history", ["b225", "c", "_"]),
        ("game_state.players", []),
        ("game_state.players.0.position", "BB"),
        ("game_state.players.1.position", "UTG"),
        ("game_state.players.1.hole_cards", "AcAc"),
        ("game_state.players.1.name", "GTO Wizard"),
        ("game_state.board_cards", "AcAc"),
    ],
)
def test_answers_that_are_no_state_of_a_hand(path: str, value: Any) -> None:
    double = GtoWizardDouble(FixedPlayer("call"))

    def wrong(call: str, document: dict[str, Any]) -> Any:
        answer = double(call, document)
        if value != 7 or call != "hands":
            at, *names = answer, *path.split(".")
            for name in names[:-1]:
                at = at[int(name) if name.isdecimal() else name]
            at[names[-1]] = value
        if path.endswith("players.1.name"):
            at.update(name="GTO Wizard", hole_cards=None)
        return answer

    ours = challenge(wrong, FixedPlayer("call"))
    with refuses(PeerError, option="server", peer="opponent"):
        ours.play(2)


def test_an_action_that_was_taken_twice_ends_the_challenge() -> None:
    """A server may act on a call that it answers by `busy`; the call is then sent again."""
    double = GtoWizardDouble(FixedPlayer("call"))

    def twice(call: str, document: dict[str, Any]) -> Any:
        answer = double(call, document)
        return answer if call == "hands" else double(call, document)

    with refuses(PeerError, option="server", peer="opponent"):
        challenge(twice, FixedPlayer("call")).play(2)


def test_what_is_sent_again() -> None:
    assert all(is_busy(call, status) for call in ("hands", "hands/3/act") for status in (502, 503))
    assert is_busy("hands", 409)
    assert not is_busy("hands/3/act", 409)
    assert not is_busy("hands", 401)


def test_servers_by_name(tmp_path: Any) -> None:
    url = gtowizard.URL
    assert isinstance(open_server("gtowizard", url, HEADS_UP, key="k"), GtoWizardServer)
    with refuses(UnknownNameError, option="protocol"):
        open_server("other", url, HEADS_UP)
    with refuses(ConfigError, option="key"):
        open_server("slumbot", url, HEADS_UP, key="k")
    file = tmp_path / "key.txt"
    file.write_text("abc-1\n", "ascii")
    assert read_key(file) == "abc-1"
    for text in ("", "a\nb", "ü"):
        file.write_text(text, "utf-8")
        with refuses(FileFormatError, option="key"):
            read_key(file)
