"""Files of card buckets: look-up, the symmetry of suits, builds that end early, bad files."""

from __future__ import annotations

import os
import shutil
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, FileFormatError, MemoryBudgetError, OutputError
from equilibrist.poker.buckets.build import build_card_buckets
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.poker.buckets.hand_report import board_equities, hand_report
from equilibrist.poker.cards.canonical_boards import canonical_boards
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, FIRST_CARD, combo_name, parse_combo
from equilibrist.poker.cards.deal_counts import count_deals
from equilibrist.poker.cards.isomorphism import CARD_IMAGES, COMBO_IMAGES
from equilibrist.storage import mapped_archive
from tests.poker.buckets.conftest import OPTIONS
from tests.refusals import refuses

TEN = 8
NOT_DEALT = 65_535


@pytest.mark.parametrize("size", [3, 4, 5])
def test_images_of_a_hand_and_a_board_have_one_bucket(small, size):
    random = np.random.default_rng(size)
    for _ in range(5):
        board = random.choice(np.arange(4 * TEN, 52), size, replace=False)
        row = small.row(board.tolist())
        for permutation in random.choice(24, 3).tolist():
            image = random.permutation(CARD_IMAGES[permutation][board]).tolist()
            np.testing.assert_array_equal(small.row(image)[COMBO_IMAGES[permutation]], row)


def test_a_row_has_the_bucket_of_every_hand_that_is_dealt(small):
    for size in (0, 3, 4, 5):
        board = [51, 50, 45, 40, 35][:size]
        row = small.row(board)
        free = 20 - size
        dealt = np.flatnonzero(row != NOT_DEALT)
        assert len(dealt) == free * (free - 1) // 2
        assert all(small.lookup(board, hand) == row[hand] for hand in dealt[::17].tolist())
        assert row[dealt].max() < small.counts[(0, 3, 4, 5).index(size)]


def test_sizes_and_equities_are_those_of_the_rows(small):
    for street, size in ((1, 3), (2, 4), (3, 5)):
        facts, copies = small.facts(street), canonical_boards(size, TEN).copies
        rows = small.rows(street)
        dealt = rows != NOT_DEALT
        counted = np.bincount(rows[dealt], np.broadcast_to(copies[:, None], rows.shape)[dealt])
        np.testing.assert_array_equal(facts.size, counted)
        assert (facts.size * facts.equity).sum() / facts.size.sum() == pytest.approx(0.5, abs=1e-9)
        assert len(facts.size) == facts.buckets == small.counts[street]


def test_the_mean_equity_of_a_river_bucket(small):
    facts, boards = small.facts(3), canonical_boards(5, TEN)
    total = np.zeros(facts.buckets)
    for board, copies, row in zip(boards.cards, boards.copies, small.rows(3), strict=True):
        mean = board_equities(board.tolist(), TEN).mean()
        dealt = row != NOT_DEALT
        total += np.bincount(row[dealt], copies * mean[dealt], facts.buckets)
    np.testing.assert_allclose(facts.equity, total / facts.size)
    assert (np.diff(facts.equity) > 0).all()


def test_every_class_has_a_bucket_before_the_flop(small):
    row = small.row(())
    dealt = FIRST_CARD >= 4 * TEN
    assert small.counts[0] == 25
    assert len({(int(row[h]), int(CLASS_OF_COMBO[h])) for h in np.flatnonzero(dealt)}) == 25


@pytest.mark.slow
def test_a_bucket_for_every_hand(tmp_path):
    """As many as there are hands up to suits, each with the images of one hand."""
    cards = build_card_buckets("all/all/all/all", tmp_path / "all.safetensors", **OPTIONS)
    assert cards.counts == (25, 7760, *(count_deals((2, n), TEN) for n in (4, 5)))
    assert cards.kinds == ("lossless",) * 4
    assert cards.rows(3).dtype == np.int32
    board = parse_cards("KsQsTh")
    row = cards.row(board)
    alike: dict[Any, Any] = {}
    for hand in np.flatnonzero(row != NOT_DEALT).tolist():
        # The symmetries of the board exchange clubs and diamonds.
        other = int(COMBO_IMAGES[6][hand]) if (CARD_IMAGES[6][list(board)] == board).all() else hand
        alike.setdefault(int(row[hand]), set()).add(frozenset((hand, other)))
    assert all(len(images) == 1 for images in alike.values())
    with refuses(ConfigError, option="hand"):
        cards.lookup(parse_cards("KsQsThJh"), parse_combo("KsAs"))


