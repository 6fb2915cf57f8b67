"""Games in normal form and exact linear programmes."""
