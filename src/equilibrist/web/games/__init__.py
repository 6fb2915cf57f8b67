"""Games and their solutions: trees, walks, lessons, tables, infosets."""
