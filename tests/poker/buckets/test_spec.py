"""Reading `--buckets` and `--kind`: what they say, and where they are wrong."""

from __future__ import annotations

import pytest

from equilibrist.errors import ConfigError, NotationError
from equilibrist.poker.buckets.spec import bucket_spec
from tests.refusals import refuses


def test_numbers_and_kinds():
    spec = bucket_spec("169/200/1_000/all", "equity/potential/quantile/ochs", lowest_rank=0)
    assert spec.counts == (169, 200, 1000, 123_156_254)
    assert spec.kinds == ("lossless", "potential", "quantile", "lossless")
    assert bucket_spec([25, "all", 30, 20], lowest_rank=8).counts == (25, 7760, 30, 20)


@pytest.mark.parametrize(
    ("text", "position", "given"),
    [
        ("169/200/200", 11, "169/200/200"),
        ("169/200/200/200/9", 15, "169/200/200/200/9"),
        ("170/200/200/200", 0, 170),
        ("169/x/200/200", 4, "x"),
        ("169/0/200/200", 4, "0"),
        ("169//200/200", 4, ""),
        ("169/-5/200/200", 4, "-5"),
        ("169/1286793/200/200", 4, 1_286_793),
        ("169/200/70000/200", 8, 70_000),
        ("169/200/200/1982", 12, 1982),
    ],
)
def test_bad_numbers_are_refused_with_their_place(text, position, given):
    with refuses(NotationError, option="buckets", given=given, position=position) as caught:
        bucket_spec(text)
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("kinds", "position", "given"),
    [
        ("histogram", 9, "histogram"),
        ("histogram/ochs/histogram/equity", 10, "ochs"),
        ("histogram/histogram/histogram/histogram", 30, "histogram"),
        ("emd/histogram/histogram/equity", 0, "emd"),
    ],
)
def test_bad_kinds_are_refused_with_their_place(kinds, position, given):
    with refuses(NotationError, option="kind", given=given, position=position):
        bucket_spec("169/200/200/200", kinds)


@pytest.mark.parametrize(
    ("option", "value"),
    [("lowest_rank", 11), ("seed", -1), ("restarts", 0), ("passes", 0), ("sample", 10)],
)
def test_other_arguments_out_of_range(option, value):
    with refuses(ConfigError, option=option, given=value):
        bucket_spec("9/9/9/9", **{option: value})


@pytest.mark.parametrize("given", [169, [1.5, 2, 3, 4], {"flop": 3}, None])
def test_what_is_no_text_and_no_list(given):
    with refuses(ConfigError, option="buckets"):
        bucket_spec(given)
