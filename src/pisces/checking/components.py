"""The components of a target, one for each file or entry that any dialect found or rejected, with verdicts."""

from __future__ import annotations

import os

from pisces.checking.acceptance import Acceptance, CheckedPart, namespace_of
from pisces.checking.checked import Component, HarnessVerdict
from pisces.checking.subject import Subject
from pisces.diagnostics import ERROR, Diagnostic
from pisces.discovery.found import Found

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Key = tuple[str, str, str]

KINDS = ("commands", "skills", "subagents", "hooks", "policies", "mcp-servers", "context-files", "themes", "settings")
_BY_FILE = ("skills", "subagents", "commands", "context-files", "policies")
# What a rejected file would have been, by the beginning of the diagnostic's code.
_REJECTED = (
    ("skill-", "skills"),
    ("agent-plugin-server", "mcp-servers"),
    ("agent-plugin-", ""),
    ("agent-", "subagents"),
    ("subagent-", "subagents"),
    ("command-", "commands"),
    ("executable-", "commands"),
    ("policy-", "policies"),
    ("mcp-server-", "mcp-servers"),
    ("context-", "context-files"),
)


def components(subject: Subject, harnesses: Mapping[str, Acceptance]) -> tuple[Component, ...]:
    return tuple(
        Component(part.kind, part.name, part.path, tuple(_verdicts(part, subject, harnesses)))
        for part in parts(subject)
    )


def parts(subject: Subject) -> list[CheckedPart]:
    """By kind, then in the order in which they were found."""
    found: dict[Key, dict[str, Found]] = {}
    rejected: dict[Key, dict[str, Diagnostic]] = {}
    for dialect, kinds in subject.found.items():
        for kind in KINDS:
            for each in kinds.get(kind, ()):
                found.setdefault(_key(kind, each), {}).setdefault(dialect, each)
    for dialect, diagnostics in subject.rejected.items():
        for diagnostic in diagnostics:
            kind = _kind_of(diagnostic)
            if kind and diagnostic.severity == ERROR:
                name = "" if kind in _BY_FILE and not _is_program(diagnostic) else diagnostic.about
                rejected.setdefault((kind, diagnostic.path, name), {}).setdefault(dialect, diagnostic)
    keys = sorted({**found, **rejected}, key=lambda key: KINDS.index(key[0]))
    return [
        CheckedPart(key[0], _name(key, found, subject), key[1], found.get(key, {}), rejected.get(key, {}))
        for key in keys
    ]


def _verdicts(part: CheckedPart, subject: Subject, harnesses: Mapping[str, Acceptance]) -> Iterator[HarnessVerdict]:
    for harness, acceptance in harnesses.items():
        reason = verdict_of(part, subject, acceptance)
        yield HarnessVerdict(harness, not reason, reason)


def verdict_of(part: CheckedPart, subject: Subject, acceptance: Acceptance) -> str:
    """Why a harness does not load a part, or nothing."""
    whole = acceptance.refused_whole(subject)
    if whole:
        return f"the whole package is refused: {whole}"
    namespace = namespace_of(part, subject) if subject.formats else ""
    if namespace and namespace not in acceptance.namespaces:
        return f"`{namespace}` is the folder of another client"
    return acceptance.refusal(part, subject)


def _key(kind: str, found: Found) -> Key:
    item = found.item
    if kind == "commands" and item.executable:  # one manifest has several of them
        return kind, item.path, item.name
    if kind in _BY_FILE:
        return kind, item.path, ""
    if kind == "hooks":
        return kind, item.path, item.event
    if kind == "settings":
        return kind, item.path, str(getattr(item, "env_var", ""))
    name = str(item.name)
    return kind, item.path, name.rsplit(":", 1)[-1] if kind == "mcp-servers" else name


def _is_program(diagnostic: Diagnostic) -> bool:
    return diagnostic.code.startswith("executable-")


def _kind_of(diagnostic: Diagnostic) -> str:
    if diagnostic.code in ("markdown-unreadable", "header-broken"):
        return _kind_by_place(diagnostic.path)
    return next((kind for start, kind in _REJECTED if diagnostic.code.startswith(start)), "")


def _kind_by_place(path: str) -> str:
    if os.path.basename(path) == "SKILL.md":
        return "skills"
    folders = path.split(os.sep)
    return next((kind for name, kind in (("agents", "subagents"), ("commands", "commands")) if name in folders), "")


def _name(key: Key, found: dict[Key, dict[str, Found]], subject: Subject) -> str:
    kind, path, name = key
    if name and kind == "commands":
        return next((f"/{each.item.final_name}" for each in found.get(key, {}).values()), f"/{name}")
    if name:
        return name
    if kind == "skills":
        return os.path.basename(os.path.dirname(path))
    if kind == "commands":
        return next((f"/{each.item.final_name}" for each in found.get(key, {}).values()), _relative(path, subject))
    if kind == "subagents":
        return os.path.basename(path).split(".")[0]
    return _relative(path, subject)


def _relative(path: str, subject: Subject) -> str:
    return os.path.relpath(path, subject.folder).replace(os.sep, "/")
