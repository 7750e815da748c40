"""The host: everything found, trusted and wired for one workspace, for any Python program, with no model in it."""
