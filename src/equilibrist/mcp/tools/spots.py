"""Spots that tools name: by a file of the folder, by keys, or by both."""

from __future__ import annotations

import asyncio
from typing import Any

from pydantic import BaseModel, Field

from equilibrist.mcp.workspace import Workspace
from equilibrist.protocols.hand_spots import read_spot
from equilibrist.storage.archive import file_kind
from equilibrist.storage.kinds.file_kinds import PLAYED, SETUPS
from equilibrist.storage.plain_file import read_text_file
from equilibrist.web.api.orders import SpotInput

_KEYS = ("board", "oop", "ip", "pot", "stack", "bets", "raises")


class SpotFields(BaseModel):
    """A hold'em spot."""

    file: str | None = Field(
        None,
        description="A spot file (TOML), a set-up of PioSOLVER, TexasSolver or WASM Postflop, or a "
        "played hand (FILE#NUMBER, with oop and ip); other arguments override it.",
    )
    board: str | None = Field(None, description="3 to 5 cards, as QsJh2h.")
    oop: str | None = Field(None, description="Range out of position, as AA,KQs,T9s:0.5.")
    ip: str | None = Field(None, description="Range in position.")
    pot: float | None = Field(None, description="Chips in the pot.")
    stack: float | None = Field(None, description="Chips behind, of each player.")
    bets: str | None = Field(None, description="Bet sizes, as 50%,100%,a (a: all-in).")
    raises: str | None = Field(None, description="Raise sizes, as 60%,a or 2.5x.")
    keys: dict[str, Any] = Field(
        default_factory=dict,
        description="Further keys of a spot file: oop_bets, ip_bets, donks, rake, rake_cap, locks, "
        "...",
    )

    @property
    def spot_keys(self) -> dict[str, Any]:
        """The keys of the spot that are given."""
        own = {name: value for name in _KEYS if (value := getattr(self, name)) is not None}
        for name in ("pot", "stack"):
            if name in own and own[name] == int(own[name]):
                own[name] = int(own[name])
        return {**self.keys, **own}


async def spot_for(workspace: Workspace, given: SpotFields) -> tuple[SpotInput, str | None]:
    """The spot of a request to the browser's server, and what of its file is not taken over.

    Args:
        workspace: The folder.
        given: The arguments of a tool.

    Raises:
        ForbiddenError: The file lies outside the folder.
        FileFormatError: There is none, or it cannot be read.
        EquilibristError: What reading a set-up raises.
    """
    if given.file is None:
        return SpotInput(toml=None, keys=given.spot_keys), None
    file, mark, name = given.file.partition("#")
    path = workspace.path(file, "file")

    def read() -> tuple[SpotInput, str | None]:
        if file_kind(path) not in (*SETUPS, *PLAYED):
            return SpotInput(toml=read_text_file(path), keys=given.spot_keys), None
        setup = read_spot(f"{path}{mark}{name}", **given.spot_keys)
        return SpotInput(toml=setup.spot.to_toml()), setup.note or None

    return await asyncio.to_thread(read)
