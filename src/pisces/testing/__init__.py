"""For authors: modules driven by plain tests, without a model and without a screen.

from pisces.events import ToolCall
from pisces.testing import scripted_session

def test_rm_is_asked_about():
    with scripted_session("permission_gate.py", answers=[False]) as session:
        event = session.emit(ToolCall("bash", "1", {"command": "rm -rf /"}))
        assert event.blocked
"""

from __future__ import annotations

from pisces.modules.headless import Asked
from pisces.testing.blocking import Session, scripted_session
from pisces.testing.host import ScriptedHost
from pisces.testing.session import AsyncSession, Unexpected, async_session

__all__ = ["Asked", "AsyncSession", "ScriptedHost", "Session", "Unexpected", "async_session", "scripted_session"]
