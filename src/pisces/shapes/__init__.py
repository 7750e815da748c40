"""One noun a file, frozen, without input or output."""
