"""Hold'em from the first card: the rules of a hand with 2 to 10 seats, and its betting tree."""
