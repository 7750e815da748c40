"""The editor's side: a small MCP server over HTTP that sends the open files and shows diffs."""

from __future__ import annotations

from pisces.ide.companion.companion import Companion
from pisces.ide.companion.options import CompanionOptions, Editor, Window

__all__ = ["Companion", "CompanionOptions", "Editor", "Window"]
