"""Asks before a session is left that has something in it.

pisces modules test confirm_destructive.py --answer no --event session_before_switch
"""

from pisces.events import SessionBeforeSwitch


def extension(pisces):
    @pisces.on(SessionBeforeSwitch)
    async def sure(event):
        said = [entry for entry in pisces.session.entries() if entry.get("type") == "message"]
        if event.cause != "new" or not said:
            return None
        if await pisces.ui.confirm("Leave this session?", f"It has {len(said)} messages"):
            return None
        return event.cancel("stayed")
