"""What a table and a drill look like, for the API and for the pages."""
