"""Fixes for the rules of every harness: a file for each rule, called like its code."""
