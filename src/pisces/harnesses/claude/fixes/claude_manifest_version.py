"""A version with two numbers, or with a `v` before it."""

from __future__ import annotations

from pisces.checking.version_fix import version_fix as fix

__all__ = ["fix"]
