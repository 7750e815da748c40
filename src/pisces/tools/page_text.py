"""The text of an HTML page, a little as Markdown: headings, lists, links and code. Linear in the page."""

from __future__ import annotations

import html
import re
from urllib.parse import urljoin

_HIDDEN = ("script", "style", "noscript", "template", "svg", "iframe", "object", "canvas", "select", "nav", "textarea")
_BLOCKS = frozenset(
    """
    p div section article main header footer aside table tr ul ol dl dt dd figure figcaption blockquote form fieldset
    h1 h2 h3 h4 h5 h6 pre li br hr title body address details summary caption thead tbody
    """.split()
)
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)} | {"title": "# "}
_NAME = re.compile(r"/?([a-zA-Z][a-zA-Z0-9:-]{0,40})")
_HREF = re.compile(r"""\bhref\s{0,9}=\s{0,9}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s"'>]{1,2000}))""", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")
_EMPTY_LINES = re.compile(r"\n{3,}")


def page_text(page: str, url: str = "") -> str:
    reader = _Reader(url)
    for tag, text in _pieces(page):
        reader.take(tag, text)
    lines = (line.rstrip() for line in "".join(reader.out).split("\n"))
    return _EMPTY_LINES.sub("\n\n", "\n".join(lines)).strip()


def _pieces(page: str) -> list[tuple[str, str]]:
    """Tags without their brackets, and the text before each. A search that finds nothing is the last."""
    found: list[tuple[str, str]] = []
    at = start = 0
    while True:
        less = page.find("<", at)
        if less < 0:
            break
        name = _NAME.match(page, less + 1)
        if name is None and page[less + 1 : less + 2] not in ("!", "?"):  # a plain "<" in the text
            at = less + 1
            continue
        is_comment = page.startswith("<!--", less)
        end = page.find("-->" if is_comment else ">", less + 1)
        if end < 0:
            break
        tag = page[less + 1 : end]
        found.append((tag if name else "", page[start:less]))
        at = start = end + (3 if is_comment else 1)
        if name and name[1].lower() in _HIDDEN and not tag.startswith("/"):
            closing = re.compile(f"</{name[1]}", re.IGNORECASE).search(page, at)
            at = start = closing.start() if closing else len(page)
    return [*found, ("", page[start:])]


class _Reader:
    def __init__(self, url: str) -> None:
        self._url = url
        self._is_code = 0
        self._link = ""
        self._is_start = True  # of a line
        self.out: list[str] = []

    def take(self, tag: str, text: str) -> None:
        self._text(html.unescape(text))
        name = _NAME.match(tag)
        if name is None:
            return
        word = name[1].lower()
        is_end = tag.startswith("/")
        if word in _BLOCKS:
            self._block(word, is_end)
        elif word == "a":
            self._anchor(tag, is_end)
        elif word == "code" and not self._is_code:
            self.out.append("`")
        elif word in ("td", "th") and not is_end:
            self._text(" | ")

    def _text(self, text: str) -> None:
        if not self._is_code:
            text = _BLANKS.sub(" ", text)
            text = text.lstrip() if self._is_start else text
        if text:
            self.out.append(text)
            self._is_start = text.endswith("\n")

    def _block(self, word: str, is_end: bool) -> None:
        if word == "pre":
            self._is_code = max(self._is_code + (-1 if is_end else 1), 0)
            self.out.append("\n```\n")
        else:
            is_apart = word in _HEADINGS or word in ("p", "table", "ul", "ol")
            self.out.append("\n\n" if is_apart else "\n")
        if not is_end:
            self.out.append(_HEADINGS.get(word) or ("- " if word == "li" else ""))
        self._is_start = True

    def _anchor(self, tag: str, is_end: bool) -> None:
        if is_end and self._link:
            self.out.append(f"]({self._link})")
            self._link = ""
        href = None if is_end else _HREF.search(tag)
        target = html.unescape(next(filter(None, href.groups()), "")) if href else ""
        if target and not target.startswith(("#", "javascript:", "data:")) and not self._link:
            self._link = _joined(self._url, target)
            self.out.append("[")
            self._is_start = False


def _joined(url: str, target: str) -> str:
    try:
        return urljoin(url, target)
    except ValueError:
        return target
