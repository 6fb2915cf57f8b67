"""Solutions of hold'em at a table: agents, coaches and ranges that go by them."""
