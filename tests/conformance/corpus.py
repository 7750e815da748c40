"""The corpus of real extensions with the real Gemini CLI's verdicts, unpacked once for each test run."""

from __future__ import annotations

import json
import os
import tarfile
from pathlib import Path
from typing import Any

ARCHIVES = ("gemini-extensions.tar.gz", "synthetic.tar.gz")
PLAIN_FILES: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # not before Python 3.11.4


def corpus_folder() -> Path:
    default = Path(__file__).resolve().parents[3] / "shared" / "corpus"
    return Path(os.environ.get("PISCES_CORPUS") or default)


def why_missing() -> str:
    missing = [name for name in ARCHIVES if not (corpus_folder() / name).is_file()]
    return f"no corpus: set PISCES_CORPUS to a folder with {', '.join(missing)}" if missing else ""


def unpack(target: Path) -> None:
    for name in ARCHIVES:
        with tarfile.open(corpus_folder() / name) as archive:
            archive.extractall(target / name.split(".")[0], **PLAIN_FILES)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
