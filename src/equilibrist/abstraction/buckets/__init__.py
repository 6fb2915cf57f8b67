"""Automatic buckets: infosets of one line of play merged by what their actions earn."""
