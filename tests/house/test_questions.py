"""Questions are put in one place, because each has to forget what was typed before it."""

from __future__ import annotations

import ast
from pathlib import Path

ASKING = Path("ui/asking.py")


def test_a_terminal_is_read_in_one_file(modules: dict[Path, ast.Module]) -> None:
    wrong = [
        f"src/pisces/{path.as_posix()}:{node.lineno}: use `answer_to` of {ASKING.as_posix()}"
        for path, tree in modules.items()
        if path != ASKING
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _reads_answer(node.func)
    ]
    assert not wrong, "\n".join(wrong)


def _reads_answer(called: ast.expr) -> bool:
    """`input()`, `getpass()` and `sys.stdin.readline()`. Whoever loops over `sys.stdin` reads data, not an answer."""
    if isinstance(called, ast.Name):
        return called.id in ("input", "getpass")
    if not isinstance(called, ast.Attribute):
        return False
    return called.attr == "getpass" or ast.unparse(called) in ("sys.stdin.readline", "sys.stdin.buffer.readline")
