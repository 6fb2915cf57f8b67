"""Exact hold'em from the first card: CFR over all canonical boards, with hand classes."""
