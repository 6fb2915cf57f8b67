"""The Annual Computer Poker Competition's protocol (ACPC), version 2.0.0: dealer and client."""
