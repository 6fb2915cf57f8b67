"""Cards, hands and boards: combos, flops, symmetry of suits, hand strengths."""
