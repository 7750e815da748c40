"""JSON with comments or trailing commas, which this file's readers refuse."""

from __future__ import annotations

from pisces.checking.strict_json import strict_json as fix

__all__ = ["fix"]
