"""Our own rules: `rules.toml` in the user's folder of pisces, and `.pisces/rules.toml`, which only narrows."""

from __future__ import annotations

import os

from pisces.by_name import export_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.gates.rulebook import Rulebook, RuleScene
    from pisces.places import Places

FILE = "rules.toml"


def rulebooks(scene: RuleScene) -> Iterator[Rulebook]:
    if any(os.path.lexists(path) for path, _ in places_of_rules(scene.places)):
        yield export_of("pisces.harnesses.native.rules", "book", "OwnBook")(scene)


def places_of_rules(places: Places) -> Iterator[tuple[str, bool]]:
    """Each file, and whether it only narrows."""
    own, project = os.path.join(places.agent_dir, FILE), os.path.join(places.cwd, ".pisces", FILE)
    yield own, False
    if os.path.realpath(own) != os.path.realpath(project):
        yield project, True
