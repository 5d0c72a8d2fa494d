"""Aligned pairs in the formats that other programs read, one file a format; docs/pairs.md describes them.

Every writer takes answers one after the other and yields text as they come: none holds more than an answer, but for
SAM, whose header names all subjects and which waits on disk for the last of them.
"""