def test_hands_that_differ_in_strength_are_kept_apart_by_the_last_bucket(small):
    best = small.lookup(parse_cards("AsKsQs"), parse_combo("JsTs"))
    worst = small.row(parse_cards("AsKsQs"))
    assert best == worst[worst != NOT_DEALT].max()


def test_the_file_is_the_same_on_any_number_of_threads(small, tmp_path):
    other = build_card_buckets(
        "all/40/40/20", tmp_path / "other.safetensors", **{**OPTIONS, "threads": 3}
    )
    assert other.hash == small.hash
    assert other.path.read_bytes() == small.path.read_bytes()


def test_another_seed_gives_other_buckets(small, tmp_path):
    other = build_card_buckets("all/40/40/20", tmp_path / "o.safetensors", **OPTIONS, seed=1)
    assert other.hash != small.hash


def test_a_build_that_was_killed_goes_on_from_its_finished_streets(small, tmp_path):
    told = []

    def stop(street, text, share):
        told.append(street)
        if street == "flop" and text.startswith("k-means"):
            raise KeyboardInterrupt

    out = tmp_path / "c.safetensors"
    with pytest.raises(KeyboardInterrupt):
        build_card_buckets("all/40/40/20", out, **OPTIONS, on_stage=stop)
    assert not out.exists()
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept == ["c.safetensors.river", "c.safetensors.turn"]
    told.clear()
    found = build_card_buckets(
        "all/40/40/20", out, **OPTIONS, on_stage=lambda street, *_: told.append(street)
    )
    assert set(told) == {"flop", "all streets"}
    assert out.read_bytes() == small.path.read_bytes()
    assert found.hash == small.hash
    assert [path.name for path in tmp_path.iterdir()] == ["c.safetensors"]


def test_finished_streets_of_other_options_are_not_taken(tmp_path):
    def stop(street, text, share):
        if street == "turn":
            raise KeyboardInterrupt

    out = tmp_path / "c.safetensors"
    with pytest.raises(KeyboardInterrupt):
        build_card_buckets("all/40/40/20", out, **OPTIONS, on_stage=stop)
    found = build_card_buckets("all/40/40/10", out, **OPTIONS)
    assert found.counts == (25, 40, 40, 10)


def test_finished_streets_that_other_sources_made_are_not_taken(tmp_path, monkeypatch):
    def stop(street, text, share):
        told.append(street)
        if street == "turn":
            raise KeyboardInterrupt

    told: list[str] = []
    out = tmp_path / "c.safetensors"
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            build_card_buckets("all/40/40/20", out, **OPTIONS, on_stage=stop)
    assert told.count("turn") == 2
    assert told.index("turn") < len(told) - 1
    assert "river" not in told[told.index("turn") :]
    monkeypatch.setattr("equilibrist.poker.buckets.build.fingerprint_of_modules", lambda _: "other")
    told.clear()
    with pytest.raises(KeyboardInterrupt):
        build_card_buckets("all/40/40/20", out, **OPTIONS, on_stage=stop)
    assert "river" in told


def test_passes_bring_hands_nearer_to_their_centres(tmp_path):
    """The turn's mean distance was 1.10 bins after any number of passes."""
    one, twenty = (
        build_card_buckets(
            "all/40/40/20", tmp_path / f"{passes}.safetensors", lowest_rank=TEN, passes=passes
        ).facts(2)
        for passes in (1, 20)
    )
    assert twenty.buckets == one.buckets == 40
    assert twenty.distance < 0.98 * one.distance
    assert twenty.distance < 0.96


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["equity", "quantile", "ochs"])
def test_the_spread_is_that_of_the_equities_in_their_buckets(tmp_path, kind):
    cards = build_card_buckets(
        "all/40/40/20",
        tmp_path / "c.safetensors",
        **OPTIONS,
        kinds=f"histogram/histogram/histogram/{kind}",
    )
    facts, boards = cards.facts(3), canonical_boards(5, TEN)
    squares = 0.0
    for board, copies, row in zip(boards.cards, boards.copies, cards.rows(3), strict=True):
        dealt = row != NOT_DEALT
        off = board_equities(board.tolist(), TEN).mean()[dealt] - facts.equity[row[dealt]]
        squares += copies * (off**2).sum()
    assert facts.spread == pytest.approx((squares / facts.size.sum()) ** 0.5, rel=1e-6)
    if kind != "ochs":
        assert facts.distance == pytest.approx(facts.spread, rel=1e-6)
    assert cards.facts(0).spread is None
    assert 0 < cards.facts(2).spread < 0.05


