"""pisces: run any coding-agent extension, from one terminal agent or from any Python program."""

__version__ = "0.1.0"
