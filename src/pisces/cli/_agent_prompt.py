"""What `pisces -p` is asked: the words of the command line, what is piped in, pictures."""

from __future__ import annotations

import base64
import os
import select
import stat
import sys

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.shapes.message import ImagePart, TextPart
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import Namespace, Places, Screen

NO_PROMPT = Rule("no-prompt", ERROR, "`pisces -p` was called without anything to answer")
PIPED_INPUT = Rule("piped-input", ERROR, "What is piped into `pisces -p` cannot go to a model")
PROMPT_IMAGE = Rule("prompt-image", ERROR, "A picture for a prompt cannot be used")

MOST_PIPED = 10_000_000
MOST_IMAGE = 20_000_000
PATIENCE = 3.0  # seconds for the first byte of a pipe, where there is a prompt without it
_CHUNK = 1 << 16
_PICTURES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"RIFF": "image/webp",
}


class AgentPrompt(Value):
    """`line` is what the user typed; `more` goes to the model behind it, as it is."""

    line: str
    more: tuple[TextPart | ImagePart, ...] = ()


def agent_prompt(arguments: Namespace, places: Places, screen: Screen) -> AgentPrompt:
    """Raises `PiscesError` where there is nothing to answer, and for what no model reads."""
    line = " ".join(arguments.prompt)
    images = tuple(_image(each, places) for each in arguments.image or ())
    piped = _piped(screen, has_prompt=bool(line.strip()))
    if not line.strip():
        line, piped = piped, ""
    if not line.strip():
        hint = '`pisces -p "what to do"`, or pipe it in; `pisces` alone opens the terminal program'
        raise PiscesError(NO_PROMPT.at("", "there is no prompt", hint=hint))
    return AgentPrompt(line, (*((TextPart(piped),) if piped else ()), *images))


def _piped(screen: Screen, *, has_prompt: bool) -> str:
    """Empty where stdin is a terminal or closed. A silent pipe is not waited for if there is a prompt."""
    if sys.stdin is None or sys.stdin.closed:
        return ""
    try:
        if sys.stdin.isatty():
            return ""
        number = sys.stdin.fileno()
    except (OSError, ValueError):  # no file behind it
        return sys.stdin.read(MOST_PIPED).strip()
    if has_prompt and not _comes_soon(number):
        screen.note(f"pisces: nothing came on stdin within {PATIENCE:.0f} s; `</dev/null` says that nothing will")
        return ""
    return _text(_bytes_of(number))


def _comes_soon(number: int) -> bool:
    mode = os.fstat(number).st_mode
    if os.name == "nt" or not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
        return True
    return bool(select.select([number], [], [], PATIENCE)[0])


def _bytes_of(number: int) -> bytes:
    data = bytearray()
    while True:
        try:
            chunk = os.read(number, _CHUNK)
        except OSError as error:
            raise PiscesError(PIPED_INPUT.at("", f"stdin cannot be read: {(error.strerror or '').lower()}")) from None
        if not chunk:
            return bytes(data)
        data += chunk
        if len(data) > MOST_PIPED:
            hint = "write it to a file, and name the file in the prompt: the model reads what it needs"
            raise PiscesError(PIPED_INPUT.at("", f"more than {MOST_PIPED:,} bytes are piped in", hint=hint))


def _text(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        hint = "text in UTF-8 is; `--image FILE` takes a picture"
        raise PiscesError(PIPED_INPUT.at("", "what is piped in is no text", hint=hint))
    return text.strip()


def _image(name: str, places: Places) -> ImagePart:
    path = places.absolute(name)
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_IMAGE + 1) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else b""
    except OSError as error:
        raise PiscesError(PROMPT_IMAGE.at(path, f"it cannot be read: {(error.strerror or '').lower()}")) from None
    mime = next((mime for start, mime in _PICTURES.items() if data.startswith(start)), "")
    if not mime or (mime == "image/webp" and data[8:12] != b"WEBP"):
        raise PiscesError(PROMPT_IMAGE.at(path, "it is no PNG, JPEG, GIF or WebP"))
    if len(data) > MOST_IMAGE:
        raise PiscesError(PROMPT_IMAGE.at(path, f"it has more than {MOST_IMAGE:,} bytes"))
    return ImagePart(mime, base64.b64encode(data).decode())
