"""What the service tells of itself: logs without secrets, counters, traces."""
