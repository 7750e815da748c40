"""What `fetch` returns. No credentials are sent, no cookie is stored, and no redirect to another host is followed:
gates have judged this address, so the model has to ask for the other one.
"""

from __future__ import annotations

import asyncio
import base64
import re
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx2

from pisces import __version__
from pisces.shapes.tool import ToolFailed
from pisces.tools.page_text import page_text
from pisces.tools.workbench import text_result
from pisces.value import Value

_ADDRESS = re.compile(r"https?://[^\s\x00-\x1f\x7f\ud800-\udfff\"'<>`\\]+", re.IGNORECASE)
_SECONDS = 30.0
_MOST_BYTES = 4 << 20
_LARGEST_PICTURE = 3_750_000
_MOST_TEXT = 60_000  # characters
_MOST_REDIRECTS = 5
_HEADERS = {
    "User-Agent": f"pisces/{__version__}",
    "Accept": "text/html,text/*,application/json,image/*;q=0.5,*/*;q=0.1",
}
_PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_TEXTS = re.compile(r"text/|application/(?:[\w.+-]+\+)?(?:json|xml|javascript|yaml|toml|x-sh|x-ndjson)", re.IGNORECASE)
_NO_TYPE = "application/octet-stream"


class FetchedPage(Value):
    """`moved_to` is an address at another host. `is_cut` says whether there was more than is read."""

    url: str
    status: int
    mime: str = ""
    charset: str = ""
    data: bytes = b""
    is_cut: bool = False
    moved_to: str = ""


async def fetch(url: str) -> dict[str, Any]:
    _check(url)
    try:
        async with asyncio.timeout(_SECONDS), httpx2.AsyncClient(headers=_HEADERS, timeout=_SECONDS) as client:
            page = await _page(client, url)
    except TimeoutError:
        raise ToolFailed(f"`{url}` did not answer within {_SECONDS:.0f} s") from None
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError) as error:
        raise ToolFailed(f"`{url}` cannot be fetched: {str(error) or type(error).__name__}") from None
    if page.moved_to:
        text = f"{page.url} leads to {page.moved_to}, another host: call `fetch` with that address if you want it"
        return text_result(text, url=page.url, status=page.status, moved_to=page.moved_to)
    return await asyncio.to_thread(_result, page)


def _check(url: str) -> None:
    """Only what gates read as one address: no credentials, and no sign that ends it for one reader and not another."""
    if not _ADDRESS.fullmatch(url):
        raise ToolFailed("`url` must be one address that begins with http:// or https://, without blanks or quotes")
    try:
        parts = urlsplit(url)
        is_plain = bool(parts.hostname) and parts.port != 0 and "@" not in parts.netloc
    except ValueError:
        is_plain = False
    if not is_plain:
        raise ToolFailed("`url` must name a host, and no user or password")


async def _page(client: httpx2.AsyncClient, url: str) -> FetchedPage:
    for _ in range(_MOST_REDIRECTS):
        async with client.stream("GET", url) as response:
            location = response.headers.get("location", "") if response.is_redirect else ""
            if not location:
                return await _read(response, url)
            moved = urljoin(url, location)
            _check(moved)
            if not _is_same_place(url, moved):
                return FetchedPage(url, response.status_code, moved_to=moved)
            url = moved
    raise ToolFailed(f"`{url}` redirects again and again")


async def _read(response: httpx2.Response, url: str) -> FetchedPage:
    data = bytearray()
    is_cut = False
    async for chunk in response.aiter_bytes():
        data += chunk
        if len(data) > _MOST_BYTES:
            is_cut = True
            break
    mime = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return FetchedPage(
        url, response.status_code, mime, response.charset_encoding or "", bytes(data[:_MOST_BYTES]), is_cut
    )


def _is_same_place(one: str, other: str) -> bool:
    """The same host and port, or the same host with https instead of http."""
    before, after = urlsplit(one), urlsplit(other)
    if before.hostname != after.hostname:
        return False
    if (before.scheme, before.port) == (after.scheme, after.port):
        return True
    return (
        (before.scheme, after.scheme) == ("http", "https") and before.port in (None, 80) and after.port in (None, 443)
    )


def _result(page: FetchedPage) -> dict[str, Any]:
    details = {"url": page.url, "status": page.status, "mime": page.mime, "bytes": len(page.data), "cut": page.is_cut}
    if page.mime in _PICTURES and not page.is_cut and len(page.data) <= _LARGEST_PICTURE:
        picture = {"type": "image", "data": base64.b64encode(page.data).decode(), "mimeType": page.mime}
        return {"content": [{"type": "text", "text": page.url}, picture], "details": details}
    if not _is_text(page):
        raise ToolFailed(f"`{page.url}` is {page.mime or 'no text'}, {len(page.data):,} bytes: use `shell` to store it")
    text = _text(page)
    if len(text) > _MOST_TEXT or page.is_cut:
        details["cut"] = True
        text = f"{text[:_MOST_TEXT]}\n[cut here: the page is longer]"
    failed = f"[status {page.status}]\n" if page.status >= 400 else ""
    return {**text_result(failed + text or "[the page is empty]", **details), "is_error": bool(failed)}


def _is_text(page: FetchedPage) -> bool:
    if page.mime and page.mime != _NO_TYPE:
        return _TEXTS.match(page.mime) is not None
    return b"\0" not in page.data[:8192]


def _text(page: FetchedPage) -> str:
    try:
        text = page.data.decode(page.charset or "utf-8", "replace")
    except LookupError:
        text = page.data.decode("utf-8", "replace")
    return page_text(text, page.url) if "html" in page.mime else text
