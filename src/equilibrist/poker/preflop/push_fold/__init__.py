"""Push or fold: charts of hands that go all-in or fold before the flop, with prizes or without."""
