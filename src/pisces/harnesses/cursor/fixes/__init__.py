"""Fixes for the rules of Cursor: a file for each rule, called like its code."""
