"""Editors, one file each, found by name: a file exports `EDITOR`."""
