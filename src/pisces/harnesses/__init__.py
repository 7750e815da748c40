"""One folder a harness: all that is known of one program that loads extensions."""
