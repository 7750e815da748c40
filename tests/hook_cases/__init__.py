"""Recorded cases of hooks, permissions and policies, run through Host and compared with the real programs."""
