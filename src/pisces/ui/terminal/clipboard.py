"""A picture from the clipboard, where a program is there that gives it."""

from __future__ import annotations

import base64
import shutil
from typing import TYPE_CHECKING

from pisces.processes.environment import passed_on
from pisces.processes.launch import Launch, Limits
from pisces.processes.process import captured
from pisces.shapes.message import ImagePart

if TYPE_CHECKING:
    from pisces.places import Places

_READERS = (
    ("wl-paste", "--type", "image/png"),
    ("xclip", "-selection", "clipboard", "-target", "image/png", "-out"),
    ("pngpaste", "-"),
)
_PNG = b"\x89PNG"
_LIMITS = Limits(seconds=5, output=20 * 1024 * 1024)


async def clipboard_image(places: Places) -> ImagePart | None:
    env = passed_on(places.env)
    for words in _READERS:
        program = shutil.which(words[0], path=env.get("PATH", ""))
        if program is None:
            continue
        data, _, _ = await captured(Launch((program, *words[1:]), places.home, env, _LIMITS))
        if data.startswith(_PNG):
            return ImagePart("image/png", base64.b64encode(data).decode())
    return None
