"""SARIF 2.1.0, so that code hosts and editors show diagnostics where they are.

A fingerprint tells that a result is one of yesterday. It is made of the rule, the file and the text of the line
without its blanks, so lines that are added above change nothing; of equal ones the second counts as the second.
"""

from __future__ import annotations

import os
from hashlib import sha256
from urllib.parse import quote

from pisces import __version__
from pisces.files import Unreadable, read_text
from pisces.formats.malformed import place_at
from pisces.ui.rules import ExplainedRule, all_rules
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from pisces.checking.fix import Fix
    from pisces.diagnostics import Diagnostic
    from pisces.places import Places

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_FINGERPRINT = "pisces/v1"
_BY_LINE = "primaryLocationLineHash"  # the one that GitHub reads


def sarif(diagnostics: Sequence[Diagnostic], places: Places, fixes: Mapping[Diagnostic, Fix] = EMPTY) -> dict[str, Any]:
    rules = all_rules()
    texts = _Texts()
    prints = _Fingerprints(texts, places)
    used = sorted({diagnostic.code for diagnostic in diagnostics})
    driver = {"name": "pisces", "version": __version__, "rules": [_rule(code, rules.get(code)) for code in used]}
    results = [
        {**_result(each, used, places), **prints.of(each), **_fixes(fixes.get(each), texts, places)}
        for each in diagnostics
    ]
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def _rule(code: str, rule: ExplainedRule | None) -> dict[str, Any]:
    if rule is None:
        return {"id": code}
    return {
        "id": code,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why},
        "help": {"text": f"{rule.why}\n\nInstead of:\n{rule.example}\n\nwrite:\n{rule.instead}"},
        "defaultConfiguration": {"level": rule.severity},
    }


def _result(diagnostic: Diagnostic, used: list[str], places: Places) -> dict[str, Any]:
    text = f"{diagnostic.message} ({diagnostic.hint})" if diagnostic.hint else diagnostic.message
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": used.index(diagnostic.code),
        "level": diagnostic.severity,
        "message": {"text": text},
    }
    if diagnostic.hint:
        result["properties"] = {"hint": diagnostic.hint}
    if diagnostic.path:
        location: dict[str, Any] = {"artifactLocation": {"uri": _uri(diagnostic.path, places)}}
        if diagnostic.line:
            location["region"] = {"startLine": diagnostic.line, "startColumn": max(diagnostic.column, 1)}
        result["locations"] = [{"physicalLocation": location}]
    return result


class _Texts:
    """Files, each read once; what cannot be read is empty."""

    def __init__(self) -> None:
        self._read: dict[str, str] = {}

    def of(self, path: str) -> str:
        if path not in self._read:
            try:
                self._read[path] = read_text(path) if path else ""
            except Unreadable:
                self._read[path] = ""
        return self._read[path]


class _Fingerprints:
    def __init__(self, texts: _Texts, places: Places) -> None:
        self._texts, self._places = texts, places
        self._lines: dict[str, list[str]] = {}
        self._seen: dict[str, int] = {}

    def of(self, diagnostic: Diagnostic) -> dict[str, Any]:
        parts = (diagnostic.code, _uri(diagnostic.path, self._places), self._line(diagnostic))
        same = sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        self._seen[same] = self._seen.get(same, 0) + 1
        fingerprint = f"{same}:{self._seen[same]}"
        return {"partialFingerprints": {_FINGERPRINT: fingerprint, _BY_LINE: fingerprint}}

    def _line(self, diagnostic: Diagnostic) -> str:
        """Without a line, the message: it may name what is missing."""
        path = diagnostic.path
        if path not in self._lines:
            self._lines[path] = self._texts.of(path).split("\n")
        is_there = 0 < diagnostic.line <= len(self._lines[path])
        return "".join(self._lines[path][diagnostic.line - 1].split()) if is_there else diagnostic.message


def _fixes(fix: Fix | None, texts: _Texts, places: Places) -> dict[str, Any]:
    """Editors offer them. A file that changed since has none."""
    text = texts.of(fix.path) if fix else ""
    if fix is None or any(text[each.start : each.end] != each.old for each in fix.edits):
        return {}
    replacements = []
    for edit in fix.edits:
        (line, column), (end_line, end_column) = place_at(text, edit.start), place_at(text, edit.end)
        region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
        replacements.append({"deletedRegion": region, "insertedContent": {"text": edit.new}})
    change = {"artifactLocation": {"uri": _uri(fix.path, places)}, "replacements": replacements}
    return {"fixes": [{"description": {"text": fix.title}, "artifactChanges": [change]}]}


def _uri(path: str, places: Places) -> str:
    below = path.startswith(places.cwd.rstrip(os.sep) + os.sep)
    text = os.path.relpath(path, places.cwd) if below else path
    text = quote(text.replace(os.sep, "/").encode("utf-8", "surrogateescape"))
    return text if below else f"file://{'' if text.startswith('/') else '/'}{text}"
