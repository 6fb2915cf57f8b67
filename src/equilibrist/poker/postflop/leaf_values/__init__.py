"""Values at the end of a street, in place of the streets that follow."""
