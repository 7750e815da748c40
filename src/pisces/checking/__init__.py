"""Strict where discovery is lenient: every problem that an author should know, and where each component loads."""
