"""Memory and time of a solve, estimated before it starts."""
