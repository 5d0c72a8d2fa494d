"""Families of proteins: alignments of many sequences to one, and the profiles that follow from them."""
