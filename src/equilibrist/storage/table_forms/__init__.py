"""The forms of tables in texts: strategies and payoffs, as people and programs write them."""
