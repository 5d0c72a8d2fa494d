"""Results as they are kept: a shard's part, the merged whole, its digests and signature."""
