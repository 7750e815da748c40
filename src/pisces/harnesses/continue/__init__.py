"""Continue, its editors and its command line `cn`: the project before the user; `.continue` before Claude Code's files.

Rules and hooks of all places apply; of the instruction files here only the first counts. A Markdown file among the
rules or prompts is a command if its header says `invokable: true`, else a rule. Where the two differ: the editors read
`.continuerules`, `rules.md`, prompt files and the folders of servers, `cn` alone reads hooks, permissions and agents.
`cn` also runs the hooks in Claude Code's settings; they are listed for Claude Code alone, as hooks have no name by
which a second one is known as the same. Blocks of Continue's hub are not listed. Facts: Continue's source of 2026-06.
"""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import Finder, FinderOptions, Harness, Look, project_then_user

_EVENTS = frozenset(
    """
    PreToolUse PostToolUse PostToolUseFailure PermissionRequest UserPromptSubmit SessionStart SessionEnd Stop
    Notification SubagentStart SubagentStop PreCompact ConfigChange TeammateIdle TaskCompleted WorktreeCreate
    WorktreeRemove
    """.split()
)
_DOCUMENTS = Finder("pisces.harnesses.continue.finders.documents")
_SERVERS = Finder("pisces.harnesses.continue.finders.servers")
_CONFIGS = ("config.yaml", "config.yml", "config.json")


def _rules_and_prompts() -> tuple[Look, ...]:
    return *project_then_user(_DOCUMENTS, "rules"), *project_then_user(_DOCUMENTS, "prompts")


def _skills() -> tuple[Look, ...]:
    skills = find.SkillFolders()
    return Look(skills, "project:skills"), Look(skills, "cwd:.claude/skills"), Look(skills, "user:skills")


def _agents() -> tuple[Look, ...]:
    agents = find.MarkdownAgents(needs=(), lenient=True)
    return Look(agents, "project:agents"), Look(agents, "project:checks")


def _servers() -> tuple[Look, ...]:
    return *project_then_user(_SERVERS, "mcpServers"), *(Look(_SERVERS, f"user:{name}") for name in _CONFIGS)


def _of_settings(then: FinderOptions) -> tuple[Look, ...]:
    places = ("project:settings.local.json", "project:settings.json", "user:settings.json")
    return tuple(Look(then, at) for at in places)


def _documents() -> tuple[Look, ...]:
    names = ("AGENTS.md", "AGENT.md", "CLAUDE.md", "CODEX.md")
    return (
        Look(find.ContextWalk(names, first=True), "cwd:"),
        *_rules_and_prompts(),
        Look(find.ContextWalk((".continuerules", "rules.md"))),
    )


def _settings() -> tuple[Look, ...]:
    json, yaml = find.SettingsFiles("lenient"), find.SettingsFiles("yaml")
    return (
        *_of_settings(json),
        Look(json, "cwd:.continuerc.json"),
        *(Look(yaml, f"user:{name}") for name in ("config.yaml", "config.yml", "permissions.yaml")),
        Look(json, "user:config.json"),
    )


HARNESS = Harness(
    id="continue",
    label="Continue",
    priority=18,
    user_dir="~/.continue",
    project_dir=".continue",
    user_dir_variable="CONTINUE_GLOBAL_DIR",
    programs=("cn",),
    context_names=(".continuerules", "CODEX.md"),
    own_files=(".continuerc.json", ".prompts"),
    states="pisces.harnesses.continue.states",
    verified="its source of 2026-06, 2026-11",
    looks={
        "commands": lambda: (*_rules_and_prompts(), Look(_DOCUMENTS, "cwd:.prompts")),
        "skills": _skills,
        "subagents": _agents,
        "mcp-servers": _servers,
        "hooks": lambda: _of_settings(find.GroupedHooks(events=_EVENTS)),
        "context-files": _documents,
        "settings": _settings,
    },
)
