"""Components of the pages about games; they read the API of the server that they come from."""
