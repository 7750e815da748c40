"""A file imports from lower floors and from its own folder: never up, never sideways."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

FLOORS = (
    ("value", "diagnostics", "places", "files", "by_name", "__init__"),
    ("formats",),
    ("shapes",),
    ("discovery",),
    ("check", "packages", "scan", "convert", "modules", "mcp"),
    ("commands", "tools", "gates", "models", "ide"),
    ("host",),
    ("agent",),
    ("session",),
    ("ui", "adapters", "testing"),
    ("cli", "__main__"),
)
FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names}

# The files of the ground floor are one small vocabulary, and the front door opens on the hall behind it.
NEIGHBOURS = {(name, other) for name in FLOORS[0] for other in FLOORS[0]} | {("__main__", "cli")}

MODULE_NAME = re.compile(r"pisces(\.\w+)+")


def test_every_module_has_a_floor(modules: dict[Path, ast.Module]) -> None:
    homeless = sorted({_home(path) for path in modules} - set(FLOOR))
    assert not homeless, f"on no floor of tests/house/test_floors.py: {homeless}"


def test_imports_point_down(modules: dict[Path, ast.Module]) -> None:
    wrong = [
        f"src/pisces/{path.as_posix()}:{line}: floor {FLOOR.get(_home(path))} uses {used} of floor {FLOOR[used]}"
        for path, tree in modules.items()
        for used, line in _used(tree, path)
        if not _is_allowed(_home(path), used)
    ]
    assert not wrong, "\n".join(wrong)


def _is_allowed(home: str, used: str) -> bool:
    return used == home or FLOOR[used] < FLOOR.get(home, -1) or (home, used) in NEIGHBOURS


def _home(path: Path) -> str:
    return path.parts[0].removesuffix(".py")


def _used(tree: ast.Module, path: Path) -> Iterator[tuple[str, int]]:
    """What a module imports of pisces, for type checkers only or by name, and on which line."""
    for node in ast.walk(tree):
        for name in _names(node, path):
            parts = name.split(".")
            used = parts[1] if len(parts) > 1 and parts[1] in FLOOR else "__init__"
            if parts[0] == "pisces":
                yield used, getattr(node, "lineno", 0)


def _names(node: ast.AST, path: Path) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        folder = ["pisces", *path.parts[: len(path.parts) - node.level]] if node.level else []
        module = ".".join([*folder, *([node.module] if node.module else [])])
        return [f"{module}.{alias.name}" for alias in node.names]
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and MODULE_NAME.fullmatch(node.value):
        return [node.value]  # a file that is loaded by name
    return []
