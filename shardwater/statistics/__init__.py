"""What a score means."""
