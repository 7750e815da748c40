"""pisces: run any coding-agent extension, from one terminal agent or from any Python program.

These names are the whole public interface. Each is loaded when it is first used, so `import pisces` costs nothing.
What is not behind this door has no promise: it may change in any release.
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.check.check import check
    from pisces.commands.names.catalog import Catalog, catalog
    from pisces.diagnostics import Diagnostic, PiscesError
    from pisces.discovery.capabilities import (
        COMMANDS,
        CONTEXT_FILES,
        HOOKS,
        MCP_SERVERS,
        MODULES,
        PACKAGES,
        POLICIES,
        SETTINGS,
        SKILLS,
        SUBAGENTS,
        THEMES,
    )
    from pisces.discovery.found import Found
    from pisces.discovery.inventory import inspect
    from pisces.discovery.registry import Discovered, Switches, discover
    from pisces.embedding import expand, installer, modules_here
    from pisces.gates.judge import Gate, judge
    from pisces.gates.tool_calls import ToolGates
    from pisces.modules.headless import Headless
    from pisces.modules.module_set import open_modules
    from pisces.packages.fetching.source import parse_source
    from pisces.packages.install import install
    from pisces.packages.uninstall import uninstall
    from pisces.packages.update import update
    from pisces.places import Places, places_here
    from pisces.scan.scan import scan
    from pisces.shapes.command import Command
    from pisces.shapes.context_file import ContextFile
    from pisces.shapes.events.tools import ToolCall, ToolResult
    from pisces.shapes.hook import Hook
    from pisces.shapes.mcp_server import McpServer
    from pisces.shapes.package import Package
    from pisces.shapes.policy import PolicyRule
    from pisces.shapes.prompt import Prompt
    from pisces.shapes.request import Request
    from pisces.shapes.skill import Skill
    from pisces.shapes.subagent import Subagent
    from pisces.shapes.tool import Tool
    from pisces.shapes.verdict import Verdict

# Where each name is, below `pisces`. The test of the front door holds it equal to the imports above.
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
    "check.check": "check",
    "scan.scan": "scan",
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
    return sorted(__all__)
