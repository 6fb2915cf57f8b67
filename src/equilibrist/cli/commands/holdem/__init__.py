"""Commands about hold'em ranges and equities."""
