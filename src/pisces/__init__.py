"""pisces: run any coding-agent extension, from one terminal agent or from any Python program.

These names are the public interface. Each is loaded when it is first used, so `import pisces` costs nothing. Beside
them, the names of `pisces.events` and `pisces.testing` are for authors of modules, those of `pisces.ide` for authors of
editors. What is behind none of these doors has no promise: it may change in any release.
"""

__version__ = "0.1.0"

# Where each name is, below `pisces`. `__init__.pyi` says the same to type checkers and is written from this table.
_HOME = {
    "places": "Places places_here",
    "diagnostics": "Diagnostic PiscesError",
    "host.host": "Host",
    "session.session": "Session",
    "models.scripted": "ScriptedModel",
    "embedding.discover": "discover",
    "discovery.registry": "Discovered Switches",
    "discovery.found": "Found",
    "discovery.capabilities": "COMMANDS CONTEXT_FILES HOOKS MCP_SERVERS MODULES PACKAGES POLICIES SETTINGS SKILLS "
    "SUBAGENTS THEMES",
    "shapes.command": "Command",
    "shapes.context_file": "ContextFile",
    "shapes.hook": "Hook",
    "shapes.mcp_server": "McpServer",
    "shapes.package": "Package",
    "shapes.policy": "PolicyRule",
    "shapes.skill": "Skill",
    "shapes.subagent": "Subagent",
    "embedding.inspect": "inspect",
    "embedding.check": "check",
    "embedding.convert": "convert",
    "embedding.scan": "scan",
    "embedding.commands": "catalog expand",
    "embedding.packages": "install installed update uninstall",
    "modules.headless": "Headless",
    "modules.api": "Api",
    "shapes.tool": "Tool ToolContext ToolFailed",
    "shapes.events.tools": "ToolCall ToolResult",
    "shapes.request": "LineRequest Request ToolRequest",
    "packages.install": "InstallRequest",
    "shapes.verdict": "Verdict",
    "gates.judge": "Gate",
}
_DOOR = {name: module for module, names in _HOME.items() for name in names.split()}

__all__ = [  # computed from the table, so that there is one list
    "__version__",
    *_DOOR,
]


def __getattr__(name: str) -> object:
    if name not in _DOOR:
        raise AttributeError(f"module 'pisces' has no attribute {name!r}{_hint(name)}", name=name)
    value = getattr(__import__(f"pisces.{_DOOR[name]}", fromlist=[name]), name)
    globals()[name] = value
    return value


def _hint(name: str) -> str:
    if name.startswith("_"):
        return ""  # asked for by Python itself and by tools, which expect the error
    from difflib import get_close_matches  # slow to import, and needed only here

    lower = {each.lower(): each for each in _DOOR}
    near = get_close_matches(name.lower(), lower, 1)
    return f": did you mean {lower[near[0]]!r}?" if near else ": see `dir(pisces)`"


def __dir__() -> list[str]:
    return sorted((*_DOOR, "__version__"))
