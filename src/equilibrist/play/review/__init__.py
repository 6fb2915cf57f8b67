"""Reviews: what the decisions of played hands lost against solutions of hold'em."""
