"""A shard on the device: how its subjects are packed, brought there, and kept."""
