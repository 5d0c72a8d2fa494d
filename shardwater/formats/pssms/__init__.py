"""PSSMs in each format that other programs read, one file a format: written, and read back."""
