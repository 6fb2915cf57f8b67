"""Documents and values that the API answers with and the pages show."""
