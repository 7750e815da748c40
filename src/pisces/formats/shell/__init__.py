"""Command lines of sh and bash, read without running them."""
