"""A plugin as its marketplace lists it: an entry may stand for the manifest, or add to it."""

from __future__ import annotations

from pisces.discovery.found import PROJECT
from pisces.discovery.harness import Run, Where
from pisces.discovery.package_format import ReadPackage
from pisces.harnesses.claude.known_marketplaces import Entry
from pisces.harnesses.claude.plugin_package import FORMAT, package_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.converting.reading import ListedPlugin
    from pisces.places import Places

# What an entry says where the manifest says nothing.
_DETAILS = ("version", "description", "author", "homepage", "repository", "license", "keywords")


def listed_package(listed: ListedPlugin, places: Places) -> ReadPackage:
    entry = Entry(listed.entry, listed.file, listed.keys)
    where = Where(places, Run(), "", FORMAT, FORMAT, PROJECT)
    found = package_at(listed.name, listed.folder, where, entry)
    details = {key: listed.entry[key] for key in _DETAILS if key in listed.entry}
    package = found.package.replace(manifest={**details, **found.package.fields})
    return ReadPackage(package, found.held is None, found.diagnostics)
