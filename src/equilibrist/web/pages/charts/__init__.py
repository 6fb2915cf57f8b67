"""The page of charts before the flop."""
