"""Archives of real and synthetic extensions, in the folder that PISCES_CORPUS names."""

from __future__ import annotations

import os
import tarfile
from pathlib import Path

from tests.conformance.corpus import PLAIN_FILES


def why_missing(*archives: str) -> str:
    """Nothing where all of them are there."""
    missing = [name for name in archives if not (_folder() / name).is_file()]
    return f"needs {' and '.join(missing)} in PISCES_CORPUS" if missing else ""


def extracted(archive: str, folder: Path) -> Path:
    with tarfile.open(_folder() / archive) as opened:
        opened.extractall(folder, **PLAIN_FILES)
    return folder


def _folder() -> Path:
    return Path(os.environ.get("PISCES_CORPUS") or Path(__file__).resolve().parents[2] / "shared" / "corpus")
