"""Sequences as text and as codes."""
