"""The last solutions, which stay in the user's data folder under names such as `last`."""
