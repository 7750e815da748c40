"""The plugins of Claude Code here: those that are installed, those that settings switch on, and why some do not load.

A plugin `name@marketplace` loads where the strongest settings file that names it says `true` and its marketplace is
known and lists it. Plugins of a marketplace on this machine are read where they lie; others from the copy that
`plugins/installed_plugins.json` records, where a record for another project does not count and one for this project
comes before one for the user. A folder with a manifest in a skills folder is a plugin too, `name@skills-dir`: it is on
unless settings or its `defaultEnabled` say otherwise.
"""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, WARNING, Diagnostic, Rule
from pisces.discovery.config_file import JSON, ConfigFile, config_at
from pisces.discovery.containment import passes_link, stays_inside
from pisces.discovery.found import PROJECT, USER
from pisces.discovery.harness import Where
from pisces.discovery.state import OFF, REFUSED, State
from pisces.files import entries, is_folder
from pisces.harnesses.claude import MANIFEST, WithSettings
from pisces.harnesses.claude.folders import plugin_records, skills_folders
from pisces.harnesses.claude.known_marketplaces import Entry, KnownMarketplace, entry_of, known_marketplaces
from pisces.harnesses.claude.locked import ASK, locked
from pisces.harnesses.claude.plugin_package import PluginPackage, name_of, package_at
from pisces.harnesses.claude.settings import SettingHere, setting, settings_at
from pisces.harnesses.claude.trust import is_trusted, untrusted
from pisces.places import Places
from pisces.shapes.package import Package
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PLUGIN_MISSING = Rule("plugin-missing", ERROR, "An installed plugin's folder is gone")
PLUGIN_NOT_INSTALLED = Rule("plugin-not-installed", WARNING, "A plugin is switched on, but not installed")
PLUGIN_RECORD = Rule("plugin-record", ERROR, "A record of an installed plugin cannot be used")


_VERSION = 2
_SCOPES = ("managed", "user", "project", "local")
_TEXTS = ("installPath", "version", "installedAt", "lastUpdated", "projectPath", "gitCommitSha")


class InstalledPlugin(Value):
    """`held` is why it does not load; `switch` is the setting that names it, if one does."""

    id: str
    package: Package
    level: str
    held: State | None = None
    switch: SettingHere | None = None
    root: str = ""  # what its files may not lead out of, where that is not the plugin itself

    @property
    def manifest_path(self) -> str:
        path = os.path.join(self.package.path, *MANIFEST.split("/"))
        return path if os.path.lexists(path) else self.package.path


class _Record(Value):
    folder: str
    level: str


def installed_here(where: Where[WithSettings]) -> list[InstalledPlugin | Diagnostic]:
    """Every plugin that is meant for the current directory, and what is wrong with the others."""
    return where.run.once(("claude-plugins", where.places.cwd), lambda: _settled(list(_installed(where))))


def _installed(where: Where[WithSettings]) -> Iterator[InstalledPlugin | Diagnostic]:
    switches = switched_plugins(where)
    records: dict[str, _Record] = {}
    for plugin, record in _recorded(where):
        if isinstance(record, Diagnostic):
            yield record
        else:
            records[plugin] = record
    for plugin in dict.fromkeys((*switches, *records)):
        switch = switches.get(plugin)
        if not plugin.endswith("@skills-dir"):
            yield from _from_marketplace(plugin, switch, records.get(plugin), where)
    yield from _in_skills_folders(switches, where)


def switched_plugins(where: Where[WithSettings]) -> Mapping[str, SettingHere]:
    """What the strongest settings file that names a plugin says about it, in the order of Claude Code."""
    found: dict[str, SettingHere] = {}
    for each in reversed(list(settings_at(where, "enabledPlugins"))):
        for plugin, value in each.value.items() if isinstance(each.value, dict) else ():
            found[str(plugin)] = each.replace(value=value, keys=("enabledPlugins", plugin))
    return found


# Of marketplaces


