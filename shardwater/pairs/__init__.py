"""Batches of pairs, each aligned by itself: any alphabet, any mode, score, ends or the whole alignment."""
