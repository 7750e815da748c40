"""Brings a `read` of its own: every read is written down, and files that hold secrets are refused.

pisces modules test read_log.py --cwd . --tool 'read={"path": "read_log.py", "limit": 2}' --command /reads
"""

import os


def extension(pisces):
    reads = []

    @pisces.tool("read")
    def read(path: str, offset: int = 1, limit: int = 2000):
        """Reads a text file, from line `offset`, at most `limit` lines."""
        reads.append(path)
        if os.path.basename(path).startswith(".env"):
            raise PermissionError(f"{path} is not for the model")
        with open(os.path.join(pisces.cwd, path), encoding="utf-8") as file:
            return "".join(file.readlines()[offset - 1 : offset - 1 + limit])

    @pisces.command("reads")
    def show(_args):
        """Which files were read."""
        pisces.ui.notify("\n".join(reads) or "nothing was read")
