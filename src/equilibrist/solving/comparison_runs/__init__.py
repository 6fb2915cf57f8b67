"""The runs of a comparison: one after the other, or side by side."""
