"""Where other people's programs are: below the folder that PISCES_PEERS names (see scripts/setup-peers)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def package(name: str) -> Path | None:
    """The folder of an installed npm package."""
    folder = Path(os.environ.get("PISCES_PEERS") or ".peers").resolve() / "node_modules" / name
    return folder if (folder / "package.json").is_file() else None


def program(name: str) -> str | None:
    return shutil.which(name)


def claude_code() -> str | None:
    """The binary of npm's package for this platform: that of `claude-code` itself needs an install script."""
    main = package("@anthropic-ai/claude-code")
    found = sorted(main.parent.glob("claude-code-*/claude")) if main else []
    return str(found[0]) if found else None


def bun() -> str | None:
    """On the PATH, or the binary of npm's package for this platform: that of `bun` itself needs an install script."""
    platforms = package("bun")
    found = sorted(platforms.parent.glob("@oven/bun-*/bin/bun*")) if platforms else []
    installed = [path for path in found if path.is_file()]
    if platforms and not installed:
        installed = [path for path in (platforms / "bin" / "bun.exe",) if path.stat().st_size > 1_000_000]
    return program("bun") or (str(installed[0]) if installed else None)
