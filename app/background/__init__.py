"""What a front end does between requests."""
