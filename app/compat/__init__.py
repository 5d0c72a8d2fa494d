"""Older interfaces of the field, for clients that speak them: NCBI's URL API, EBI's Job Dispatcher, MMseqs2-App.

Each asks for a search of our own, and tells of its result in its own words; docs/dialects.md lists the parameters.
"""
