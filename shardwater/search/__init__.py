"""A search of a database: from queries to the merged, judged and certified result."""
