"""Menus of bet sizes: which few sizes lose least against all of them."""