def _from_marketplace(
    plugin: str, switch: SettingHere | None, record: _Record | None, where: Where[WithSettings]
) -> Iterator[InstalledPlugin | Diagnostic]:
    if switch is None or switch.value is not True:
        if record:
            yield from _made(
                plugin, package_at(plugin, record.folder, where), record.level, switch, _off(plugin, switch)
            )
        return
    level = record.level if record else PROJECT if switch.of_project else USER
    market = known_marketplaces(where).get(plugin.rpartition("@")[2])
    entry = entry_of(name_of(plugin), market, where) if market else None
    folder, reason = _folder(plugin, market, entry if isinstance(entry, Entry) else None, record, where)
    if reason:
        hint = f"`claude plugin install {plugin}`, or remove it from `enabledPlugins`"
        message = f"plugin `{plugin}` is switched on, but {reason}"
        yield PLUGIN_NOT_INSTALLED.at(switch.file.path, message, place=switch.place, hint=hint, about=name_of(plugin))
    if folder:
        missing = switch.state(REFUSED, reason, f"`claude plugin install {plugin}`") if reason else None
        root = market.folder if market and market.is_local else folder
        held = missing or (market.held if market else None) or _stray(folder, root)
        read = package_at(plugin, folder, where, entry if isinstance(entry, Entry) else None)
        for each in _made(plugin, read, level, switch, held):
            yield each.replace(root=root) if isinstance(each, InstalledPlugin) else each


def _folder(
    plugin: str,
    market: KnownMarketplace | None,
    entry: Entry | None,
    record: _Record | None,
    where: Where[WithSettings],
) -> tuple[str, str]:
    """Where the plugin lies, if anywhere, and why Claude Code does not load it from there."""
    installed, name = record.folder if record else "", plugin.rpartition("@")[2]
    if market is None:
        return installed, f"Claude Code knows no marketplace `{name}`"
    if entry is None:
        return installed, f"the marketplace `{name}` does not list it"
    if market.is_local and entry.folder:
        folder = os.path.normpath(os.path.join(market.folder, entry.folder))
        return (folder, "") if os.path.isdir(folder) else (installed, f"there is no `{where.places.shown(folder)}`")
    return installed, "" if installed else "it is not installed"


def _stray(folder: str, root: str) -> State | None:
    """A manifest that is a link out of the plugin costs the plugin."""
    path = os.path.join(folder, *MANIFEST.split("/"))
    if passes_link(path, folder) and not stays_inside(path, root) and os.path.exists(path):
        return State(REFUSED, "its manifest is a link that leads out of the plugin", path, 0, "put the file there")
    return None


def _off(plugin: str, switch: SettingHere | None) -> State:
    change = f"`claude plugin enable {plugin}`"
    if switch is None:
        return State(OFF, "no settings file switches it on in `enabledPlugins`", change=change)
    return switch.state(OFF, "{key} switches it off", change)


def _made(
    plugin: str, read: PluginPackage, level: str, switch: SettingHere | None, held: State | None
) -> Iterator[InstalledPlugin | Diagnostic]:
    yield from read.diagnostics if held is None or held.name != OFF or read.held else ()
    yield InstalledPlugin(plugin, read.package, level, held or read.held, switch)


# Records


def _recorded(where: Where[WithSettings]) -> Iterator[tuple[str, _Record | Diagnostic]]:
    file = config_at(plugin_records(where.places), JSON, where.run)
    if isinstance(file, Diagnostic):
        yield "", file
        return
    plugins = file.part(("plugins",)) if file else {}
    if file and not isinstance(plugins, dict):
        yield "", file.not_object(("plugins",))
        return
    flaw = _record_flaw(file) if file else None
    if file and flaw:
        message = f"Claude Code takes nothing from this file: {flaw[1]}"
        yield "", PLUGIN_RECORD.at(file.path, message, place=file.place(*flaw[0]))
        return
    for plugin, records in plugins.items() if file else ():
        record = _record_for_here(records if isinstance(records, list) else [records], where.places)
        if file and record is not None:
            yield plugin, _read(plugin, record, file, where.places)


def _record_flaw(file: ConfigFile) -> tuple[tuple[str | int, ...], str] | None:
    """Keys and message of the first value that is of a wrong type; files of the older version 1 are taken over."""
    if file.part(("version",)) == 1:
        return None
    if file.part(("version",)) != _VERSION:
        return ("version",), f"`version` must be {_VERSION}"
    for plugin, records in file.value["plugins"].items():
        if not isinstance(records, list) or not all(isinstance(each, dict) for each in records):
            return ("plugins", plugin), f"`{plugin}` must be a list of objects"
        for index, record in enumerate(records):
            wrong = [key for key in _TEXTS if not isinstance(record.get(key, ""), str)]
            wrong += ["scope"] if record.get("scope") not in _SCOPES else []
            if wrong:
                return ("plugins", plugin, index, wrong[0]), f"`{wrong[0]}` of `{plugin}` has a wrong value"
    return None


