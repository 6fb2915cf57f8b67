"""Before the flop: exact hands of two seats, push or fold, charts of several seats."""
