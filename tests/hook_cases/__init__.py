"""Recorded cases of hooks: what a real program made of a hook and a call, and how such a case is set up here."""
