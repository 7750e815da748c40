"""A file imports from lower floors and from its own folder: never up, never sideways."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

FLOORS = (
    ("value", "diagnostics", "places", "files", "by_name", "atomic", "disk", "file_lock", "__init__"),
    ("formats", "processes"),
    ("shapes",),
    ("discovery", "harnesses", "events"),
    ("checking", "packages", "scanning", "converting", "modules", "instructions"),
    ("building", "commands", "tools", "gates", "audit", "models", "mcp", "ide"),
    ("host", "embedding"),
    ("agent",),
    ("session",),
    ("ui", "adapters", "serving", "testing"),
    ("acp",),
    ("cli", "__main__"),
)
FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names}

# All that is known of a harness is in one folder, and each file in it belongs to the room that reads it.
ROOM_OF = {
    "lints": "checking",
    "fixes": "checking",
    "gallery": "checking",
    "checking": "checking",
    "lone_files": "checking",
    "marketplaces": "checking",
    "scanning": "scanning",
    "store": "packages",
    "package_settings": "packages",
    "prompts": "commands",
    "imports": "instructions",
    "permissions": "gates",
    "rules": "gates",
    "permission_rules": "gates",
    "permission_judge": "gates",
    "permission_lines": "gates",
    "permission_allows": "gates",
    "hooks": "gates",
    "hook_answers": "gates",
    "hook_effects": "gates",
    "hook_events": "gates",
    "hook_loading": "gates",
    "hook_matchers": "gates",
    "hook_output": "gates",
    "hook_payloads": "gates",
    "servers": "mcp",
    "plugin_reading": "converting",
    "writing": "converting",
    "release_assets": "building",
}

# The files of the ground floor are one small vocabulary. The shell's entry opens on the commands.
# Harnesses are written in the words of discovery, which finds their folders by name.
NEIGHBOURS = {(name, other) for name in FLOORS[0] for other in FLOORS[0]} | {
    ("__main__", "cli"),
    ("harnesses", "discovery"),
    ("discovery", "harnesses"),
}

FRONT_DOOR = Path("__init__.py")  # names what is behind it, and loads it when it is asked for

MODULE_NAME = re.compile(r"pisces(\.\w+)+")


def test_every_module_has_a_floor(modules: dict[Path, ast.Module]) -> None:
    homeless = sorted({room_of(path.parts) for path in modules} - set(FLOOR))
    assert not homeless, f"on no floor of tests/house/test_floors.py: {homeless}"


def test_imports_point_down(modules: dict[Path, ast.Module]) -> None:
    wrong = [
        f"src/pisces/{path.as_posix()}:{line}: floor {FLOOR[home]} uses {used} of floor {FLOOR[used]}"
        for path, tree in modules.items()
        if path != FRONT_DOOR
        for home in (room_of(path.parts),)
        for name, line in _used(tree, path)
        for used in (_room_used(name),)
        if used != home and FLOOR[used] >= FLOOR[home] and (home, used) not in NEIGHBOURS
    ]
    assert not wrong, "\n".join(wrong)


def test_a_harness_is_imported_by_its_own_folder_only(modules: dict[Path, ast.Module]) -> None:
    wrong = [
        f"src/pisces/{path.as_posix()}:{line}: imports {name}"
        for path, tree in modules.items()
        for name, line in _used(tree, path)
        if name.startswith("pisces.harnesses.") and name.split(".")[2] not in path.parts[1:2]
    ]
    assert not wrong, "\n".join(wrong)


def room_of(parts: Sequence[str]) -> str:
    """The room that a file belongs to; a file of a harness belongs to the room that reads it."""
    role = parts[2].removesuffix(".py") if parts[0] == "harnesses" and len(parts) > 2 else ""
    return ROOM_OF.get(role, parts[0].removesuffix(".py"))


def _room_used(name: str) -> str:
    parts = name.split(".")[1:]
    return room_of(parts) if parts and parts[0] in FLOOR else "__init__"


def _used(tree: ast.Module, path: Path) -> Iterator[tuple[str, int]]:
    """What a module imports of pisces, for type checkers only or by name, and on which line."""
    for node in ast.walk(tree):
        for name in _names(node, path):
            if name.split(".")[0] == "pisces":
                yield name, getattr(node, "lineno", 0)


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
