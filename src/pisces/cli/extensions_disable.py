"""`pisces extensions disable NAME`: switch a package off, here or everywhere."""

from __future__ import annotations

from pisces.cli._switching import switching

COMMAND = switching("disable", "switch a package off, here or everywhere")
