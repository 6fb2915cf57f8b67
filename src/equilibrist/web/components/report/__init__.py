"""A report over boards, sorted, filtered and drawn in the browser."""
