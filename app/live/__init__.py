"""Jobs followed while they run."""
