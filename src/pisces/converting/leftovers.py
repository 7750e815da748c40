"""What a target has no place for in a package, reported one by one."""

from __future__ import annotations

from pisces.converting.fate import (
    APPROXIMATED,
    CHANGED_MEANING,
    DROPPED,
    LOST_COMPONENT,
    LOST_FIELD,
    NEVER_LOADED,
    lost,
)
from pisces.converting.hook_tools import lost_hook
from pisces.converting.plugin import PluginRest
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginHook, PluginItem
    from pisces.converting.writer import WriteOptions

# Keys of a manifest that stand for components, which answer for themselves.
_COMPONENTS = frozenset(
    """
    $schema name version description commands agents skills hooks mcpServers lspServers outputStyles themes monitors
    channels userConfig dependencies settings variables rules contextFileName excludeTools apps
    """.split()
)


class AcceptedHooks(Value):
    hooks: tuple[PluginHook, ...]
    fates: tuple[Fate, ...]


def without_place(items: Iterable[PluginItem], label: str) -> Iterator[Fate]:
    for each in items:
        yield lost(DROPPED, LOST_COMPONENT, each, f"{label} has no place for a {each.kind} in a package")


def accepted_hooks(plugin: Plugin, options: WriteOptions, refusal: Callable[[PluginHook], str]) -> AcceptedHooks:
    """Those that the target can run. A dead one is reported and not revived."""
    hooks, fates = [], []
    for hook in plugin.hooks:
        why = "hooks are left out on request" if options.without_hooks else refusal(hook)
        if hook.dead:
            fates.append(lost(DROPPED, NEVER_LOADED, hook, hook.dead))
        elif why:
            fates.append(lost_hook(hook, why))
        else:
            hooks.append(hook)
    return AcceptedHooks(tuple(hooks), tuple(fates))


def renamed_command(item: PluginItem, name: str, separator: str) -> list[Fate]:
    """A fate where another one has its name already, or one that differs in case only."""
    if name == item.name.replace(":", separator):
        return []
    return [lost(APPROXIMATED, CHANGED_MEANING, item, f"its name is taken: it is called `{name}`", "name")]


def manifest_fates(plugin: Plugin, carried: Iterable[str], label: str) -> Iterator[Fate]:
    """One for each key of the manifest that the target's has no place for."""
    manifest = PluginRest(plugin.name, plugin.manifest, plugin.fields, plugin.lines, "manifest")
    known = _COMPONENTS.union(carried)
    for key in plugin.fields:
        if key not in known:
            yield lost(DROPPED, LOST_FIELD, manifest, f"{label} does not read `{key}` in a manifest", key)
    if not plugin.version:
        why = "it has no version, so updates cannot be told apart"
        yield lost(APPROXIMATED, LOST_FIELD, manifest, why, "version")
