"""Batches of pairs: their best alignments."""
