"""The manifest of a Codex plugin: shapes for which Codex does not read it."""

from __future__ import annotations

from pisces.checking.lint import Flaw, Flaws, manifest_lint
from pisces.diagnostics import ERROR, Rule
from pisces.formats.json import JsonObject
from pisces.harnesses.codex.manifest_shape import manifest_refusals

CODEX_MANIFEST = Rule("codex-manifest", ERROR, "A manifest that Codex does not read")


def _flaws(manifest: JsonObject) -> Flaws:
    for keys, message in manifest_refusals(manifest):
        yield Flaw(CODEX_MANIFEST, keys, message)


LINT = manifest_lint("the manifest of a Codex plugin", _flaws, "codex-plugin")
