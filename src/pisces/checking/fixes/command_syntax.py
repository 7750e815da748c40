"""Backslashes in a prompt that TOML takes for escapes."""

from __future__ import annotations

from pisces.checking.toml_escapes import toml_escapes as fix

__all__ = ["fix"]
