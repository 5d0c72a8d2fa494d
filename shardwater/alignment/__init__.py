"""Alignments: how the best one is found, and what it looks like."""
