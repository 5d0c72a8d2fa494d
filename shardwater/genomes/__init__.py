"""Genomes compared: all shared stretches of two sets of DNA records (decision 042 says what a list of them is)."""
