"""One plugin of Claude Code as a package: its manifest, its entry in a marketplace, and whether it is refused."""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.config_file import JSON, MARKED, ConfigFile, config_at
from pisces.discovery.harness import Where
from pisces.discovery.state import REFUSED, State
from pisces.files import entries
from pisces.harnesses.claude import MANIFEST
from pisces.harnesses.claude.known_marketplaces import Entry
from pisces.harnesses.claude.plainly import plain_hooks, plain_manifest
from pisces.shapes.package import Package
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pisces.shapes.field import Keys

FORMAT = "claude-plugin"
_HOOKS = "hooks/hooks.json"
_COMPONENTS = ("commands", "agents", "skills", "hooks", "mcpServers", "outputStyles")
_OF_LISTINGS = ("source", "strict", "category", "tags")
_MEND = "mend that entry, or remove it"

PLUGIN_NO_NAME = Rule("plugin-no-name", ERROR, "A plugin's manifest has no name")


class EntryFile(ConfigFile):
    """A manifest that stands in the list of a marketplace. Its keys are counted from the plugin's entry."""

    entry: tuple[str | int, ...] = ()

    def place(self, *keys: str | int) -> tuple[int, int]:
        return super().place(*self.entry, *keys)


class ListedPackage(Package):
    """A plugin whose marketplace says where its components are; `file` is what stands for its manifest."""

    file: ConfigFile


class PluginPackage(Value):
    """`held` is why Claude Code refuses the plugin whole; `diagnostics` say what is wrong with its manifest."""

    package: Package
    held: State | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


def name_of(plugin: str) -> str:
    return plugin.rpartition("@")[0] or plugin


def package_at(plugin: str, folder: str, where: Where, entry: Entry | None = None) -> PluginPackage:
    """The plugin in a folder; with `entry`, as its marketplace lists it."""
    file = config_at(os.path.join(folder, *MANIFEST.split("/")), MARKED, where.run)
    name = name_of(plugin)
    unnamed = Package(name, folder, {}, FORMAT)
    if isinstance(file, Diagnostic):
        reason = f"{file.message}: Claude Code refuses the whole plugin"
        return PluginPackage(unnamed, State(REFUSED, reason, file.path, file.line), (file.replace(about=name),))
    if file is None:
        return _without_manifest(unnamed, entry, where)
    if not isinstance(file.value, dict):
        flaw = file.not_object().replace(about=name)
        return PluginPackage(unnamed, _refused(file, (), "the manifest is not an object"), (flaw,))
    diagnostics: tuple[Diagnostic, ...] = ()
    own = file.value.get("name")
    if not isinstance(own, str) or not own:
        message = "the manifest has no text `name`"
        diagnostics = (PLUGIN_NO_NAME.at(file.path, message, place=file.place("name"), about=name),)
    package = Package(own if isinstance(own, str) and own else name, folder, file.value, FORMAT)
    held = _first(_entry_flaws(entry, has_manifest=True)) or _first(_flaws(file, folder, where))
    return PluginPackage(_supplemented(package, entry, file), held, diagnostics)


def _without_manifest(package: Package, entry: Entry | None, where: Where) -> PluginPackage:
    if entry is None:
        return PluginPackage(package, _first(_hook_flaws([_HOOKS], package.path, where)))
    file = _entry_file(entry)
    held = _first(_flaws(file, package.path, where))
    if not entry.is_read and not entries(package.path):
        held = State(REFUSED, "its folder is empty", package.path, 0, "install the plugin again")
    return PluginPackage(ListedPackage(package.name, package.path, file.value, FORMAT, file), held)


def _entry_file(entry: Entry) -> EntryFile:
    values = {key: value for key, value in entry.values.items() if key not in _OF_LISTINGS}
    return EntryFile(entry.file.path, MARKED, entry.file.text, values, entry.keys)


def _supplemented(package: Package, entry: Entry | None, file: ConfigFile) -> Package:
    """Components that only the marketplace names come on top of the manifest's."""
    more = {key: entry.values[key] for key in _COMPONENTS if key in entry.values} if entry else {}
    if not more:
        return package
    values = {**more, **package.fields}
    return ListedPackage(package.name, package.path, values, FORMAT, file.replace(value=values))


def _entry_flaws(entry: Entry | None, *, has_manifest: bool) -> Iterator[State]:
    if entry is None:
        return
    file = _entry_file(entry)
    if has_manifest and entry.values.get("strict") is False and any(key in entry.values for key in _COMPONENTS):
        reason = "its marketplace names its components with `strict: false`, and it has a manifest too"
        yield _refused(file, ("strict",), reason)
    yield from _manifest_flaws(file) if entry.is_read else ()


def _flaws(file: ConfigFile, folder: str, where: Where) -> Iterator[State]:
    yield from _manifest_flaws(file)
    declared = file.value.get("hooks")
    paths = [each for each in (declared if isinstance(declared, list) else [declared]) if isinstance(each, str)]
    yield from _hook_flaws([_HOOKS, *paths], folder, where)


def _manifest_flaws(file: ConfigFile) -> Iterator[State]:
    if plain_manifest(file.value):
        return
    refusals = export_of("pisces.harnesses.claude", "refusals", "manifest_refusals")
    for refusal in refusals(file.value):
        yield _refused(file, refusal.keys, refusal.message)
    yield from _guards(file, "IN_MANIFESTS")


def _guards(file: ConfigFile, skipped: str) -> Iterator[State]:
    """Guards among the hooks of a manifest or a file of hooks that are at the wrong place."""
    outside, inside, below = (
        export_of("pisces.harnesses.claude", "misplaced_guards", name)
        for name in ("outside_hooks", "inside_hooks", skipped)
    )
    for keys, flaw in (((), outside(file.value, below)), (("hooks",), inside(file.value.get("hooks")))):
        if flaw:
            yield _refused(file, (*keys, *flaw[0]), flaw[1])


def _hook_flaws(paths: Iterable[str], folder: str, where: Where) -> Iterator[State]:
    for path in dict.fromkeys(os.path.normpath(os.path.join(folder, each)) for each in paths):
        file = config_at(path, JSON, where.run)
        if not isinstance(file, ConfigFile) or not isinstance(file.value, dict):
            continue
        if file.value.keys() == {"hooks"} and plain_hooks(file.value["hooks"]):
            continue
        refusals = export_of("pisces.harnesses.claude", "refusals", "hook_file_refusals")
        for refusal in refusals(file.value):
            yield _refused(file, refusal.keys, refusal.message)
        yield from _guards(file, "NOWHERE")


def _refused(file: ConfigFile, keys: Keys, message: str) -> State:
    reason = f"Claude Code refuses the whole plugin: {message}"
    return State(REFUSED, reason, file.path, file.place(*keys)[0], _MEND)


def _first(states: Iterator[State]) -> State | None:
    return next(states, None)
