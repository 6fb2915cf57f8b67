"""The tables of hand strengths on disk: what was written is read, and nothing damaged is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.poker.cards import evaluator_file
from equilibrist.poker.cards.evaluator_file import PackedStrengths, keep, kept
from equilibrist.poker.cards.evaluator_tables import packed_strengths, strength_tables


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder."""
    monkeypatch.setenv("EQUILIBRIST_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("EQUILIBRIST_NUMBA_CACHE", raising=False)
    return tmp_path / "cache"


def small() -> PackedStrengths:
    return PackedStrengths(
        np.array([-5, 7], np.int32), np.arange(60_000, 60_003, dtype=np.uint16),
        np.array([1, 2**16 - 1], np.uint16),
    )  # fmt: skip


def the_file(cache: Path) -> Path:
    (file,) = cache.rglob("*.bin")
    return file


def same(found: PackedStrengths | None, wanted: PackedStrengths) -> bool:
    pairs: Any = zip(found or (), wanted, strict=found is not None)
    return found is not None and all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in pairs)


def test_what_is_kept_is_read_again(cache: Path) -> None:
    assert kept(7) is None
    keep(7, small())
    assert same(kept(7), small())
    assert kept(6) is None
    found = kept(7)
    assert found is not None
    assert all(table.flags.writeable for table in found)  # kernels are compiled for such arrays
    assert not [*cache.rglob("*.part*")]


@pytest.mark.parametrize("place", [0, 31, 32, 40, 60, -1])
def test_a_changed_byte_is_seen(cache: Path, place: int) -> None:
    keep(7, small())
    file = the_file(cache)
    data = bytearray(file.read_bytes())
    data[place] ^= 1
    file.write_bytes(data)
    assert kept(7) is None


@pytest.mark.parametrize("size", [0, 1, 32, 50])
def test_a_cut_file_is_seen(cache: Path, size: int) -> None:
    keep(7, small())
    file = the_file(cache)
    file.write_bytes(file.read_bytes()[:size])
    assert kept(7) is None


def test_damaged_tables_are_built_again(cache: Path) -> None:
    built = packed_strengths(5)
    strength_tables.cache_clear()
    strength_tables(5)
    file = the_file(cache)
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    strength_tables.cache_clear()
    assert same(PackedStrengths(*strength_tables(5)[2:]), built)
    assert file.read_bytes() == whole
    strength_tables.cache_clear()
    assert same(PackedStrengths(*strength_tables(5)[2:]), built)


def test_an_edit_of_the_builder_misses_the_file(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(7, small())
    other = "equilibrist.poker.cards.evaluator"  # another module, as another version would be
    monkeypatch.setattr(evaluator_file, "_BUILDER", other)
    assert kept(7) is None


def test_without_a_cache_they_are_built(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EQUILIBRIST_NUMBA_CACHE", "0")
    keep(7, small())
    assert kept(7) is None
    assert not cache.exists()
