"""Small Python modules, written where a test wants them."""

from __future__ import annotations

import textwrap
from pathlib import Path


def module(folder: Path, body: str, name: str = "mod") -> str:
    """A module whose factory has this body."""
    path = folder / f"{name}.py"
    text = textwrap.indent(textwrap.dedent(body).strip(), "    ")
    path.write_text(f"import asyncio, sys\nfrom pisces.shapes.events import *\n\ndef extension(pisces):\n{text}\n")
    return str(path)
