"""What a gallery of extensions wants to find in a repository. `harnesses/<id>/gallery.py` exports `GALLERY`.

Asked for by name only: none of it keeps an extension from loading. Whether the repository is public and has the right
topic is known to its host alone, so that is said and not judged.
"""

from __future__ import annotations

import os
import re

from pisces.by_name import export_of, files_called
from pisces.checking.checked import PACKAGE, WORKSPACE
from pisces.checking.lint import Lint
from pisces.checking.subject import Subject
from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.discovery.harness import HARNESSES
from pisces.files import entries, is_file
from pisces.formats.json import JsonObject
from pisces.formats.semver import is_semver
from pisces.value import Value

GALLERY_MANIFEST = Rule("gallery-manifest", ERROR, "A gallery does not find the manifest")
GALLERY_LICENCE = Rule("gallery-licence", WARNING, "An extension for a gallery has no licence")
GALLERY_README = Rule("gallery-readme", WARNING, "An extension for a gallery has no readme")
GALLERY_DESCRIPTION = Rule("gallery-description", WARNING, "An extension for a gallery has no description")
GALLERY_VERSION = Rule("gallery-version", WARNING, "An extension for a gallery has no version of its own")
GALLERY_TOPIC = Rule("gallery-topic", NOTE, "A gallery looks for repositories by their topic")

_LICENCE = re.compile(r"(?:licen[cs]e|copying|unlicense)(?:[.-].*)?", re.IGNORECASE)
_README = re.compile(r"readme(?:\..*)?", re.IGNORECASE)
_NO_VERSION = "0.0.0"


class Gallery(Value):
    """`format` is the package format whose manifest has to be at the root; `topic` is that of the repository."""

    label: str
    format: str
    manifest: str
    topic: str


def gallery_lints() -> tuple[Lint, ...]:
    galleries = [export_of(folder, "gallery", "GALLERY") for folder in files_called(HARNESSES, "gallery")]
    return tuple(_lint(gallery) for gallery in galleries)


def _lint(gallery: Gallery) -> Lint:
    def find(subject: Subject) -> Diagnostics:
        if subject.kind in (PACKAGE, WORKSPACE):
            yield from _problems(subject, gallery)

    return Lint(gallery.label, find, gallery.format)


def _problems(subject: Subject, gallery: Gallery) -> Diagnostics:
    top = _repository(subject)
    manifest = subject.manifest(gallery.format)
    if manifest is None or subject.folder != top:
        yield from _without_manifest(subject, gallery, top)
        return
    names = [entry.name for entry in entries(top) if is_file(entry)]
    if not any(_LICENCE.fullmatch(name) for name in names):
        hint = "add a file `LICENSE`: without one nobody may use it"
        yield GALLERY_LICENCE.at(top, "there is no licence", hint=hint)
    if not any(_README.fullmatch(name) for name in names):
        yield GALLERY_README.at(top, "there is no readme", hint="add a file `README.md`: the gallery links to it")
    yield from _fields(subject, *manifest)
    message = (
        f"{gallery.label} lists public repositories with the topic `{gallery.topic}`; that cannot be seen from here"
    )
    yield GALLERY_TOPIC.at(manifest[0], message, hint="see the topics of the repository where it is hosted")


def _without_manifest(subject: Subject, gallery: Gallery, top: str) -> Diagnostics:
    if subject.folder == top and gallery.format not in subject.formats:
        yield GALLERY_MANIFEST.at(
            top, f"there is no `{gallery.manifest}` at the root, where {gallery.label} looks for it"
        )
    elif gallery.format in subject.formats and subject.folder != top:
        path = os.path.join(subject.folder, gallery.manifest)
        inside = os.path.relpath(path, top).replace(os.sep, "/")
        hint = "move it there, or release an archive that has it at its root"
        yield GALLERY_MANIFEST.at(path, f"`{inside}` is not at the root, where {gallery.label} looks for it", hint=hint)


def _fields(subject: Subject, path: str, values: JsonObject) -> Diagnostics:
    place = subject.pages.json_place(path, ("description",))
    description, version = values.get("description"), values.get("version")
    if not isinstance(description, str) or not description.strip():
        hint = "it is what people read in the list"
        yield GALLERY_DESCRIPTION.at(path, "the manifest has no `description`", place=place, hint=hint)
    if not isinstance(version, str) or not is_semver(version) or version.startswith(_NO_VERSION):
        place = subject.pages.json_place(path, ("version",))
        message = "the manifest has no version of its own"
        yield GALLERY_VERSION.at(path, message, place=place, hint="write three numbers, as in 1.0.0")


def _repository(subject: Subject) -> str:
    """The folder of the repository that the package is in; the package itself where there is none."""
    above = list(subject.places.replace(cwd=subject.folder).ancestors())
    return above[-1] if os.path.lexists(os.path.join(above[-1], ".git")) else subject.folder
