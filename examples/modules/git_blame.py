"""A tool that runs a program: who wrote these lines, and why?

pisces modules test git_blame.py --cwd . --tool 'git_blame={"path": "git_blame.py", "line": 1}'
"""

from typing import Annotated


def extension(pisces):
    @pisces.tool()
    async def git_blame(path: Annotated[str, "relative to the project"], line: int, count: int = 1, *, ctx):
        """Who changed these lines last, in which commit, and what its message says."""
        ctx.update(f"looking at {path}")
        last = line + count - 1
        blame = await pisces.exec("git", "blame", "--porcelain", f"-L{line},{last}", "--", path, timeout=20)
        if blame.code:
            raise RuntimeError(blame.stderr.strip())
        commits = {each.split()[0] for each in blame.stdout.splitlines() if is_commit(each)}
        shown = await pisces.exec("git", "show", "--no-patch", "--format=%h %an, %as: %s", *sorted(commits))
        return shown.stdout.strip()


def is_commit(line):
    word = line.partition(" ")[0]
    return len(word) == 40 and all(letter in "0123456789abcdef" for letter in word)
