"""Games and their solutions as documents: trees, walks, lessons, tables, infosets, races."""
