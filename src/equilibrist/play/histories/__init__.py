"""Hands in the poker hand history format (PHH), through PokerKit (extra `phh`).

Juho Kim, "Recording and Describing Poker Hands", IEEE Conference on Games 2024.
"""
