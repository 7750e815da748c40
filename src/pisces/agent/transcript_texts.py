"""Long texts of a transcript (results of tools, images) in files of their own, named for their content.

A line has the beginning of such a text and, in its field `stored`, where the whole is. It is read when it is needed.
The same text is stored once in a session.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress

from pisces.agent.transcript_entry import is_id
from pisces.agent.transcript_lines import make_private, open_to_read
from pisces.audit.log_file import CAREFULLY, FILE_MODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

STORED = "stored"
INLINE = 16_384  # bytes: a line that is shorter is written as it is
_LONG, _BEGINNING = 4_096, 400  # characters of a text that gets a file, and those of it that stay in the line
_LONGEST_LINE = 1 << 20  # what is longer without its texts is stored as a whole
_LARGEST = 1 << 30
_HASH = 64
_DEEPEST = 400


class StoredTexts:
    """The texts of one session, in a folder that is made for the first one. `source` is the folder of the session that
    it is a fork of, until it has the texts itself.
    """

    def __init__(self, folder: str, source: str = "") -> None:
        self.folder, self._source = folder, source

    def taken_from(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Fields without their long texts. Raises `OSError` if one cannot be written."""
        places: list[dict[str, Any]] = []
        shorter = self._shorter(dict(fields), [], places)
        if len(json.dumps(shorter)) > _LONGEST_LINE:
            text = json.dumps(dict(fields))
            return {STORED: [{"at": [], "sha256": self._store(text), "size": len(text)}]}
        return {**shorter, STORED: places} if places else shorter

    def _shorter(self, value: Any, at: list[str | int], places: list[dict[str, Any]]) -> Any:
        if isinstance(value, dict):
            return {key: self._shorter(item, [*at, key], places) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._shorter(item, [*at, number], places) for number, item in enumerate(value)]
        if not isinstance(value, str) or len(value) < _LONG:
            return value
        places.append({"at": at, "sha256": self._store(value), "size": len(value)})
        return value[:_BEGINNING]

    def _store(self, text: str) -> str:
        data = text.encode("utf-8", "surrogatepass")
        name = hashlib.sha256(data).hexdigest()
        path = os.path.join(self.folder, name)
        with suppress(OSError):
            if os.stat(path).st_size == len(data):
                return name
        make_private(self.folder)
        _write_aside(path, data)
        return name

    def put_back(self, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """Fields with their long texts. Where a file is missing, the beginning stays and says so."""
        places = fields.get(STORED)
        if not isinstance(places, list):
            return fields
        whole: Any = _copy({name: value for name, value in fields.items() if name != STORED})
        for place in places:
            if isinstance(place, dict) and isinstance(place.get("at"), list):
                whole = self._with(whole, place["at"], place)
        return whole if isinstance(whole, dict) else {}

    def _with(self, whole: Any, at: list[Any], place: Mapping[str, Any]) -> Any:
        text = self._text(place.get("sha256"))
        if not at:
            return _parsed(text) or whole
        inside = whole
        for step in at[:-1]:
            inside = _item(inside, step)
        beginning = _item(inside, at[-1])
        if isinstance(beginning, str):
            missing = f"{beginning}\n[the rest of {place.get('size')} characters is missing]"
            inside[at[-1]] = missing if text is None else text
        return whole

    def _text(self, name: object) -> str | None:
        if not isinstance(name, str) or len(name) != _HASH or not is_id(name):
            return None
        for folder in filter(None, (self.folder, self._source)):
            with suppress(OSError, ValueError), open_to_read(os.path.join(folder, name)) as file:
                return file.read(_LARGEST).decode("utf-8", "surrogatepass")
        return None

    def take_over(self) -> None:
        """The texts of the session that this is a fork of, without a second copy where the disk can do that."""
        if not self._source:
            return
        with suppress(OSError):
            names = os.listdir(self._source)
            make_private(self.folder)
            for name in names:
                _link(os.path.join(self._source, name), os.path.join(self.folder, name))
            self._source = ""


def _write_aside(path: str, data: bytes) -> None:
    """A file of this name always has its whole text."""
    aside = f"{path}.{os.getpid()}.new"
    try:
        handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | CAREFULLY, FILE_MODE)
        with open(handle, "wb") as file:
            file.write(data)
        os.replace(aside, path)
    except OSError:
        with suppress(OSError):
            os.unlink(aside)
        raise


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except FileExistsError:
        return
    except OSError:  # a disk without links
        with open_to_read(source) as file, open(os.open(target, os.O_WRONLY | os.O_CREAT, FILE_MODE), "wb") as copy:
            copy.write(file.read())


def _parsed(text: str | None) -> Any:
    try:
        return None if text is None else json.loads(text)
    except (ValueError, RecursionError):
        return None


def _copy(value: Any) -> Any:
    """Dicts and lists that may be changed."""
    if isinstance(value, dict):
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, list) else value


def _item(inside: Any, step: object) -> Any:
    """None where there is nothing."""
    if isinstance(inside, dict) and isinstance(step, str):
        return inside.get(step)
    is_number = isinstance(inside, list) and type(step) is int and 0 <= step < len(inside)
    return inside[step] if is_number else None
