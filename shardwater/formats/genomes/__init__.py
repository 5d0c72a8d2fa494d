"""Compared genomes in the formats that other programs read, one file a format; docs/genome-formats.md describes them.

Every writer takes a list of alignments and yields text in blocks of rows, made column by column: none holds the text of
more than a block, or of one alignment where that has more letters.
"""
