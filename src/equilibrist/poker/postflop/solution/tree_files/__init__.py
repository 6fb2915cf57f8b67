"""Files of solved trees for other programs: which nodes, and their text, by array operations."""
