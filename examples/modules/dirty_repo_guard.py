"""A new session does not start over uncommitted changes unless you say so.

pisces modules test dirty_repo_guard.py --cwd ~/a-repository --answer 'stay here' --event session_before_switch
"""

from pisces.events import SessionBeforeFork, SessionBeforeSwitch


def extension(pisces):
    @pisces.on(SessionBeforeSwitch)
    @pisces.on(SessionBeforeFork)
    async def guard(event):
        status = await pisces.exec("git", "status", "--porcelain")
        files = status.stdout.splitlines()
        if status.code or not files:
            return None
        choice = await pisces.ui.select(f"{len(files)} uncommitted files", ["go on", "stay here"])
        return None if choice == "go on" else event.cancel("commit your changes first")
