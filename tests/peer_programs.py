"""Where other people's programs are: below the folder that PISCES_PEERS names (see scripts/setup-peers).

Their install scripts never run, so that each is started by the file of its platform's own package.
"""

from __future__ import annotations

import os
from pathlib import Path

PEERS = Path(os.environ.get("PISCES_PEERS") or Path(__file__).parents[1] / ".peers").resolve()
MODULES = PEERS / "node_modules"

GEMINI = MODULES / "@google" / "gemini-cli"


def program(pattern: str) -> Path | None:
    """The first file below node_modules whose path matches; packages of several platforms may be there."""
    return next((path for path in sorted(MODULES.glob(pattern)) if path.is_file() and os.access(path, os.X_OK)), None)


_SUFFIX = ".exe" if os.name == "nt" else ""
CLAUDE = program(f"@anthropic-ai/claude-code-*/claude{_SUFFIX}")
CODEX = program(f"@openai/codex-*/vendor/*/bin/codex{_SUFFIX}")
OPENCODE = program(f"opencode-*-*/bin/opencode{_SUFFIX}")
