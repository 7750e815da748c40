"""The approval rules of Codex: the user's, and what the project's forbid or ask about, trusted or not."""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.files import entries
from pisces.harnesses.codex import HARNESS
from pisces.harnesses.codex.layers import Layers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.gates.rulebook import Rulebook, RuleScene

READ_ONLY, FULL_ACCESS = "read-only", "danger-full-access"
_BOOK = "pisces.harnesses.codex.rules", "book"


def rulebooks(scene: RuleScene) -> Iterator[Rulebook]:
    layers = layers_of(scene)
    if layers.user is not None or layers.has_flaw or any(rules_files(scene, layers)):
        yield export_of(*_BOOK, "CodexBook")(scene)


def program_book(scene: RuleScene) -> Rulebook:
    """Codex as it would decide by itself, for comparing with it."""
    book: Rulebook = export_of(*_BOOK, "CodexProgram")(scene)
    return book


def layers_of(scene: RuleScene) -> Layers:
    return scene.run.once(("codex-rule-layers",), lambda: Layers(HARNESS, scene.places, scene.run))


def sandbox_mode(layers: Layers) -> object:
    """The user's; a project cannot set it."""
    return layers.user.value.get("sandbox_mode") if layers.user else None


def rules_files(scene: RuleScene, layers: Layers) -> Iterator[tuple[str, bool]]:
    """Each rules file, and whether it only narrows, as a project's does."""
    own = os.path.join(HARNESS.user_path(scene.places), "rules")
    projects = [os.path.join(each, HARNESS.project_dir, "rules") for each in layers.folders]
    for folder in (own, *projects):
        if folder != own and os.path.realpath(folder) == os.path.realpath(own):
            continue
        for entry in entries(folder):
            if entry.name.endswith(".rules") and entry.is_file():
                yield entry.path, folder != own
