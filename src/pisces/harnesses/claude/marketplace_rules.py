"""Whether a rule of the administrator's `strictKnownMarketplaces` or `blockedMarketplaces` means a source."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def means(rule: Any, source: Mapping[str, Any]) -> bool:
    if not isinstance(rule, dict):
        return False
    kind = rule.get("source")
    if kind in ("pathPattern", "hostPattern"):
        subject = str(source.get("path") or "") if kind == "pathPattern" else _host(source)
        return bool(subject) and _found(rule.get(kind), subject)
    if kind == "github" and str(rule.get("repo") or "").endswith("/*"):
        owner = str(rule["repo"])[:-1].lower()
        return source.get("source") == "github" and str(source.get("repo") or "").lower().startswith(owner)
    return bool(rule) and all(source.get(key) == value for key, value in rule.items())


def _host(source: Mapping[str, Any]) -> str:
    if source.get("source") == "github":
        return "github.com"
    address = re.match(r"(?:[a-z+]+://)?(?:[^@/]*@)?([^/:]+)", str(source.get("url") or ""))
    return address[1] if address else ""


def _found(pattern: Any, subject: str) -> bool:
    try:
        return isinstance(pattern, str) and re.search(pattern, subject) is not None
    except re.error:
        return False
