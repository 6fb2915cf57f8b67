"""Who may do what: host names, origins, tokens, limits, and which texts may name what."""
