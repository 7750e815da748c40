"""The Agent Skills standard: what a SKILL.md header may say, and everything in which one differs from it.

Name: 1 to 64 small letters, digits and single hyphens, the same as the folder's. Description: 1 to 1024 characters.
Beside them only `license`, `compatibility` (up to 500 characters), `metadata` (texts by text) and `allowed-tools`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.discovery.markdown_file import MarkdownFile

FIELDS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
LONGEST_NAME = 64
LONGEST_DESCRIPTION = 1024
LONGEST_COMPATIBILITY = 500


def deviations(file: MarkdownFile, folder: str) -> Iterator[tuple[str, str]]:
    """Field and message of everything that the standard does not allow. `folder` is the name of the skill's folder."""
    fields = file.fields
    yield from (("name", message) for message in _name_flaws(fields.get("name"), folder))
    description = fields.get("description")
    if not isinstance(description, str) or not description.strip():
        yield "description", "`description` must be a text that is not empty"
    elif len(description) > LONGEST_DESCRIPTION:
        yield "description", f"`description` has {len(description)} characters, more than {LONGEST_DESCRIPTION}"
    compatibility = fields.get("compatibility", "-")
    if not isinstance(compatibility, str) or not 0 < len(compatibility) <= LONGEST_COMPATIBILITY:
        yield "compatibility", f"`compatibility` must be a text of at most {LONGEST_COMPATIBILITY} characters"
    for field in fields:
        if field not in FIELDS:
            yield field, f"`{field}` is not a field of the standard"


def _normal(text: str) -> str:
    if text.isascii():
        return text
    from unicodedata import normalize  # a large table, needed for non-English names only

    return normalize("NFKC", text)


def _name_flaws(name: object, folder: str) -> Iterator[str]:
    if not isinstance(name, str) or not name.strip():
        yield "`name` must be a text that is not empty"
        return
    name = _normal(name.strip())
    if len(name) > LONGEST_NAME:
        yield f"`name` has {len(name)} characters, more than {LONGEST_NAME}"
    if name != name.lower() or not all(character.isalnum() or character == "-" for character in name):
        yield f"`name` may have small letters, digits and hyphens only, not `{name}`"
    if name.startswith("-") or name.endswith("-") or "--" in name:
        yield "`name` must not start or end with a hyphen, nor have two in a row"
    if name != _normal(folder):
        yield f"`name` is `{name}`, but the folder is `{folder}`"
