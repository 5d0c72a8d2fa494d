"""A shard's queue: whose turn it is, what a worker has taken, and what becomes of a dead worker's jobs."""
