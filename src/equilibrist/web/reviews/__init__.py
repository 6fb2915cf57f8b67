"""Reviews of played hands against solutions of the library."""
