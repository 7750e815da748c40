"""Names inside packages: a harness may put the package's name before that of each component."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.harness import Where
    from pisces.discovery.options import MarkdownAgents, MarkdownCommands, McpConfig, SkillFolders

    Prefixed = SkillFolders | MarkdownCommands | MarkdownAgents | McpConfig


def prefixed(name: str, where: Where[Prefixed]) -> str:
    """`name` after the option `prefix`, in which `{package}` stands for the package's name."""
    return where.options.prefix.replace("{package}", str(where.package.name) if where.package else "") + name
