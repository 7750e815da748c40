"""Commits what was changed when the session ends, with the first line of the last answer as message.

pisces modules test auto_commit.py --cwd ~/a-repository
"""

from pisces.events import SessionShutdown


def extension(pisces):
    @pisces.on(SessionShutdown)
    async def commit(_event):
        changed = await pisces.exec("git", "status", "--porcelain")
        if changed.code or not changed.stdout.strip():
            return
        await pisces.exec("git", "add", "--all")
        await pisces.exec("git", "commit", "--quiet", "--message", f"[agent] {last_words(pisces.session.branch())}")


def last_words(entries):
    said = [entry["message"] for entry in entries if entry.get("message", {}).get("role") == "assistant"]
    content = said[-1]["content"] if said else ""
    text = content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
    return (text.strip().splitlines() or ["work in progress"])[0][:60]
