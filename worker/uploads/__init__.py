"""Uploads: inputs larger than a request, kept as files that front ends and workers share."""
