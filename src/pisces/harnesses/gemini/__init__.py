"""Gemini CLI: user before project for packages; workspace before user for what the user writes by hand."""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import Finder, FinderOptions, Harness, Look, project_then_user

MANIFEST = "gemini-extension.json"
CONTEXT_FILE = "GEMINI.md"
INSTALL_FILE = ".gemini-extension-install.json"  # where an extension came from; of a linked one, where it is
SKILLS = Finder("pisces.harnesses.gemini.finders.skills")
AGENTS = Finder("pisces.harnesses.gemini.finders.agents")


class FromPackages(FinderOptions):
    FINDER = "pisces.harnesses.gemini.finders.packages"

    last_first: bool = False  # the last package with a name has it, as for skills


_FROM_PACKAGES = Look(FromPackages())


class Policies(FinderOptions):
    FINDER = "pisces.harnesses.gemini.finders.policies"

    tier: int = 2  # of packages; 3 is a workspace, 4 the user


class SystemFile(FinderOptions):
    FINDER = "pisces.harnesses.gemini.finders.system_file"

    then: FinderOptions
    defaults: bool = False  # the file whose values all others can change


class Themes(FinderOptions):
    FINDER = "pisces.harnesses.gemini.finders.themes"
    NEEDS = "themes"

    manifest: str = ""  # of a package; nothing for a settings file


def _packages() -> tuple[Look, ...]:
    extensions = find.Manifests(MANIFEST, "gemini", note=INSTALL_FILE)
    enablement = Finder("pisces.harnesses.gemini.finders.enablement")
    return (
        Look(extensions, "user:extensions"),
        Look(extensions, "user:.pisces/outgoing"),  # an update of ours that was cut short
        Look(enablement, "user:extensions/extension-enablement.json"),
        Look(extensions, "project:extensions"),
    )


def _hooks() -> tuple[Look, ...]:
    hooks = find.EventHooks("gemini", settings=True)
    return (
        Look(SystemFile(hooks, defaults=True)),
        Look(hooks, "user:settings.json"),
        Look(hooks, "project:settings.json"),
        Look(SystemFile(hooks)),
        _FROM_PACKAGES,
    )


def _settings() -> tuple[Look, ...]:
    files = find.SettingsFiles("jsonc")
    return (
        Look(SystemFile(files)),
        *project_then_user(files, "settings.json"),
        Look(SystemFile(files, defaults=True)),
        _FROM_PACKAGES,
    )


HARNESS = Harness(
    id="gemini",
    label="Gemini CLI",
    priority=60,
    user_dir="~/.gemini",
    project_dir=".gemini",
    home_variable="GEMINI_CLI_HOME",
    programs=("gemini",),
    context_names=(CONTEXT_FILE,),
    manifests=(MANIFEST,),
    states="pisces.harnesses.gemini.states",
    private_states=("packages",),  # an extension that is disabled here is installed all the same
    verified="by running 0.61.0",
    was_run=("packages", "commands", "skills", "subagents", "mcp-servers", "hooks", "context-files", "policies"),
    looks={
        "packages": _packages,
        "commands": lambda: (Look(Finder("pisces.harnesses.gemini.finders.commands")),),
        "skills": lambda: (
            Look(SKILLS, "cwd:.agents/skills"),
            Look(SKILLS, "project:skills"),
            Look(SKILLS, "home:.agents/skills"),
            Look(SKILLS, "user:skills"),
            Look(FromPackages(last_first=True)),
        ),
        "subagents": lambda: (*project_then_user(AGENTS, "agents"), _FROM_PACKAGES),
        "hooks": _hooks,
        "policies": lambda: (Look(Finder("pisces.harnesses.gemini.finders.policy_places")), _FROM_PACKAGES),
        "mcp-servers": lambda: (Look(Finder("pisces.harnesses.gemini.finders.servers")),),
        "context-files": lambda: (Look(Finder("pisces.harnesses.gemini.finders.context_files")),),
        "settings": _settings,
        "themes": lambda: (*project_then_user(Themes(), "settings.json"), _FROM_PACKAGES),
    },
)
