"""SARIF 2.1.0, so that code hosts and editors show diagnostics where they are."""

from __future__ import annotations

import os
from urllib.parse import quote

from pisces import __version__
from pisces.ui.rules import ExplainedRule, all_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from pisces.diagnostics import Diagnostic
    from pisces.places import Places

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(diagnostics: Sequence[Diagnostic], places: Places) -> dict[str, Any]:
    rules = all_rules()
    used = sorted({diagnostic.code for diagnostic in diagnostics})
    driver = {"name": "pisces", "version": __version__, "rules": [_rule(code, rules.get(code)) for code in used]}
    results = [_result(diagnostic, used, places) for diagnostic in diagnostics]
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
    if diagnostic.path:
        location: dict[str, Any] = {"artifactLocation": {"uri": _uri(diagnostic.path, places)}}
        if diagnostic.line:
            location["region"] = {"startLine": diagnostic.line, "startColumn": max(diagnostic.column, 1)}
        result["locations"] = [{"physicalLocation": location}]
    return result


def _uri(path: str, places: Places) -> str:
    below = path.startswith(places.cwd.rstrip(os.sep) + os.sep)
    text = os.path.relpath(path, places.cwd) if below else path
    text = quote(text.replace(os.sep, "/").encode("utf-8", "surrogateescape"))
    return text if below else f"file://{'' if text.startswith('/') else '/'}{text}"
