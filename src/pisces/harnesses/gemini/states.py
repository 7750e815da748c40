"""The switches of Gemini CLI 0.61: folder trust, what settings turn off, what waits for the user, what is never read.

Finders know by themselves what a disabled package holds back, and what a folder that is not trusted does to commands.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.discovery.enablement import ENABLEMENT_FILE
from pisces.discovery.found import PROJECT, Found
from pisces.discovery.harness import Where
from pisces.discovery.linked import linked_folder
from pisces.discovery.state import INVALID, OFF, REFUSED, SHADOWED, Scene, State
from pisces.harnesses.gemini import INSTALL_FILE
from pisces.harnesses.gemini.enabled import installed_packages, reasons_against
from pisces.harnesses.gemini.settings import is_home, is_on
from pisces.harnesses.gemini.trust import Ground, ground_of
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pisces.discovery.state import StateOf
    from pisces.harnesses.gemini.settings import SettingsScope

BUILT_IN_AGENTS = frozenset(("codebase_investigator", "cli_help", "generalist"))
BROWSER_AGENT = "browser_agent"  # built in where the settings turn it on


class Facts(Value):
    """What every rule below is asked with."""

    ground: Ground
    where: Where
    is_home: bool
    installed: Mapping[str, State | None]  # what holds each package back, by its folder

    def entries(self, *keys: str) -> list[tuple[SettingsScope, int, str]]:
        """What the settings list under these keys. Looked up once in a run, as every item asks for it."""
        return self.where.run.once(("gemini-entries", keys), lambda: list(self.ground.settings.entries(*keys)))

    def is_project(self, found: Found) -> bool:
        return found.source.level == PROJECT and not found.package and not self.is_home


def states(scene: Scene) -> StateOf:
    places, run, harness = scene.places, scene.run, scene.harness
    where = Where(places, run, "packages", harness.id, harness.label)
    installed = {found.item.path: found.held for found in installed_packages(where)}
    facts = Facts(ground_of(places, run), where, is_home(places), installed)
    refusal = _refusal(facts)

    def state_of(kind: str, found: Found) -> State | None:
        rule = _RULES.get(kind)
        return refusal or (rule(found, facts) if rule else None)

    return state_of


def _refusal(facts: Facts) -> State | None:
    """Why the program does not start. Two packages of one name stop it, also where they are disabled."""
    if facts.ground.refusal:
        return facts.ground.refusal
    first: dict[str, Found] = {}
    for found in installed_packages(facts.where):
        if found.held and found.held.name == REFUSED:
            return found.held
        if found.held and not found.held.path.endswith(ENABLEMENT_FILE):
            continue  # not allowed, so that it is not even read
        other = first.setdefault(str(found.item.name), found)
        if other is not found:
            both = f"{other.item.path} and {found.item.path}"
            reason = f"Gemini CLI does not start: {both} are both called `{found.item.name}`"
            return State(REFUSED, reason, found.source.path, 0, "uninstall one of them", True)
    flaw = export_of("pisces.harnesses.gemini", "start_flaws", "start_flaw")(facts.ground.settings, facts.where.places)
    return State(REFUSED, f"Gemini CLI does not start: {flaw[0]}", flaw[1], flaw[2], "mend it", True) if flaw else None


def _of_package(found: Found, facts: Facts) -> State | None:
    """An installed package is a package for pisces, whether or not Gemini CLI loads it here."""
    if found.source.level == PROJECT and not facts.is_home:
        reason = "Gemini CLI looks for extensions in the user's folder only"
        return State(OFF, reason, change="`gemini extensions install` it", only_here=True)
    folder = os.path.dirname(found.source.path)
    if folder in facts.installed:
        held = facts.installed[folder]
        return held.replace(only_here=True) if held else None
    linked = linked_folder(folder, INSTALL_FILE, facts.where.places.cwd)
    if linked != folder:
        return State(SHADOWED, f"the extension is linked: Gemini CLI reads {linked}", only_here=True)
    flaws = [each for each in reasons_against(facts.where) if each.path == found.source.path]
    return State(INVALID, flaws[0].message, flaws[0].path, flaws[0].line, "mend it", True) if flaws else None


def _of_command(found: Found, _facts: Facts) -> State | None:
    if found.item.executable is None:
        return None
    return State(OFF, "Gemini CLI knows no commands that are programs", only_here=True)


def _of_skill(found: Found, facts: Facts) -> State | None:
    settings = facts.ground.settings
    if not is_on(settings.value("skills", "enabled"), default=True):
        return _switched("`skills.enabled` is off in {}", ("skills", "enabled"), facts)
    for scope, index, name in facts.entries("skills", "disabled"):
        if name.lower() == found.item.name.lower():
            change = f"`gemini skills enable {found.item.name}`"
            line = scope.line_of("skills", "disabled", index)
            return State(OFF, f"`skills.disabled` of {scope.name} names it", scope.path, line, change)
    return facts.ground.untrusted if facts.is_project(found) else None


def _of_agent(found: Found, facts: Facts) -> State | None:
    settings, name = facts.ground.settings, found.item.name
    if not is_on(settings.value("experimental", "enableAgents"), default=True):
        return _switched("`experimental.enableAgents` is off in {}", ("experimental", "enableAgents"), facts)
    unseen = _unseen(found, facts) if facts.is_project(found) else None
    if unseen:
        return unseen
    override = settings.value("agents", "overrides", name)
    is_off = isinstance(override, dict) and "enabled" in override and not is_on(override["enabled"], default=False)
    if is_off:
        keys = ("agents", "overrides", name, "enabled")
        return _switched(f"`agents.overrides.{name}.enabled` is off in {{}}", keys, facts)
    if name in BUILT_IN_AGENTS or (name == BROWSER_AGENT and isinstance(override, dict) and override.get("enabled")):
        return State(SHADOWED, "an agent of that name is built in", change="give it another name", only_here=True)
    return None


def _unseen(found: Found, facts: Facts) -> State | None:
    """Agents of a project are asked for before anything else is known of them."""
    if facts.ground.gate:
        return facts.ground.gate
    waiting: State | None = export_of("pisces.harnesses.gemini", "acknowledged", "waiting")(found.item, facts.where)
    return waiting


def _of_hook(found: Found, facts: Facts) -> State | None:
    settings = facts.ground.settings
    if not is_on(settings.value("hooksConfig", "enabled"), default=True):
        return _switched("`hooksConfig.enabled` is off in {}", ("hooksConfig", "enabled"), facts)
    config = settings.value("hooksConfig")
    if found.package and isinstance(config, dict) and config.get("enabled", True) is None:
        return _switched("`hooksConfig.enabled` is `null` in {}", ("hooksConfig",), facts)
    if not found.package and facts.ground.untrusted:
        return facts.ground.untrusted
    name = found.item.name or found.item.command
    for scope, index, disabled in facts.entries("hooksConfig", "disabled"):
        if disabled == name:
            line = scope.line_of("hooksConfig", "disabled", index)
            reason = f"`hooksConfig.disabled` of {scope.name} names it"
            return State(OFF, reason, scope.path, line, f"`/hooks enable {name}` in Gemini CLI")
    return None


def _of_server(found: Found, facts: Facts) -> State | None:
    off: State | None = export_of("pisces.harnesses.gemini", "server_switches", "switched_off")(
        found.item, facts.ground.settings, facts.where
    )
    return off or facts.ground.untrusted


def _of_context(found: Found, facts: Facts) -> State | None:
    """A context file in the home folder is the workspace's there; the user's is in `~/.gemini`."""
    return facts.ground.untrusted if found.source.level == PROJECT else None


def _of_policy(found: Found, facts: Facts) -> State | None:
    if not facts.is_project(found):
        return None
    change = "copy it to `~/.gemini/policies`"
    return State(OFF, "Gemini CLI 0.61 does not read policies of a project", change=change, only_here=True)


def _of_settings(found: Found, facts: Facts) -> State | None:
    return facts.ground.untrusted if facts.is_project(found) else None


def _switched(reason: str, keys: tuple[str, ...], facts: Facts) -> State:
    scope = facts.ground.settings.last_with(*keys)
    if scope is None:
        return State(OFF, reason.format("the settings"))
    change = f"change `{'.'.join(keys)}` there"
    return State(OFF, reason.format(scope.name), scope.path, scope.line_of(*keys), change)


_RULES: dict[str, Callable[[Found, Facts], State | None]] = {
    "packages": _of_package,
    "commands": _of_command,
    "skills": _of_skill,
    "subagents": _of_agent,
    "hooks": _of_hook,
    "mcp-servers": _of_server,
    "context-files": _of_context,
    "policies": _of_policy,
    "settings": _of_settings,
}
