"""EBI's Job Dispatcher."""
