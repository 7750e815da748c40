"""Conditions in the header of a file that is loaded all the same: only when it is named, only with certain files.

A harness whose rules have such headers asks here; nobody else pays for reading them.
"""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.diagnostics import Diagnostic
from pisces.discovery.state import ACTIVE, OFF, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.found import Found
    from pisces.discovery.harness import Run
    from pisces.discovery.markdown_file import MarkdownFile

WHEN_NAMED = State(ACTIVE, "only when you name it")
BY_NAME_ALONE = State(ACTIVE, "the agent is told its name only")
WHEN_FITTING = State(ACTIVE, "when the agent finds that it fits")

_MODES = {"manual": WHEN_NAMED, "model_decision": WHEN_FITTING}


def header_of(found: Found, run: Run) -> MarkdownFile | None:
    """The file of an item with its header, if it has one."""

    def read() -> MarkdownFile | Diagnostic:
        markdown_at = export_of("pisces.discovery", "markdown_file", "markdown_at")  # a listing of packages needs none
        found_there: MarkdownFile | Diagnostic = markdown_at(found.source.path, "", lenient=True)
        return found_there

    file = run.once(("header", found.source.path), read)
    return None if isinstance(file, Diagnostic) or file.header is None else file


def with_files(patterns: object) -> State | None:
    """For files that fit these patterns: a text with commas, or a list."""
    listed = patterns.split(",") if isinstance(patterns, str) else patterns if isinstance(patterns, list) else []
    words = [str(each).strip() for each in listed if str(each).strip()]
    return State(ACTIVE, f"only with files that fit {', '.join(f'`{each}`' for each in words)}") if words else None


def triggered(file: MarkdownFile | None) -> State | None:
    """The header of Cascade's rules: `trigger` is always_on, manual, model_decision or glob, with `globs`."""
    mode = str(file.fields.get("trigger") or "") if file else ""
    if file and mode == "glob":
        return with_files(file.fields.get("globs"))
    return _MODES.get(mode)


def header_off(file: MarkdownFile | None, key: str, wanted: object) -> State | None:
    """Off where the header says so."""
    if file is None or file.fields.get(key) is not wanted:
        return None
    return State(OFF, f"`{key}` in its header switches it off", file.path, file.place(key)[0], f"remove `{key}`")


def only_if_named(found: Found) -> State | None:
    """A skill that the agent must not take by itself."""
    return WHEN_NAMED if found.item.fields.get("disable-model-invocation") is True else None
