"""Searches followed while they run."""
