"""What was typed in this workspace: a file of its own in the user's folder, which only the user can read."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from prompt_toolkit.history import History

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pisces.places import Places

_MOST_BYTES = 512 * 1024  # that are read at the start; a file of twice that is shortened
_LONGEST = 100_000


class WorkspaceHistory(History):
    """A file that cannot be read or written is no history, and no failure."""

    def __init__(self, places: Places) -> None:
        super().__init__()
        name = hashlib.sha256(places.cwd.encode("utf-8", "replace")).hexdigest()[:16]
        self._path = os.path.join(places.agent_dir, "history", f"{name}.jsonl")

    def load_history_strings(self) -> Iterable[str]:
        """The newest first."""
        return dict.fromkeys(reversed(self._lines()))

    def store_string(self, string: str) -> None:
        if len(string) > _LONGEST:
            return
        line = json.dumps(string, ensure_ascii=True).encode() + b"\n"
        with suppress(OSError):
            os.makedirs(os.path.dirname(self._path), mode=0o700, exist_ok=True)
            self._shorten()
            number = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(number, line)
            finally:
                os.close(number)

    def _shorten(self) -> None:
        with suppress(OSError):
            if os.path.getsize(self._path) > 2 * _MOST_BYTES:
                newest = self._lines()
                beside = f"{self._path}.{os.getpid()}"
                number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
                with open(number, "w", encoding="utf-8") as file:
                    file.writelines(json.dumps(each, ensure_ascii=True) + "\n" for each in newest)
                os.replace(beside, self._path)

    def _lines(self) -> list[str]:
        """The oldest first."""
        try:
            with open(self._path, "rb") as file:
                file.seek(max(0, os.path.getsize(self._path) - _MOST_BYTES))
                data = file.read()
        except OSError:
            return []
        return [text for line in data.split(b"\n") if isinstance(text := _read(line), str) and text]


def _read(line: bytes) -> object:
    try:
        return json.loads(line)
    except ValueError:  # a line that was cut, at the beginning of what is read or by a crash
        return None
