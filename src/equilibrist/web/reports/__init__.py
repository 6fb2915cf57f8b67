"""Reports of batches that lie in the data folder."""
