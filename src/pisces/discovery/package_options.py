"""What the finders that read a package can be asked for; `options` has those that look anywhere.

`manifest` is the package's manifest, relative to its folder.
"""

from __future__ import annotations

from pisces.discovery.harness import FinderOptions
from pisces.discovery.options import SkillFolders


class AgentSkills(SkillFolders):
    FINDER = "pisces.discovery.finders.agent_skills"

    exact: bool = False  # by the rules of Agent Plugins: every difference from the standard drops the skill


class ExecutableCommands(FinderOptions):
    FINDER = "pisces.discovery.finders.executable_commands"
    NEEDS = "commands"

    manifest: str


class ManifestContext(FinderOptions):
    FINDER = "pisces.discovery.finders.manifest_context"

    default: str  # the context file where the manifest names none


class ManifestServers(FinderOptions):
    FINDER = "pisces.discovery.finders.manifest_servers"
    NEEDS = "mcpServers"

    manifest: str


class ManifestSettings(FinderOptions):
    FINDER = "pisces.discovery.finders.manifest_settings"
    NEEDS = "settings"

    manifest: str


class PluginParts(FinderOptions):
    FINDER = "pisces.discovery.finders.plugin_parts"

    manifest: str
    key: str  # of the manifest, such as "commands"
    default: str  # the fixed place, such as "commands" or "hooks/hooks.json"
    then: FinderOptions  # for the finder that looks at each place
    replaces: bool = False  # the manifest's paths replace the fixed place
    gaps: bool = False  # a path that leads nowhere is passed over
    falls_back: bool = False  # where the manifest has nothing of the right form, the fixed place counts
    plain: bool = False  # paths need not begin with `./`
    lone: str = ""  # a file at the plugin's root that stands for everything where the rest is absent
    other_manifests: tuple[str, ...] = ()  # further places of the manifest
    other_defaults: tuple[str, ...] = ()  # further fixed places; the first that exists counts
