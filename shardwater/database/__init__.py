"""Databases on disk: built, found, opened, checked."""
