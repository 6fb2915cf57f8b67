"""Tab completion: what a shell offers for a word, and how it is switched on."""
