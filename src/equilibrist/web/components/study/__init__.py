"""The study of a solved spot, drawn in the browser from the documents of the API."""
