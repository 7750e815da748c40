"""Takes a snapshot of the working tree before each turn; `/rewind` brings the last one back.

pisces modules test git_checkpoint.py --cwd ~/a-repository --event turn_start
"""

from pisces.events import TurnStart


def extension(pisces):
    @pisces.on(TurnStart)
    async def snapshot(event):
        made = await pisces.exec("git", "stash", "create")
        if made.code == 0 and made.stdout.strip():
            pisces.append_entry("checkpoint", {"turn": event.turn_index, "commit": made.stdout.strip()})

    @pisces.command("rewind")
    async def rewind(args):
        """Puts the files back as they were before a turn."""
        found = [entry["data"] for entry in pisces.session.branch() if entry.get("customType") == "checkpoint"]
        back = int(args or 1)
        if not 0 < back <= len(found):
            pisces.ui.notify("there is no such checkpoint", "error")
            return
        commit = found[-back]["commit"]
        done = await pisces.exec("git", "restore", f"--source={commit}", "--worktree", ".")
        pisces.ui.notify(done.stderr.strip() or f"back to {commit[:8]}", "error" if done.code else "info")
