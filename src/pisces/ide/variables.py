"""The variables that name the companion to an editor's terminals: the companion sets them, the client reads them."""

from __future__ import annotations

PORT_VARIABLE = "GEMINI_CLI_IDE_SERVER_PORT"
WORKSPACE_VARIABLE = "GEMINI_CLI_IDE_WORKSPACE_PATH"
TOKEN_VARIABLE = "GEMINI_CLI_IDE_AUTH_TOKEN"
