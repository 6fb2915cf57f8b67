"""Reports over boards."""
