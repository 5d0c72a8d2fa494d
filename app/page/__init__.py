"""What the page is served from."""
