"""Fixes for the rules of Gemini CLI: a file for each rule, called like its code."""
