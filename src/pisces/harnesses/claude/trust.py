"""What Claude Code remembers about this project in `~/.claude.json`: trust, servers that are off, approvals.

The entry of a project has the path of its repository's root; outside of a repository that of the current directory.
Once a folder is trusted, or with `claude -p`, which does not ask, its skills, subagents, commands, hooks and context
load. Trust decides all the same about approvals, marketplaces and plugins that the project brings itself.
"""

from __future__ import annotations

import os

from pisces.discovery.config_file import MARKED, ConfigFile, config_at
from pisces.discovery.harness import Where
from pisces.discovery.state import UNTRUSTED, State
from pisces.harnesses.claude.folders import repository_root, state_file
from pisces.places import Places

ANSWER = "start `claude` in this folder and answer its question about trust"


def known_state(where: Where) -> ConfigFile | None:
    """`~/.claude.json`, if it is there and holds an object."""
    file = config_at(state_file(where.places), MARKED, where.run)
    return file if isinstance(file, ConfigFile) and isinstance(file.value, dict) else None


def project_keys(places: Places) -> tuple[str, str]:
    """Where the state file keeps what belongs to this project; paths have forward slashes there."""
    return "projects", repository_root(places).replace(os.sep, "/")


def is_trusted(where: Where) -> bool:
    file = known_state(where)
    return file is not None and file.part((*project_keys(where.places), "hasTrustDialogAccepted")) is True


def untrusted(where: Where, what: str) -> State:
    file = known_state(where)
    path = state_file(where.places)
    line = file.place(*project_keys(where.places), "hasTrustDialogAccepted")[0] if file else 0
    return State(
        UNTRUSTED, f"{what}, and nobody has told Claude Code to trust this folder", path, line, ANSWER, only_here=True
    )
