"""Documents and values that the API and the pages both show."""
