"""Packages are installed: fetched into a stage, judged, consented to, and put in place in one step."""
