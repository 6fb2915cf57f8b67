"""Tables and drills that are open in the browser, kept in the memory of the server."""
