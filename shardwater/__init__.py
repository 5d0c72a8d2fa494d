"""Exact Smith-Waterman search of protein databases."""

__version__ = "0.1.0"
