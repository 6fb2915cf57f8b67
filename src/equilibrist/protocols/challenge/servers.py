"""The servers that hands can be played against, by the name of their calls."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from equilibrist.errors import ConfigError, FileFormatError, UnknownNameError
from equilibrist.options.defaults import CHALLENGE_PROTOCOLS
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.challenge import gtowizard, slumbot
from equilibrist.protocols.challenge.hands import Server
from equilibrist.protocols.challenge.http_client import SECONDS, poster
from equilibrist.storage.plain_file import read_text_file

_MOST_KEY: Final = 1_000


def open_server(
    protocol: str,
    url: str,
    definition: GameDefinition,
    *,
    seconds: float = SECONDS,
    key: str | None = None,
) -> Server:
    """Open the calls of a server; nothing is sent yet.

    Args:
        protocol: A name of `CHALLENGE_PROTOCOLS`.
        url: The address of the server.
        definition: The game that it plays.
        seconds: How long to wait for an answer.
        key: What the server knows us by, if it wants a key.

    Returns:
        The server.

    Raises:
        UnknownNameError: There are no such calls.
        ConfigError: The address is none of HTTP, or these calls have no key.
    """
    if protocol not in CHALLENGE_PROTOCOLS:
        raise UnknownNameError("protocol", protocol, list(CHALLENGE_PROTOCOLS), option="protocol")
    if protocol == "slumbot":
        if key is not None:
            raise ConfigError(
                "Slumbot's calls have no key",
                option="key",
                remedy="leave it out, or name another protocol",
            )
        return slumbot.SlumbotServer(poster(url, seconds, path=slumbot.PATH))
    headers = {} if key is None else {gtowizard.KEY_HEADER: key}
    post = poster(url, seconds, headers=headers, is_busy=gtowizard.is_busy)
    return gtowizard.GtoWizardServer(post, definition)


def read_key(file: Path) -> str:
    """Read the key of a server: the only line of a file.

    Args:
        file: The file.

    Returns:
        The key.

    Raises:
        FileFormatError: The file cannot be read, or has no such line.
    """
    key = read_text_file(file, option="key").strip()
    if not key.isascii() or not key.isprintable() or not 0 < len(key) <= _MOST_KEY:
        raise FileFormatError(
            f"{file} has no key",
            file,
            option="key",
            expected="one line with the key",
            remedy="write the key into the file, and nothing else",
        )
    return key
