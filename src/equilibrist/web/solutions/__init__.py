"""Solutions of the library as documents: entries, nodes of solved spots, locks."""
