"""Hold'em: cards, ranges, bet sizes and betting. Importing it loads no compiler."""
