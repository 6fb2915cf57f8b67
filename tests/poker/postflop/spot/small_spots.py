"""Small spots that Hypothesis makes up."""

from __future__ import annotations

from hypothesis import assume
from hypothesis import strategies as st

from equilibrist.errors import ConfigError
from equilibrist.poker.cards.cards import NUM_CARDS, card_names
from equilibrist.poker.postflop.spot.spot import Spot

CARDS = st.permutations(range(NUM_CARDS))
MOST_HANDS = {5: 10, 4: 3, 3: 2}
BETS = {
    5: ["50%", "a", "33%, 120%", "e"],
    4: ["50%", "a", "33%, 120%", "e"],
    3: ["a", "||50%", "|a|"],
}
RAISES = {5: ["", "60%", "a", "2.5x"], 4: ["", "60%", "a"], 3: [""]}


@st.composite
def small_spots(draw: st.DrawFn, cards: st.SearchStrategy[int]) -> Spot:
    """Spots with so many cards on the board, ranges of few hands."""
    deck, size = draw(CARDS), draw(cards)
    board, rest = deck[:size], deck[size:]
    hands = st.lists(st.sampled_from(rest), min_size=2, max_size=2, unique=True)
    weights = st.sampled_from(["", ":0.5", ":0.25", ":0.001"])

    def text() -> str:
        held = st.lists(hands, min_size=1, max_size=MOST_HANDS[size], unique_by=frozenset)
        return ",".join(card_names(two) + draw(weights) for two in draw(held))

    bets = draw(st.sampled_from(BETS[size]))
    try:
        return Spot(
            board=card_names(board),
            oop=text(),
            ip=text(),
            pot=draw(st.integers(1, 500)),
            stack=draw(st.integers(1, 1000)),
            bets=bets,
            raises=draw(st.sampled_from(RAISES[size])) if bets != "a" else "",
            donks=draw(st.sampled_from(["", "||40%"])) if size < 5 else "",
            add_all_in=draw(st.sampled_from([0, 1.5])),
            force_all_in=draw(st.sampled_from([0, 0.2])),
            raise_cap=2,
            rake=draw(st.sampled_from([0, 0.05])),
            rake_cap=draw(st.sampled_from([None, 3])),
        )
    except ConfigError as error:
        assume("no deal" not in str(error))
        raise
