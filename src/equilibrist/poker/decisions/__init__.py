"""Decisions of hold'em, whoever solved them: what hands do, as arrays, texts and pictures."""
