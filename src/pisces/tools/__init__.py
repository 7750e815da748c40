"""Tools of our own, one a file."""
