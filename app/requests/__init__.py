"""What comes in: bodies, forms, headers, query strings."""
