"""The variables by which an editor's terminals know their companion: set by one side, read by the other."""

from __future__ import annotations

PORT_VARIABLE = "GEMINI_CLI_IDE_SERVER_PORT"
WORKSPACE_VARIABLE = "GEMINI_CLI_IDE_WORKSPACE_PATH"
TOKEN_VARIABLE = "GEMINI_CLI_IDE_AUTH_TOKEN"
