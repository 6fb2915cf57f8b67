"""Playing against servers: the hands, and the calls that servers have."""
