"""The games that ship with Equilibrist."""
