"""What was pasted: long text is `[pasted 120 lines]` in the box and is sent whole; a picture goes as a picture."""

from __future__ import annotations

import base64
import os
import re
import shlex
from typing import TYPE_CHECKING

from pisces.shapes.message import ImagePart
from pisces.value import Value

if TYPE_CHECKING:
    from pisces.places import Places

LONG_LINES, LONG_TEXT = 10, 1500
_MOST_IMAGE = 20 * 1024 * 1024
_TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp"}
_MARK = re.compile(r"\[(?:pasted [0-9]+ (?:lines|characters)|image) #([0-9]+)\]")


class SentLine(Value):
    """What the user sends: all that was pasted is in it."""

    text: str
    images: tuple[ImagePart, ...] = ()
    shown: str = ""


class Pastes:
    """The marks that may be in the box, and what each stands for."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._texts: dict[int, str] = {}
        self._images: dict[int, ImagePart] = {}

    def taken(self, text: str) -> str:
        """What goes into the box for a paste: the text itself if it is short."""
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        image = self._image_at(text)
        if image is not None:
            return self.image_mark(image)
        lines = text.count("\n") + (not text.endswith("\n"))
        if lines <= LONG_LINES and len(text) <= LONG_TEXT:
            return text
        number = self._next()
        self._texts[number] = text
        size = f"{lines} lines" if lines > LONG_LINES else f"{len(text)} characters"
        return f"[pasted {size} #{number}]"

    def image_mark(self, image: ImagePart) -> str:
        number = self._next()
        self._images[number] = image
        return f"[image #{number}] "

    def unfolded(self, text: str) -> str:
        """With every folded text in its place."""
        return _MARK.sub(lambda mark: self._texts.get(int(mark[1]), mark[0]), text)

    def sent(self, text: str) -> SentLine:
        numbers = [int(mark[1]) for mark in _MARK.finditer(text)]
        images = tuple(self._images[number] for number in numbers if number in self._images)
        return SentLine(self.unfolded(text), images, text)

    def mark_before(self, text: str) -> int:
        """How many characters of a mark end this text; 0 if none does."""
        start = text.rfind("[")
        found = _MARK.fullmatch(text, start) if start >= 0 and text.endswith("]") else None
        known = found is not None and (int(found[1]) in self._texts or int(found[1]) in self._images)
        return len(text) - start if known else 0

    def _next(self) -> int:
        return len(self._texts) + len(self._images) + 1

    def _image_at(self, text: str) -> ImagePart | None:
        """The picture whose path this is, as terminals write it when a file is dropped on them."""
        if "\n" in text.strip() or not text.strip().lower().strip("'\"").endswith(tuple(_TYPES)):
            return None
        try:
            words = shlex.split(text.strip()) if os.sep == "/" else [text.strip().strip('"')]
        except ValueError:
            return None
        path = self._places.absolute(words[0].removeprefix("file://")) if len(words) == 1 else ""
        return read_image(path) if path else None


def read_image(path: str) -> ImagePart | None:
    mime = _TYPES.get(os.path.splitext(path)[1].lower(), "")
    try:
        if not mime or not os.path.isfile(path) or os.path.getsize(path) > _MOST_IMAGE:
            return None
        with open(path, "rb") as file:
            return ImagePart(mime, base64.b64encode(file.read()).decode())
    except (OSError, ValueError):
        return None
