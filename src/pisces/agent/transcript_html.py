"""A session as one HTML file: no script, nothing from elsewhere, everything that was said is text.

No text of a session is written into an attribute but the data of an image, which is base64 and nothing else.
"""

from __future__ import annotations

import re

from pisces.agent.transcript_markdown import session_facts
from pisces.agent.transcript_pieces import ANSWER, CALL, FAILED, IMAGE, NOTE, RESULT, THINKING, USER, pieces
from pisces.formats.visible import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.agent.transcript import Transcript
    from pisces.agent.transcript_pieces import TranscriptPiece

_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
"""
_STYLE = """<style>
:root { color-scheme: light dark; }
body { max-width: 52rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; font: inherit; }
details pre { font: 0.85rem/1.4 ui-monospace, monospace; padding: 0.5rem; }
section, details { margin: 0.75rem 0; padding: 0.5rem 0.75rem; border-radius: 0.4rem; border: 1px solid #8885; }
.user { border-left: 0.3rem solid #47b; }
.model { border-left: 0.3rem solid #5a5; }
.note { border: 0; opacity: 0.7; font-size: 0.9rem; }
.failed { border-left: 0.3rem solid #c44; }
h2 { font-size: 0.8rem; margin: 0; opacity: 0.6; }
summary { cursor: pointer; }
img { max-width: 100%; }
dt { float: left; width: 6rem; opacity: 0.6; }
dd { margin: 0; }
</style>
"""
_TITLES = {USER: "User", ANSWER: "Model"}
_FOLDED = {CALL: "Call of", RESULT: "Result of", FAILED: "Failure of", THINKING: "Thinking"}
_IMAGES = {"image/png", "image/jpeg", "image/gif", "image/webp"}
_BASE64 = re.compile("[A-Za-z0-9+/]*={0,2}")


def html(transcript: Transcript) -> Iterator[str]:
    """In pieces, so that a long session needs no more memory than its longest text."""
    totals = transcript.totals
    title = _line(totals.name or totals.first or "A session")
    yield f"{_HEAD}<title>{title}</title>\n{_STYLE}</head>\n<body>\n<h1>{title}</h1>\n<dl>\n"
    for label, value in session_facts(transcript):
        yield f"<dt>{label}</dt><dd>{_line(value)}</dd>\n"
    yield "</dl>\n"
    for entry in transcript.branch:
        for piece in pieces(entry.kind, transcript.whole(entry)):
            yield _element(piece)
    yield "</body>\n</html>\n"


def _element(piece: TranscriptPiece) -> str:
    if piece.what == IMAGE:
        return _image(piece)
    if piece.what in _FOLDED:
        name = f" <code>{_line(piece.title)}</code>" if piece.title else ""
        summary = f"<summary>{_FOLDED[piece.what]}{name}</summary>"
        return f'<details class="{piece.what}">{summary}<pre>{_text(piece.text)}</pre></details>\n'
    heading = "" if piece.what == NOTE else f"<h2>{_TITLES[piece.what]}</h2>"
    return f'<section class="{piece.what}">{heading}<pre>{_text(piece.text)}</pre></section>\n'


def _image(piece: TranscriptPiece) -> str:
    if piece.title in _IMAGES and _BASE64.fullmatch(piece.text):
        return f'<section><img alt="an image" src="data:{piece.title};base64,{piece.text}"></section>\n'
    return f'<section class="note"><pre>an image, {_line(piece.title)}</pre></section>\n'


def _line(text: str) -> str:
    return _escaped(visible(text))


def _text(text: str) -> str:
    """Of several lines; tabs stay."""
    return "\n".join(_escaped("\t".join(map(visible, line.split("\t")))) for line in text.split("\n"))


def _escaped(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return escaped.replace('"', "&quot;").replace("'", "&#39;")
