"""One query against a shard: which kernels score it, and what is asked of the scores."""
