"""The games that there are, and one of them, with their sizes."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from equilibrist.errors import EquilibristError
from equilibrist.library.game_facts import LIST_LIMIT, SIZE_LIMIT, default_sizes, game_document
from equilibrist.library.limits import Limits
from equilibrist.parsing.call_text import format_value
from equilibrist.web.answers.games import GameDocument, GameFacts, GameForm, GameSizes
from equilibrist.web.games.drawn import MOST_DRAWN
from equilibrist.web.games.known import known_game
from equilibrist.web.games.options import solve_options
from equilibrist.web.games.tables import MOST_CELLS, is_table
from equilibrist.web.security.short_names import without_folders
from equilibrist.web.security.texts import UPLOADED, is_shipped
from equilibrist.web.services import Services
from equilibrist.web.store.games import game_documents, uploaded_game


def all_games(services: Services, *, sizes: bool) -> list[GameDocument]:
    """The games as `equilibrist games --json` lists them, and those that were uploaded.

    Args:
        services: The services of the server.
        sizes: Whether their sizes are told, with default parameters.
    """
    from equilibrist.games import list_games

    shipped = [cast("GameDocument", info.to_dict()) for info in list_games()]
    if sizes:
        for document in shipped:
            document["sizes"] = _sizes_by_default(document["name"])
    return [*shipped, *game_documents(services.folders.games)]


def game_facts(services: Services, text: str) -> GameFacts:
    """A game with its sizes, and how it can be looked at.

    Args:
        services: The services of the server.
        text: The game.

    Returns:
        The document of `equilibrist games GAME --json`, with `is_drawn` and `is_table`.

    Raises:
        ForbiddenError: It is no game that a request may name.
        NotFoundError: No uploaded game has that name.
        EquilibristError: What loading and walking the game raise.
    """
    known = known_game(services, text)
    if text.startswith(UPLOADED):
        document = uploaded_game(services.folders.games, text.removeprefix(UPLOADED))[1]
    else:
        document = _document(known.source)
    sizes = document.get("sizes")
    count = None if sizes is None else sizes.get("num_nodes")
    small = count is not None and count <= MOST_CELLS
    return {
        **document,
        "text": known.text,
        "is_drawn": count is not None and count <= MOST_DRAWN,
        "is_table": small and is_table(known),
        "shown_names": {} if count is None else known.shown_names,
    }


def game_form(services: Services, text: str) -> GameForm:
    """Look a game up in the registry, and read the parameters of its text, as texts.

    The page of a game begins with this, so that bad parameters do not keep it from being shown: of
    a text that cannot be read only the name counts.

    Args:
        services: The services of the server.
        text: The game.

    Returns:
        The document of the registry, or what the file of the game says of itself.

    Raises:
        ForbiddenError: It is no game that a request may name.
        NotFoundError: No uploaded game has that name.
        UnknownNameError: There is no such game.
    """
    from equilibrist.games import list_games, load_game
    from equilibrist.games.spec import parse_spec

    known, options = known_game(services, text), solve_options()
    name = text.partition("(")[0].strip()
    word = name.lower().replace("-", "_")
    info = next((listed for listed in list_games() if word in {listed.name, *listed.aliases}), None)
    if info is None:
        if ":" not in text and is_shipped(text):  # by its form: says which names there are
            load_game(text)
        own = known.own_names
        return {"name": known.text, "title": own.title, "player_names": list(own.players),
                "values": {}, "options": options}  # fmt: skip
    try:
        values = {key: format_value(value) for key, value in parse_spec(text).params.items()}
    except EquilibristError:
        values = {}
    return {**cast("GameDocument", info.to_dict()), "values": values, "options": options}


@lru_cache(maxsize=64)
def _document(text: str) -> GameDocument:
    document = game_document(text, Limits(SIZE_LIMIT))
    document["name"] = without_folders(document["name"])
    if document["sizes"] is not None:
        document["sizes"]["game"] = without_folders(document["sizes"]["game"])
    return cast("GameDocument", document)


@lru_cache(maxsize=64)
def _sizes_by_default(name: str) -> GameSizes | None:
    from equilibrist.games import list_games

    info = next(info for info in list_games() if info.name == name)
    return cast("GameSizes | None", default_sizes(info, Limits(LIST_LIMIT)))
