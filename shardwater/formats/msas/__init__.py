"""MSAs in each format, written and read back, one file a format."""