def test_a_file_of_somebody_else_is_left_alone(tmp_path):
    mine = tmp_path / "c.safetensors.river"
    mine.write_text("mine", "utf-8")
    with refuses(OutputError, option="out"):
        build_card_buckets("all/40/40/20", tmp_path / "c.safetensors", **OPTIONS)
    assert mine.read_text("utf-8") == "mine"


def test_what_cannot_be_is_refused_before_anything_is_computed(tmp_path):
    def fail(*_):
        raise AssertionError

    with refuses(MemoryBudgetError, option="memory", given=10**6):
        build_card_buckets(
            "169/200/200/200", tmp_path / "c", memory=10**6, threads=1, on_stage=fail
        )
    with refuses(OutputError):
        build_card_buckets("169/200/200/200", tmp_path / "no" / "c", threads=1, on_stage=fail)
    (tmp_path / "text").write_text("mine", "utf-8")
    with refuses(OutputError):
        build_card_buckets("169/200/200/200", tmp_path / "text", threads=1, on_stage=fail)


@pytest.mark.parametrize(
    "board", [(51,), (51, 50), (51, 50, 50), (51, 50, 0), (51, 50, 49, 48, 47, 46), (51, 50, 52)]
)
def test_boards_that_are_none_are_refused(small, board):
    with refuses(ConfigError, option="board"):
        small.row(board)


def test_hands_that_are_not_dealt_are_refused(small):
    for board, hand in (((51, 50, 49), "AsKh"), ((51, 50, 49), "2c2d"), ((), "9c9d")):
        with refuses(ConfigError, option="hand"):
            small.lookup(board, parse_combo(hand))


def test_damage_is_found(small, tmp_path):
    content = bytearray(small.path.read_bytes())
    content[-1000] ^= 1
    damaged = tmp_path / "d.safetensors"
    damaged.write_bytes(content)
    with refuses(FileFormatError, option="checksum"):
        CardBuckets.load(damaged).check()
    damaged.write_bytes(content[:1000])
    with refuses(FileFormatError):
        CardBuckets.load(damaged)
    small.check()


def test_the_rows_are_read_only(small):
    with pytest.raises(ValueError, match="read-only"):
        small.rows(1)[0, 0] = 0


@pytest.mark.parametrize(("board", "hand"), [("AsKsQs", "JsTs"), ("AhKsTs", "QcJd")])
def test_a_report_of_a_hand(small, board, hand):
    cards, combo = parse_cards(board), parse_combo(hand)
    report = hand_report(small, cards, combo)
    assert report.bucket == small.lookup(cards, combo)
    assert report.equity == pytest.approx(board_equities(cards, TEN).mean()[combo])
    assert sum(report.histogram) == pytest.approx(1)
    row = small.row(cards)
    names = {combo_name(int(hand)) for hand in np.flatnonzero(row == report.bucket)}
    assert {name for name, _ in report.mates} | {report.hand} == names
    equities = [equity for _, equity in report.mates if equity is not None]
    assert len(equities) == len(report.mates)
    assert equities == sorted(equities, reverse=True)
    assert report.share == small.facts(1).size[report.bucket] / small.facts(1).size.sum()


@pytest.mark.skipif(not mapped_archive._MAPS, reason="the file is read whole on opening")
@pytest.mark.parametrize("size", [5000, None])
def test_rows_of_a_file_that_was_written_to_are_refused(small, tmp_path, size):
    """They are mapped: what was cut off would end the process."""
    file = tmp_path / "cards.safetensors"
    shutil.copy(small.path, file)
    buckets = CardBuckets.load(file)
    first = buckets.rows(3).copy()
    replaced = CardBuckets.load(file)
    shutil.copy(file, tmp_path / "new.safetensors")
    (tmp_path / "new.safetensors").replace(file)
    assert np.array_equal(replaced.rows(3), first)  # whatever has its name now
    later = CardBuckets.load(file)
    later.rows(3)
    with file.open("r+b") as changed:
        if size is None:
            changed.seek(-100, 2)
            changed.write(bytes(100))
        else:
            changed.truncate(size)
    os.utime(file, ns=(1, 1))  # whatever the clock of the disk shows
    with refuses(FileFormatError, option="file"):
        later.rows(3)
    with refuses(FileFormatError, option="file"):
        later.check()
    assert np.array_equal(replaced.rows(3), first)
