"""The manifest of a Cursor plugin against the closed schema that Cursor publishes."""

from __future__ import annotations

from pisces.checking.lint import Flaw, Flaws, manifest_lint
from pisces.checking.spelling import did_you_mean
from pisces.diagnostics import ERROR, WARNING, Rule
from pisces.formats.fit import misfits
from pisces.formats.json import JsonObject
from pisces.harnesses.cursor.manifest_shape import MANIFEST_SHAPE

CURSOR_MANIFEST = Rule("cursor-manifest", ERROR, "A manifest that breaks Cursor's schema")
CURSOR_MANIFEST_KEY = Rule("cursor-manifest-key", WARNING, "A key that Cursor's schema does not have")


def _flaws(manifest: JsonObject) -> Flaws:
    for misfit in misfits(manifest, MANIFEST_SHAPE):
        name = ".".join(map(str, misfit.path))
        if misfit.unknown:
            hint = did_you_mean(name, MANIFEST_SHAPE.optional)
            yield Flaw(CURSOR_MANIFEST_KEY, misfit.path, f"`{name}` is not in the schema of Cursor", hint)
        else:
            where = f"`{name}`" if name else "the manifest"
            yield Flaw(CURSOR_MANIFEST, misfit.path, f"{where} {misfit.message}")


LINT = manifest_lint("the manifest of a Cursor plugin", _flaws, "cursor-plugin")
