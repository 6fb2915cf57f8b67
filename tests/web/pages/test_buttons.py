"""What buttons start, they start once."""

from __future__ import annotations

import asyncio

import pytest

from equilibrist.web.pages.layout import buttons
from equilibrist.web.pages.layout.buttons import SingleStart


def test_a_click_after_a_start_begins_no_other_until_the_page_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[int] = []

    async def begin() -> None:
        await asyncio.sleep(0)
        started.append(len(started))

    async def clicks() -> None:
        start = SingleStart()
        await asyncio.gather(start.run(begin), start.run(begin))
        await start.run(begin)  # the second click, when the first has done its work
        assert started == [0]
        monkeypatch.setattr(buttons, "_LEAVING", 0.0)
        start = SingleStart()
        await start.run(begin)
        await asyncio.sleep(0.01)
        await start.run(begin)  # a page that is opened again
        assert started == [0, 1, 2]

    asyncio.run(clicks())


def test_what_has_failed_is_tried_again() -> None:
    tried: list[str] = []

    async def fail() -> None:
        tried.append("once more")
        raise ValueError

    async def clicks() -> None:
        start = SingleStart()
        for _ in range(2):
            with pytest.raises(ValueError):
                await start.run(fail)

    asyncio.run(clicks())
    assert len(tried) == 2
