"""Exact Smith-Waterman search of protein databases."""
