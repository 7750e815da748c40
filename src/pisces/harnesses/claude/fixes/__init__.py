"""Fixes for the rules of Claude Code: a file for each rule, called like its code."""
