"""Commands on theory name infosets as `inspect` does: J, Q and K for the cards of Kuhn poker."""

from __future__ import annotations

import re

import pytest

from tests.cli.command import Shell

OWN = re.compile(r"(?<![\w.])[1-4](?:[pb]+\b| (?:pass|bet)\b)")
"""A key of Kuhn poker as the game has it, alone or before an action."""


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("dominated kuhn", "Jpb"),
        ("dominated kuhn --plans", "Jpb pass"),
        ("correlate kuhn --concept cce", "Jpb pass"),
        ("abstract kuhn --abstraction cards(JQ.K)", "JQ:pb"),
        ("abstract kuhn --abstraction memory(last=0)", "J (seat 0)"),
        ("solve kuhn --algorithm efr --measure efce --iterations 3", "player 0 at 'J"),
    ],
)
def test_infosets_have_the_letters_of_their_cards(shell: Shell, command: str, shown: str) -> None:
    out = shell(command).ok().out
    assert shown in out
    assert not OWN.search(out), OWN.findall(out)
    assert not re.search(r"'[1-4][pb]*'", out)


def test_documents_keep_the_keys_of_the_game(shell: Shell) -> None:
    """`--json` is for programs: what it names is what other commands take."""
    found = shell("dominated kuhn --json").ok().json
    assert "1pb" in {row["infoset"] for row in found["dominated"]}


def test_the_trigger_of_a_device_has_them_too(shell: Shell) -> None:
    solve = "solve kuhn --algorithm efr --measure efce --iterations 3"
    shell(f"{solve} --save-device d.safetensors").ok()
    for command in ("correlate kuhn --measure d.safetensors", "inspect d.safetensors --game kuhn"):
        out = shell(command).ok().out
        assert re.search(r"at '[JQK]", out)
        assert not OWN.search(out)
