"""Aliases for your own shell lines: `!gs` is `git status --short`, without a shell to be started for it.

pisces modules test shell_aliases.py --cwd . --event 'user_bash={"command": "gs", "cwd": "."}'
"""

from pisces.events import UserShell

ALIASES = {"gs": ("git", "status", "--short"), "gl": ("git", "log", "--oneline", "-10")}


def extension(pisces):
    @pisces.on(UserShell)
    async def run(event):
        argv = ALIASES.get(event.command.strip())
        if argv is None:
            return None
        done = await pisces.exec(*argv, cwd=event.cwd, timeout=10)
        return event.replace(result={"output": done.stdout + done.stderr, "exitCode": done.code})
