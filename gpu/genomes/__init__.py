"""Genomes compared on the device: words, the runs that their seeds make, and the HSPs of these."""
