"""Commands that look into strategies: measures, infosets, exports, what is stored."""