def _read(plugin: str, record: object, file: ConfigFile, places: Places) -> _Record | Diagnostic:
    path = record.get("installPath") if isinstance(record, dict) else None
    if not (isinstance(path, str) and path):
        return _at_record(PLUGIN_RECORD, f"plugin `{plugin}` has no `installPath`", plugin, file)
    if not os.path.isdir(places.absolute(path)):
        return _at_record(PLUGIN_MISSING, f"plugin `{plugin}` is not at `{path}`", plugin, file)
    project = isinstance(record, dict) and record.get("projectPath")
    return _Record(places.absolute(path), PROJECT if project else USER)


def _at_record(rule: Rule, message: str, plugin: str, file: ConfigFile) -> Diagnostic:
    return rule.at(file.path, message, place=file.place("plugins", plugin), about=name_of(plugin))


def _record_for_here(records: list[object], places: Places) -> object:
    """The record that counts here; None where all of them are for other projects."""
    projects = list(places.ancestors())
    here = [each for each in records if isinstance(each, dict) and each.get("projectPath") in projects]
    general = [each for each in records if not (isinstance(each, dict) and each.get("projectPath"))]
    return next(iter(here + general), None)


# In skills folders


def _in_skills_folders(
    switches: Mapping[str, SettingHere], where: Where[WithSettings]
) -> Iterator[InstalledPlugin | Diagnostic]:
    of_user, of_project = skills_folders(where.places)
    for level, folder in ((USER, of_user), (PROJECT, of_project)):
        for entry in entries(folder) if level == USER or where.places.cwd != where.places.home else ():
            if is_folder(entry) and os.path.lexists(os.path.join(entry.path, *MANIFEST.split("/"))):
                plugin = f"{entry.name}@skills-dir"
                read = package_at(plugin, entry.path, where)
                held = _held_in_skills(plugin, read.package, level, switches, where)
                yield from _made(plugin, read, level, switches.get(plugin), held)


def _held_in_skills(
    plugin: str, package: Package, level: str, switches: Mapping[str, SettingHere], where: Where[WithSettings]
) -> State | None:
    switch = switches.get(plugin)
    if switch is not None and switch.value is not True:
        return _off(plugin, switch)
    if switch is None and package.fields.get("defaultEnabled") is False:
        reason = "its `defaultEnabled` keeps it off until somebody switches it on"
        path = os.path.join(package.path, *MANIFEST.split("/"))
        return State(OFF, reason, path, change=f"`claude plugin enable {plugin}`")
    if level == PROJECT and not is_trusted(where):
        return untrusted(where, "it is a plugin of the project itself")
    return locked("plugins", where) or _listed_only(where)


def _listed_only(where: Where[WithSettings]) -> State | None:
    """Where the administrator lists the marketplaces that are allowed, a folder is none of them."""
    found = setting(where, "strictKnownMarketplaces", managed=True)
    return found.state(REFUSED, "{key} allows plugins of the listed marketplaces only", ASK) if found else None


# Dependencies


def _settled(found: list[InstalledPlugin | Diagnostic]) -> list[InstalledPlugin | Diagnostic]:
    """The same, where a plugin that needs one that does not load does not load either."""
    while True:
        active = {each.id for each in found if isinstance(each, InstalledPlugin) and each.held is None}
        settled = [_with_needs(each, active) if isinstance(each, InstalledPlugin) else each for each in found]
        if settled == found:
            return found
        found = settled


def _with_needs(plugin: InstalledPlugin, active: set[str]) -> InstalledPlugin:
    needs = plugin.package.fields.get("dependencies")
    for need in needs if plugin.held is None and isinstance(needs, list) else ():
        wanted = _needed(need, plugin.id.rpartition("@")[2])
        if wanted not in active:
            file = plugin.manifest_path
            reason = f"it needs the plugin `{wanted}`, which does not load"
            return plugin.replace(held=State(REFUSED, reason, file, change=f"`claude plugin install {wanted}`"))
    return plugin


def _needed(need: object, market: str) -> str:
    if isinstance(need, dict):
        return f"{need.get('name')}@{need.get('marketplace') or market}"
    name, _, rest = str(need).partition("@")
    return f"{name}@{rest.partition('@')[0] or market}" if not rest.startswith("^") else f"{name}@{market}"
