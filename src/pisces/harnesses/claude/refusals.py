"""Why Claude Code refuses a whole plugin: its manifest, or a guard among its hooks that cannot be loaded."""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.config_file import JSON, config_at
from pisces.discovery.harness import Run
from pisces.formats.fit import misfits
from pisces.formats.json import JsonObject
from pisces.harnesses.claude import MANIFEST
from pisces.harnesses.claude.hook_shape import each_of, guards_outside, hook_flaws, manifest_hook_flaws
from pisces.harnesses.claude.manifest_shape import MANIFEST_SHAPE
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.shapes.field import Keys

HOOK_FILE = "hooks/hooks.json"


class Refusal(Value):
    """`keys` lead to the value in its file."""

    keys: Keys
    message: str


def plugin_refusals(folder: str, manifest: JsonObject) -> Iterator[tuple[str, Refusal]]:
    """Every reason, with its file. `manifest` is empty for a plugin without one."""
    if manifest:
        path = os.path.join(folder, *MANIFEST.split("/"))
        yield from ((path, refusal) for refusal in manifest_refusals(manifest))
    for path in hook_files(folder, manifest):
        file = config_at(path, JSON, Run())
        if isinstance(file, Diagnostic):
            yield path, Refusal((), file.message)
        elif file is not None and isinstance(file.value, dict):
            yield from ((path, refusal) for refusal in hook_file_refusals(file.value))


def hook_files(folder: str, manifest: JsonObject) -> list[str]:
    """The files in which a plugin has hooks: the usual one, and those that the manifest names."""
    named = [each for _, each in each_of(manifest.get("hooks")) if isinstance(each, str) and each.startswith("./")]
    paths = [os.path.normpath(os.path.join(folder, name)) for name in (HOOK_FILE, *named)]
    return [path for path in dict.fromkeys(paths) if os.path.isfile(path)]


def manifest_refusals(manifest: JsonObject) -> Iterator[Refusal]:
    for misfit in misfits(manifest, MANIFEST_SHAPE):
        name = f"`{'.'.join(map(str, misfit.path))}`" if misfit.path else "the manifest"
        yield Refusal(misfit.path, misfit.message if misfit.unknown else f"{name} {misfit.message}")
    for flaw in manifest_hook_flaws(manifest["hooks"]) if "hooks" in manifest else ():
        if flaw.whole:
            yield Refusal(("hooks", *flaw.keys), flaw.message)
    yield from _outside(manifest)


def hook_file_refusals(values: JsonObject) -> Iterator[Refusal]:
    """Of a file with hooks; its other flaws cost no more than hooks."""
    yield from _outside(values)
    hooks = values.get("hooks")
    for flaw in hook_flaws(hooks) if hooks is not None else ():
        if flaw.whole or not isinstance(hooks, dict):
            yield Refusal(("hooks", *flaw.keys), flaw.message)


def _outside(values: JsonObject) -> Iterator[Refusal]:
    if guard := guards_outside(values):
        yield Refusal((guard,), f"`{guard}` stands outside of `hooks`")
