"""What the API answers: a type for each document, by the part of the API that sends it."""
