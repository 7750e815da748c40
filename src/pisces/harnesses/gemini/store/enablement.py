"""`extension-enablement.json`: which extension is on where. A file that cannot be read is never overwritten."""

from __future__ import annotations

import json
import os

from pisces.atomic import write_atomically
from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.files import MISSING, Unreadable, read_text
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed
from pisces.formats.position import json_place
from pisces.harnesses.gemini.store.layout import GeminiStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.formats.fit import Path

ENABLEMENT_BROKEN = Rule(
    "enablement-broken", ERROR, "Gemini CLI's enablement file cannot be read, so it is not changed"
)

Rules = dict[str, tuple[str, ...]]


def read_enablement(store: GeminiStore) -> Rules:
    """The rules of every extension, in their order. A missing file has none; a broken one is an error."""
    path = store.enablement_path
    try:
        text = read_text(path)
        found: Any = parse(text)
    except Unreadable as error:
        if error.kind == MISSING:
            return {}
        raise PiscesError(ENABLEMENT_BROKEN.at(path, f"the file {error.message}")) from None
    except Malformed as error:
        raise PiscesError(ENABLEMENT_BROKEN.at(path, error.message, place=(error.line, error.column))) from None
    for where, message in _misfits(found):
        raise PiscesError(_broken(path, text, where, message))
    return {name: tuple(entry["overrides"]) for name, entry in found.items()}


def write_enablement(store: GeminiStore, changes: Mapping[str, tuple[str, ...] | None]) -> None:
    """Sets the rules of some extensions; None removes them. Other extensions are not changed."""
    before = read_enablement(store)
    after = {**before, **changes}
    changed = {name: rules for name, rules in after.items() if rules is not None}
    if changed == before:
        return
    text = json.dumps(
        {name: {"overrides": list(rules)} for name, rules in changed.items()}, indent=2, ensure_ascii=False
    )
    os.makedirs(store.extensions, exist_ok=True)
    write_atomically(store.enablement_path, text.encode("utf-8", "surrogatepass"))


def _misfits(found: object) -> Iterator[tuple[Path, str]]:
    """As strict as Gemini CLI, which ignores the whole file because of one invalid entry."""
    if not isinstance(found, dict):
        yield (), "the file must hold an object"
        return
    for name, entry in found.items():
        overrides = entry.get("overrides") if isinstance(entry, dict) else None
        if not isinstance(overrides, list):
            yield (name,), f"`{name}` must be an object with a list `overrides`"
        elif not all(isinstance(rule, str) for rule in overrides):
            yield (name, "overrides"), f"every rule of `{name}` must be a text"


def _broken(path: str, text: str, where: Path, message: str) -> Diagnostic:
    return ENABLEMENT_BROKEN.at(path, message, place=json_place(text, where) if where else (1, 1))
