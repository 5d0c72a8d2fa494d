"""What goes out: formats, pages of hits, cache and quota headers."""
