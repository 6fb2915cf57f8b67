"""Whole hands of hold'em at a table, with blueprints, exact solutions and charts."""
