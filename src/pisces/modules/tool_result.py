"""What a tool returned, as the model gets it: parts of text and images, no larger than a model can use.

Of a larger result the beginning is sent, and the whole of it is in a file that the last part names: `MOST_TEXT` bytes
of text, `MOST_OTHER` bytes of images and the like. The files are in the folder for temporary files, readable by the
user alone. They are left there, because the model may read them later.
"""

from __future__ import annotations

import base64
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pisces.formats.json_copy import json_copy
from pisces.shapes.events.tools import ToolCall, ToolResult

MOST_TEXT = 256 << 10  # bytes of UTF-8
MOST_OTHER = 8 << 20  # of all parts that are no text, and the same again of `details`
MOST_PARTS = 1000
_CHUNK = 1 << 20
_IMAGES = {b"\x89PNG\r\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif", b"RIFF": "image/webp"}
_ENDINGS = {"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp"}

Part = Mapping[str, Any]


def result_of(call: ToolCall, answer: Any) -> ToolResult:
    """Tools may return a text, bytes, any JSON value, or what the model gets: `{"content": [...], "details": ...}`."""
    if isinstance(answer, dict) and _is_content(answer.get("content")):
        is_error = answer.get("isError") is True or answer.get("is_error") is True
        return _result(call, answer["content"], answer.get("details"), is_error=is_error)
    if isinstance(answer, list | tuple) and answer and _is_content(answer):
        return _result(call, answer, None)
    if answer is None or isinstance(answer, str):
        return _result(call, [_text(answer or "")], None)
    if isinstance(answer, bytes | bytearray):
        return _result(call, [_binary(bytes(answer))], None)
    text = json.dumps(answer, ensure_ascii=False, default=_plain)
    return _result(call, [_text(text)], answer)


def capped(result: ToolResult) -> ToolResult:
    """The same result, or one that a model can take and that names the file with the rest."""
    content = [*_capped_others(result.content)]
    if len(content) > MOST_PARTS or _text_size(content) > MOST_TEXT:
        content = _capped_texts(content)
    details = result.details
    if _weight(details, MOST_OTHER) > MOST_OTHER:
        text = json.dumps(details, ensure_ascii=False, default=_plain)
        details = {"truncated": True, "stored": _stored(_chunks(text), ".json")}
    is_same = details is result.details and [*map(id, content)] == [*map(id, result.content)]
    return result if is_same else result.replace(content=tuple(content), details=details)


def _capped_texts(content: Sequence[Part]) -> list[Part]:
    texts = [_text_in(part) for part in content if _is_text(part)]
    size = sum(_bytes_in(text) for text in texts)
    note = f"\n[cut here: the result has {size} bytes of text. All of it is {_stored(_all_chunks(texts), '.txt')}]"
    left, made = MOST_TEXT - _bytes_in(note), list[Part]()
    for part in content[: MOST_PARTS - 1]:
        if _is_text(part):
            text = _beginning(_text_in(part), left)
            left -= _bytes_in(text)
            part = part if text == part.get("text") else {**part, "text": text}
        if not _is_text(part) or _text_in(part):
            made.append(part)
    return [*made, _text(note)]


def _beginning(text: str, size: int) -> str:
    """So much of a text as fits into `size` bytes of UTF-8; never half a character."""
    head = text[: max(size, 0)]
    return head.encode("utf-8", "surrogatepass")[: max(size, 0)].decode("utf-8", "ignore") if head else ""


def _capped_others(content: Sequence[Part]) -> Iterator[Part]:
    left = MOST_OTHER
    for part in content:
        if _is_text(part):
            yield part
        elif _weight(part, left) > left:
            yield _text(
                f"[{part.get('mimeType') or part.get('type')} too large to be shown: it is {_stored_part(part)}]"
            )
        else:
            left -= _weight(part, left)
            yield part


def _stored_part(part: Part) -> str:
    data, kind = part.get("data"), str(part.get("mimeType"))
    if isinstance(data, str):
        try:
            return _stored(iter([base64.b64decode(data, validate=True)]), _ENDINGS.get(kind, ".bin"))
        except ValueError:
            return _stored(_chunks(data), ".txt")
    return _stored(_chunks(json.dumps(part, ensure_ascii=False, default=_plain)), ".json")


def _binary(data: bytes) -> Part:
    """An image is shown to the model; other bytes are in a file, because no model reads them."""
    kind = next((kind for start, kind in _IMAGES.items() if data.startswith(start)), "")
    if kind and len(data) * 4 / 3 < MOST_OTHER:
        return {"type": "image", "data": base64.b64encode(data).decode("ascii"), "mimeType": kind}
    return _text(f"[{len(data)} bytes that are no text: they are {_stored(iter([data]), _ENDINGS.get(kind, '.bin'))}]")


def _stored(chunks: Iterator[bytes], ending: str) -> str:
    """`in PATH`, or why it is nowhere."""
    path = ""
    try:
        descriptor, path = tempfile.mkstemp(ending, "pisces-result-")
        with open(descriptor, "wb") as file:
            file.writelines(chunks)
    except OSError as error:
        if path:
            _remove(path)
        return f"lost, because it could not be stored: {error.strerror or error}"
    return f"in {path}"


def _remove(path: str) -> None:
    """Half a result would be taken for a whole one."""
    try:
        os.unlink(path)
    except OSError:
        return


def _all_chunks(texts: Sequence[str]) -> Iterator[bytes]:
    for text in texts:
        yield from _chunks(text)


def _chunks(text: str) -> Iterator[bytes]:
    for start in range(0, len(text), _CHUNK):
        yield text[start : start + _CHUNK].encode("utf-8", "backslashreplace")


def _is_text(part: Part) -> bool:
    return part.get("type") == "text"


def _text_in(part: Part) -> str:
    return str(part.get("text", ""))


def _text_size(content: Sequence[Part]) -> int:
    return sum(_bytes_in(_text_in(part)) for part in content if _is_text(part))


def _bytes_in(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(
        len(text[start : start + _CHUNK].encode("utf-8", "surrogatepass")) for start in range(0, len(text), _CHUNK)
    )


def _weight(value: Any, limit: int) -> int:
    """Roughly its size as JSON; stops counting as soon as it is more than the limit."""
    waiting, weight = [value], 0
    while waiting and weight <= limit:
        each = waiting.pop()
        weight += len(each) if isinstance(each, str | bytes) else 8
        if isinstance(each, Mapping):
            waiting.extend(each.keys())
            waiting.extend(each.values())
        elif isinstance(each, list | tuple):
            waiting.extend(each)
    return weight


def _plain(value: Any) -> Any:
    """What JSON does not know, as it is written there."""
    if hasattr(type(value), "__dataclass_fields__"):
        return {name: getattr(value, name) for name in type(value).__dataclass_fields__}
    if callable(getattr(value, "model_dump", None)):
        return value.model_dump(mode="json")
    if isinstance(value, set | frozenset):
        return sorted(value, key=str)
    if callable(getattr(value, "isoformat", None)):
        return value.isoformat()
    return getattr(value, "value", None) if hasattr(type(value), "__members__") else str(value)


def _is_content(parts: Any) -> bool:
    return isinstance(parts, list | tuple) and all(isinstance(part, dict) and "type" in part for part in parts)


def _text(text: str) -> Part:
    return {"type": "text", "text": text}


def _result(call: ToolCall, content: Sequence[Part], details: Any, *, is_error: bool = False) -> ToolResult:
    return ToolResult(call.tool, call.call_id, json_copy(call.input), tuple(content), details, is_error)
