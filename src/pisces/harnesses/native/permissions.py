"""Our own rules: `rules.toml` in the user's folder of pisces, one there for each workspace, which answers to questions
write, and `.pisces/rules.toml` of a project, which only narrows."""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.gates.user_rules import rules_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pisces.gates.rulebook import Rulebook, RuleScene
    from pisces.places import Places

FILE = "rules.toml"


def rulebooks(scene: RuleScene) -> Iterator[Rulebook]:
    if scene.answers or any(os.path.lexists(path) for path, _ in places_of_rules(scene.places)):
        yield export_of("pisces.harnesses.native.rules", "book", "own_book")(scene)


def flag_rulebook(allowed: Sequence[str], denied: Sequence[str]) -> Rulebook:
    """What `--allow` and `--deny` say. Raises `PiscesError` for a rule that cannot be read."""
    made: Rulebook = export_of("pisces.harnesses.native.rules", "flags", "rulebook")(allowed, denied)
    return made


def places_of_rules(places: Places) -> Iterator[tuple[str, bool]]:
    """Each file, and whether it only narrows."""
    own, project = os.path.join(places.agent_dir, FILE), os.path.join(places.cwd, ".pisces", FILE)
    yield own, False
    yield rules_file(places), False
    if os.path.realpath(own) != os.path.realpath(project):
        yield project, True
