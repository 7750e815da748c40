"""What `pisces mcp serve` offers, and who may decide about it: chosen by whoever starts it, never by a client."""

from __future__ import annotations

from pisces.formats.wildcard import wildcard_matches
from pisces.shapes.session_facts import MODE_ASK
from pisces.value import Value

SKILLS, COMMANDS, TOOLS, EXECUTABLES, SERVERS = "skills", "commands", "tools", "executables", "servers"
AGENTS, CONTEXT = "agents", "context"
KINDS = (SKILLS, COMMANDS, TOOLS, EXECUTABLES, SERVERS, AGENTS, CONTEXT)
AUTO, ALWAYS, NEVER = "auto", "always", "never"
SEARCHES = (AUTO, ALWAYS, NEVER)


class ServeChoices(Value):
    """`only` and `without` are names, or patterns with `*`, of whatever is offered. `search` says when tools are
    searched for instead of listed. `mode` is the approval mode. With `asks_client` a question goes to the client's
    user, where the client can ask. `own_port` is where we listen, if we do.
    """

    kinds: tuple[str, ...] = KINDS
    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    search: str = AUTO
    mode: str = MODE_ASK
    trust_workspace: bool = False
    asks_client: bool = True
    own_port: int = 0

    def has(self, *kinds: str) -> bool:
        return any(kind in self.kinds for kind in kinds)

    def offers(self, *names: str) -> bool:
        """Whether something that has these names is offered."""
        if any(wildcard_matches(pattern, name) for pattern in self.without for name in names):
            return False
        return not self.only or any(wildcard_matches(pattern, name) for pattern in self.only for name in names)

    def may_offer(self, server: str) -> bool:
        """Whether a tool of this server may be offered: by the name of the server, or by one that begins with it."""
        start = f"{server}__"
        if any(wildcard_matches(pattern, server) or pattern == f"{start}*" for pattern in self.without):
            return False
        return not self.only or any(
            wildcard_matches(pattern, server) or _meets(pattern, start) for pattern in self.only
        )


def _meets(pattern: str, start: str) -> bool:
    """Whether a name that begins like that may fit the pattern."""
    fixed = pattern.partition("*")[0].partition("?")[0]
    return fixed.startswith(start) or (fixed != pattern and start.startswith(fixed))
