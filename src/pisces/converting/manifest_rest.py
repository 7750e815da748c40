"""What a manifest has that is no component of any kind: each value as an item of its own, so that none is lost."""

from __future__ import annotations

from pisces.converting.plugin import PluginRest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.converting.plugin import Plugin
    from pisces.converting.reading import PackageReading

# What every plugin says of itself, and what is for editors alone.
_METADATA = ("author", "homepage", "repository", "license", "keywords", "displayName", "$schema")


def named_values(plugin: Plugin, reading: PackageReading, key: str, sort: str) -> Iterator[PluginRest]:
    """The texts or entries that a key holds."""
    value = plugin.fields.get(key)
    for index, each in enumerate(value if isinstance(value, list) else [value]):
        if each is not None:
            keys = (key, index) if isinstance(value, list) else (key,)
            named = each.get("name") if isinstance(each, dict) else each
            yield _rest(plugin, reading, (sort, str(named or key)), keys)


def unread_keys(plugin: Plugin, reading: PackageReading, known: tuple[str, ...]) -> Iterator[PluginRest]:
    """Keys of the manifest that are read as no component."""
    for key in plugin.fields:
        if key not in known and key not in _METADATA:
            yield _rest(plugin, reading, ("manifest field", str(key)), (key,))


def _rest(plugin: Plugin, reading: PackageReading, named: tuple[str, str], keys: tuple[str | int, ...]) -> PluginRest:
    sort, name = named
    path = reading.files.absolute(plugin.manifest)
    value = reading.files.part(path, keys)
    lines = reading.files.lines(path, keys, ())
    return PluginRest(name, plugin.manifest, value if isinstance(value, dict) else {"": value}, lines, sort, keys)
