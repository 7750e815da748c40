"""pisces: run any coding-agent extension, from one terminal agent or from any Python program.

These names are the whole public interface. Each is loaded when it is first used, so `import pisces` costs nothing.
What is not behind this door has no promise: it may change in any release.
"""

from __future__ import annotations

__version__ = "0.1.0"

# Where each name is, below `pisces`. `__init__.pyi` says the same to type checkers and is written from this table.
_HOME = {
    "places": "Places places_here",
    "diagnostics": "Diagnostic PiscesError",
    "discovery.registry": "discover Discovered Switches",
    "discovery.found": "Found",
    "discovery.capabilities": "COMMANDS CONTEXT_FILES HOOKS MCP_SERVERS MODULES PACKAGES POLICIES SETTINGS SKILLS "
    "SUBAGENTS THEMES",
    "discovery.inventory": "inspect",
    "shapes.command": "Command",
    "shapes.context_file": "ContextFile",
    "shapes.hook": "Hook",
    "shapes.mcp_server": "McpServer",
    "shapes.package": "Package",
    "shapes.policy": "PolicyRule",
    "shapes.prompt": "Prompt",
    "shapes.skill": "Skill",
    "shapes.subagent": "Subagent",
    "shapes.tool": "Tool",
    "shapes.request": "Request",
    "shapes.verdict": "Verdict",
    "shapes.events.tools": "ToolCall ToolResult",
    "checking.check": "check",
    "scanning.scan": "scan",
    "commands.names.catalog": "catalog Catalog",
    "embedding": "expand installer modules_here",
    "packages.fetching.source": "parse_source",
    "packages.install": "install",
    "packages.update": "update",
    "packages.uninstall": "uninstall",
    "modules.module_set": "open_modules",
    "modules.headless": "Headless",
    "gates.judge": "Gate judge",
    "gates.tool_calls": "ToolGates",
}
_DOOR = {name: module for module, names in _HOME.items() for name in names.split()}

__all__ = [  # computed from the table, so that there is one list
    "__version__",
    *_DOOR,
]


def __getattr__(name: str) -> object:
    if name not in _DOOR:
        raise AttributeError(f"module 'pisces' has no attribute {name!r}")
    value = getattr(__import__(f"pisces.{_DOOR[name]}", fromlist=[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted((*_DOOR, "__version__"))
