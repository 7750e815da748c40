"""What Codex takes in a plugin's manifest, as its source says (August 2026); a missing name is that of the folder."""

from __future__ import annotations

from pisces.formats.fit import TEXT, Either, Listed, Plain, Record, misfits
from pisces.formats.json import JsonObject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.shapes.field import Keys

NOTHING = Plain("nothing", lambda value: value is None)
_MAYBE_TEXT = Either((TEXT, NOTHING))
_INTERFACE = Record(
    {},
    {
        **dict.fromkeys(
            """
            displayName shortDescription longDescription developerName category websiteUrl websiteURL privacyPolicyUrl
            privacyPolicyURL termsOfServiceUrl termsOfServiceURL brandColor composerIcon logo logoDark
            """.split(),
            _MAYBE_TEXT,
        ),
        "capabilities": Listed(TEXT),
        "screenshots": Listed(TEXT),
    },
)
_SHAPE = Record(
    {},
    {
        "name": TEXT,
        "version": _MAYBE_TEXT,
        "description": _MAYBE_TEXT,
        "keywords": Listed(TEXT),
        "apps": _MAYBE_TEXT,
        "interface": Either((_INTERFACE, NOTHING)),
    },
)


def manifest_refusals(manifest: JsonObject) -> Iterator[tuple[Keys, str]]:
    """Why Codex does not read the manifest at all."""
    for misfit in misfits(manifest, _SHAPE):
        yield misfit.path, f"`{'.'.join(map(str, misfit.path))}` {misfit.message}"
