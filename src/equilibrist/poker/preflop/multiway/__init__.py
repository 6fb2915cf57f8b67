"""Hands of several seats, with betting before the flop alone, by CFR on sampled deals."""
