"""A build that is killed leaves the old or the new, or what the next build makes good. Never a mixture that stays."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap

import pytest

from tests.building.repository import SKILL, Author, tree

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")

# Ends the process without a word at the n-th call that changes the disk.
DRIVER = textwrap.dedent("""
    import os, sys
    left = int(sys.argv[1])
    def counted(real):
        def call(*args, **named):
            global left
            left -= 1
            if left < 0:
                os._exit(9)
            return real(*args, **named)
        return call
    for name in ("replace", "rename", "link", "mkdir", "rmdir", "unlink"):
        setattr(os, name, counted(getattr(os, name)))
    from pisces.__main__ import main
    sys.exit(main(["build"]))
""")


def contents(author: Author) -> dict[str, bytes]:
    return {name: data for name, (data, _) in tree(author.folder).items()}


def changed(author: Author) -> None:
    author.put({"skills/notes/SKILL.md": SKILL + "More.\n", "skills/new/SKILL.md": SKILL.replace("notes", "new")})
    author.put({"package.json": '{"version": "2.0.0"}'})
    (author.folder / "commands/save.md").unlink(missing_ok=True)


def test_wherever_a_build_is_killed_the_next_one_ends_it(author: Author) -> None:
    author.pisces("build")
    old = contents(author)
    changed(author)
    author.pisces("build")
    new = contents(author)
    manifest = "dist/gemini/gemini-extension.json"
    step = killed = 0
    while True:
        for path in author.folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        author.put(dict(old))
        changed(author)
        done = subprocess.run([sys.executable, "-c", DRIVER, str(step)], cwd=author.folder, check=False)
        killed += done.returncode == 9
        assert (author.folder / manifest).read_bytes() in (old[manifest], new[manifest])
        assert author.pisces("build")[0] == 0
        assert contents(author) == new, f"after {step} steps"
        if done.returncode == 0:
            break
        step += 4
    assert killed > 3
