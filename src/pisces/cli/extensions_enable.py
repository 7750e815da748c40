"""`pisces extensions enable NAME`: switch a package on, here or everywhere."""

from __future__ import annotations

from pisces.cli._switching import switching

COMMAND = switching("enable", "switch a package on, here or everywhere")
