"""For authors: modules, hooks, rules and whole workspaces driven by plain tests, without a model and without a screen.

from pisces.events import ToolCall
from pisces.testing import open_host, scripted_session

def test_rm_is_asked_about():
    with scripted_session("permission_gate.py", answers=[False]) as session:
        event = session.emit(ToolCall("bash", "1", {"command": "rm -rf /"}))
        assert event.blocked

def test_rm_is_denied():
    with open_host({"home/.claude/settings.json": {"permissions": {"deny": ["Bash(rm:*)"]}}}) as host:
        host.denies("Bash", command="rm -rf /")
"""

from __future__ import annotations

from pisces.modules.headless import Asked
from pisces.testing.blocking import ScriptedSession, scripted_session
from pisces.testing.driven import AsyncDrivenHost, async_host
from pisces.testing.driven_now import DrivenHost, open_host
from pisces.testing.host import ScriptedHost
from pisces.testing.noted import Unexpected
from pisces.testing.questions import ApprovalAsked
from pisces.testing.session import AsyncSession, async_session

__all__ = [
    "ApprovalAsked",
    "Asked",
    "AsyncDrivenHost",
    "AsyncSession",
    "DrivenHost",
    "ScriptedHost",
    "ScriptedSession",
    "Unexpected",
    "async_host",
    "async_session",
    "open_host",
    "scripted_session",
]
