"""Strict where discovery is loose: everything an author would want to know, and where each component will load."""
