"""Betting: actions, bet sizes, rules, states, and the public tree."""
