"""Commands of hold'em: ranges, equities, card buckets, play before the flop, blueprints."""
