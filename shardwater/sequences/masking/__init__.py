"""Letters of low complexity and of repeats, found by published rules."""
