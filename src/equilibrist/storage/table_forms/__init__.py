"""The forms of tables of strategies in texts: separated columns, JSON and literals of Python."""
