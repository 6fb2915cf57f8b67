"""Hold'em from the first card: the options of a hand, their checks, rules and betting tree."""
