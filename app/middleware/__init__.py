"""Layers around every request: bounds, keys, compression, the access log."""
