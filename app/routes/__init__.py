"""The service's endpoints, a file for each noun."""
