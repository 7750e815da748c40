"""Where Claude Code keeps its things. Constants only, so that its harness costs nothing to load."""

from __future__ import annotations

USER_DIR = "~/.claude"
USER_DIR_VARIABLE = "CLAUDE_CONFIG_DIR"
MANAGED_FOLDERS = {
    "darwin": "/Library/Application Support/ClaudeCode",
    "win32": r"C:\Program Files\ClaudeCode",
    "linux": "/etc/claude-code",
}
