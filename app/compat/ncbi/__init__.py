"""NCBI's URL API."""
