"""A converted package in a user's own folders: planned, shown, written as one, and taken back byte for byte."""
