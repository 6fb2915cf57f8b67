"""Cards, hands and boards: combos, isomorphism, hand strengths."""
