"""Checks by topic. Each file exports `CHECKS`, in the order in which they are made."""
