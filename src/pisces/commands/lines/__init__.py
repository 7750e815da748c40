"""Reads a shell line of a prompt file and answers where the user's words would go. Nothing here runs a line."""
