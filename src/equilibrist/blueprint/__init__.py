"""Blueprints: strategies of whole hands of hold'em over card buckets, trained on sampled boards."""
