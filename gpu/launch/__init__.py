"""What launches need: streams, scratch, and a count of what is under way."""
