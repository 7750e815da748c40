"""A value that needs quotes."""

from __future__ import annotations

from pisces.checking.quoted_header import quoted_header as fix

__all__ = ["fix"]
