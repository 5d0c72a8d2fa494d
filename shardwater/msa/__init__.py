"""Alignments of many sequences to a query (MSAs): built of a search's hits, filtered, paired by taxon, counted."""
