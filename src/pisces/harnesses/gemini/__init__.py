"""Gemini CLI: user before project for packages; workspace before user for what the user writes by hand."""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import Finder, FinderOptions, Harness, Look, project_then_user

MANIFEST = "gemini-extension.json"
CONTEXT_FILE = "GEMINI.md"
INSTALL_FILE = ".gemini-extension-install.json"  # where an extension came from; of a linked one, where it is
SKILLS = Finder("pisces.harnesses.gemini.finders.skills")
AGENTS = Finder("pisces.harnesses.gemini.finders.agents")
_FROM_PACKAGES = Look(Finder("pisces.harnesses.gemini.finders.packages"))


class Policies(FinderOptions):
    FINDER = "pisces.harnesses.gemini.finders.policies"

    tier: int = 2  # of packages; 3 is a workspace, 4 the user


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
    verified="by running 0.61.0",
    looks={
        "packages": _packages,
        "commands": lambda: (Look(Finder("pisces.harnesses.gemini.finders.commands")),),
        "skills": lambda: (
            Look(SKILLS, "cwd:.agents/skills"),
            Look(SKILLS, "project:skills"),
            Look(SKILLS, "home:.agents/skills"),
            Look(SKILLS, "user:skills"),
            _FROM_PACKAGES,
        ),
        "subagents": lambda: (*project_then_user(AGENTS, "agents"), _FROM_PACKAGES),
        "hooks": lambda: (
            *project_then_user(find.EventHooks("gemini", settings=True), "settings.json"),
            _FROM_PACKAGES,
        ),
        "policies": lambda: (
            Look(Policies(tier=4), "user:policies"),
            Look(Policies(tier=3), "project:policies"),
            _FROM_PACKAGES,
        ),
        "mcp-servers": lambda: (Look(Finder("pisces.harnesses.gemini.finders.servers")),),
        "context-files": lambda: (
            Look(find.ContextWalk((CONTEXT_FILE,)), "user:"),
            _FROM_PACKAGES,
            Look(find.ContextWalk((CONTEXT_FILE,), walk=True), "cwd:"),
        ),
        "settings": lambda: (*project_then_user(find.SettingsFiles("jsonc"), "settings.json"), _FROM_PACKAGES),
        "themes": lambda: (*project_then_user(Themes(), "settings.json"), _FROM_PACKAGES),
    },
)
