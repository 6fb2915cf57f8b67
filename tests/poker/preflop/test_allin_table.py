"""The showdowns of hand classes: published sums, enumeration of a board, other computations."""

from math import comb

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.kernels.preflop.allin_counts import count_wins
from equilibrist.poker import CLASS_NAMES, AllInTable, equity, multiway_equity
from equilibrist.poker.cards.cards import parse_board
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, COMBO_MASKS
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.poker.cards.evaluator_tables import strength_tables
from equilibrist.poker.cards.hand_ranking import EQUITY_AGAINST_RANDOM
from equilibrist.poker.preflop import allin_counts, allin_table
from equilibrist.poker.preflop.allin_counts import BOARDS

AA, KK = CLASS_NAMES.index("AA"), CLASS_NAMES.index("KK")


@pytest.fixture(scope="module")
def table():
    return AllInTable.load()


def test_all_pairs_and_boards(table):
    assert comb(48, 5) == BOARDS
    assert table.pairs.sum() == 1_624_350 == comb(52, 2) * comb(50, 2)
    np.testing.assert_array_equal(table.showdowns, table.pairs * BOARDS)
    assert table.wins.sum() == 1_334_125_369_292
    assert table.ties.sum() == 113_130_263_816
    assert 2 * table.wins.sum() + table.ties.sum() == 1_624_350 * 1_712_304


def test_aces_against_kings(table):
    assert table.wins[AA, KK] == 50_371_344
    assert table.ties[AA, KK] == table.ties[KK, AA] == 285_228
    assert table.losses[AA, KK] == table.wins[KK, AA] == 10_986_372
    assert table.pairs[AA, KK] * BOARDS == 61_642_944
    assert table.pairs[AA, AA] == 6


def test_against_a_random_hand(table):
    shares = dict(zip(CLASS_NAMES, table.against_random.tolist(), strict=True))
    assert round(100 * shares["AA"], 4) == 85.2037
    assert round(100 * shares["32o"], 4) == 32.3032
    for name, share in EQUITY_AGAINST_RANDOM.items():
        assert shares[name] == pytest.approx(share, abs=5.1e-6)


def test_counts_cannot_be_negative_and_ties_are_mutual(table):
    assert (table.wins >= 0).all()
    assert (table.ties > 0).all()
    np.testing.assert_array_equal(table.ties, table.ties.T)
    np.testing.assert_array_equal(table.pairs, table.pairs.T)


@pytest.mark.parametrize("board", ["QsJh2h7c2d", "AsKsQsJsTs", "5h5d5c5sAh"])
def test_a_board_counted_pair_by_pair(board):
    cards = parse_board(board)
    hands, classes_of_rank = allin_counts._hands()
    wins, shared = np.zeros((169, 176), np.uint32), np.zeros((13, 25, 32), np.uint32)
    boards, copies = np.array([cards], np.uint8), np.array([3], np.int32)
    for array in (boards, copies):
        array.flags.writeable = False  # as `canonical_boards` has them: compiled once
    count_wins(strength_tables(7), hands, boards, copies, wins, shared)
    counted = wins[:, :169].astype(np.int64)
    for rank, classes in enumerate(classes_of_rank):
        counted[np.ix_(classes, classes)] -= shared[rank, :, :25]

    strength = combo_strengths(cards)
    better = (strength[:, None] > strength) & (strength > 0)
    better &= (COMBO_MASKS[:, None] & COMBO_MASKS) == 0
    expected = np.zeros((169, 169), np.int64)
    first, second = better.nonzero()
    np.add.at(expected, (CLASS_OF_COMBO[first], CLASS_OF_COMBO[second]), 3)
    np.testing.assert_array_equal(counted, expected)


@pytest.mark.by_default(2)
@pytest.mark.parametrize(
    ("hand", "against"),
    [("AKs", "76s"), ("A5o", "AKo"), ("22", "32o"), ("KQs", "KQs"), ("T9o", "T8s"), ("AA", "AKo")],
)
def test_classes_enumerated_hand_by_hand(table, hand, against):
    found = equity(hand, against, exact=True)
    row, column = CLASS_NAMES.index(hand), CLASS_NAMES.index(against)
    assert table.pairs[row, column] == found.matchups
    assert table.wins[row, column] / table.showdowns[row, column] == pytest.approx(
        found.oop_win, abs=1e-12
    )
    assert table.equity(hand, against) == pytest.approx(found.oop, abs=1e-12)
    assert table.equities[row, column] == table.equity(hand, against)


def test_three_classes_are_sampled(table):
    found = table.multiway(["AA", "KK", "QQ"], samples=100_000, seed=3)
    exact = 0.66979, 0.17746, 0.15275  # enumerated on the page on equity
    assert found.samples == 100_000
    for share, (low, high), true in zip(found.equities, found.intervals, exact, strict=True):
        assert low < share < high
        assert abs(share - true) < high - low
    assert multiway_equity(["AsAh", "KsKh", "QsQh"], "2c7d9hJsTc").intervals is None
    assert table.multiway(["AA", "KK", "QQ"], samples=100_000, seed=3) == found


@pytest.mark.parametrize("damage", ["missing", "flipped", "cut", "empty"])
def test_a_damaged_file_is_not_read(tmp_path, monkeypatch, damage, table):
    monkeypatch.setattr(allin_table, "module_folder", lambda module: tmp_path / module)
    wins = table.wins.copy()
    allin_table.keep_wins(wins)
    (file,) = tmp_path.rglob("*.bin")
    np.testing.assert_array_equal(allin_table.kept_wins(), wins)
    data = bytearray(file.read_bytes())
    if damage == "missing":
        file.unlink()
    elif damage == "flipped":
        data[1000] ^= 1
        file.write_bytes(data)
    else:
        file.write_bytes(data[: 1000 if damage == "cut" else 0])
    assert allin_table.kept_wins() is None


def test_the_table_is_counted_again_and_kept(tmp_path, monkeypatch, table):
    """With a count of a few boards in place of all."""
    from equilibrist.poker.preflop import allin_table

    monkeypatch.setattr(allin_table, "module_folder", lambda module: tmp_path / module)
    monkeypatch.setattr(allin_table, "_LOADED", [])
    calls = []

    def wins(threads, tell):
        calls.append(threads)
        return table.wins.copy()

    monkeypatch.setattr(allin_counts, "class_wins", wins)
    first = AllInTable.load(1)
    assert calls == [1]
    assert AllInTable.load() is first
    allin_table._LOADED.clear()
    again = AllInTable.load()
    assert calls == [1]
    np.testing.assert_array_equal(again.wins, table.wins)
    with pytest.raises(ValueError, match="read-only"):
        again.wins[0, 0] = 1


def test_bad_classes(table):
    for hand in ("AKx", "KA", "", "aks", None):
        with pytest.raises(ConfigError) as caught:
            table.equity(hand, "AA")
        assert caught.value.option == "hand"
    with pytest.raises(ConfigError) as caught:
        table.equity("AA", "KAo")
    assert (caught.value.option, caught.value.given) == ("against", "KAo")
    with pytest.raises(ConfigError) as caught:
        table.multiway(["AA", "KK"])
    assert caught.value.option == "hands"


@pytest.mark.slow
def test_the_whole_count_on_two_threads(table):
    """Tests count with one thread: so the table was made."""
    told = []
    found = allin_counts.class_wins(2, lambda done, of: told.append((done, of)))
    np.testing.assert_array_equal(found, table.wins)
    assert told[-1] == (134_459, 134_459)
    assert [done for done, _ in told] == sorted({done for done, _ in told})
